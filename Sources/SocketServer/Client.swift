// SPDX-License-Identifier: Apache-2.0

package import LinuxIO
import Wire

/// The number of a connection; never used again in a run.
package struct ClientID: Hashable, Comparable, Sendable {
  /// The number.
  package let number: Int

  /// A client.
  package init(_ number: Int) { self.number = number }

  /// The order of connecting.
  package static func < (a: ClientID, b: ClientID) -> Bool { a.number < b.number }
}

/// One connection.
final class Client {
  let id: ClientID
  let peer: PeerCredentials
  let socket: OwnedDescriptor
  let connectedUs: Int64
  var source: DescriptorSource?

  // Whether it may change things, and whether it was told already that it may not.
  var mayControl: Bool
  var wasRefused = false

  // What it sends.
  var framer = LineFramer(longestLine: Limits.longestLine)
  // The framer may hold lines that were not handled yet.
  var hasLines = false
  // Lines over a limit, in a row.
  var offences = 0
  // The client has sent its last byte, and may still read.
  var isInputDone = false

  // What it gets.
  var queue = OutputQueue(limit: Limits.smallestQueue)
  var subscription: Subscription?
  var thinner = MotionThinner(hertz: nil)
  // Nobody reads any more.
  var isOutputDone = false
  // Since when it has taken nothing, while something waits.
  var stalledSinceUs: Int64?
  // It gets what waits for it, and nothing else.
  var isClosing = false

  // Whether it stands in the server's lists of those to be flushed, and of those with lines to be handled.
  var isDirty = false
  var isWaiting = false

  // While its own requests are carried out, what they cause waits for the reply.
  private var isHandling = false
  private var held: [(line: SharedLine, motionOf: String?)] = []
  private var heldBytes = 0
  private var heldMissed = 0

  init(
    id: ClientID, peer: PeerCredentials, socket: consuming OwnedDescriptor, mayControl: Bool,
    connectedUs: Int64
  ) {
    self.id = id
    self.peer = peer
    self.socket = socket
    self.mayControl = mayControl
    self.connectedUs = connectedUs
  }

  // MARK: Output

  func notify(_ line: SharedLine, motionOf: String?) {
    guard isHandling else { return queue.appendNotification(line, motionOf: motionOf) }
    heldBytes += line.bytes.count
    if heldBytes <= queue.limit {
      held.append((line, motionOf))
    } else {
      heldMissed += held.count + 1
      held.removeAll()
    }
  }

  func reply(_ line: SharedLine) {
    if !isOutputDone { queue.appendReply(line) }
  }

  func beginHandling() { isHandling = true }

  func endHandling() {
    isHandling = false
    if heldMissed > 0 {
      queue.miss(heldMissed + held.count)
    } else {
      for (line, motionOf) in held { queue.appendNotification(line, motionOf: motionOf) }
    }
    forgetHeld()
  }

  func forgetHeld() {
    held.removeAll()
    heldBytes = 0
    heldMissed = 0
  }

  /// Nobody reads what is sent from now on.
  func endOutput() {
    isOutputDone = true
    queue = OutputQueue(limit: queue.limit)
    subscription = nil
    stalledSinceUs = nil
    forgetHeld()
  }

  /// Whether it is to hear what happens.
  var isListening: Bool { subscription != nil && !isClosing && !isOutputDone }

  // MARK: Input

  /// Whether lines that have come may be handled: not while its replies wait to be read.
  var takesLines: Bool { hasLines && !isClosing && queue.byteCount <= queue.limit }

  /// Whether more bytes of it are read.
  var wantsInput: Bool {
    !hasLines && !isInputDone && !isClosing && queue.byteCount <= queue.limit
  }

  /// Whether the connection can be closed: all is read and answered, or cannot be.
  var isFinished: Bool {
    if isInputDone || isClosing, isOutputDone { return true }
    return queue.isEmpty && (isClosing || (isInputDone && subscription == nil))
  }
}

/// What can be told of a client.
package struct ClientDescription: Sendable {
  /// The client.
  package var id: ClientID
  /// Who is at the other end.
  package var peer: PeerCredentials
  /// When it connected, CLOCK_MONOTONIC in microseconds.
  package var connectedUs: Int64
  /// Whether it may change things.
  package var mayControl: Bool
  /// What it listens to; nil where to nothing.
  package var subscription: Subscription?
  /// How many bytes wait for it.
  package var queuedBytes: Int
}
