// SPDX-License-Identifier: Apache-2.0

import LinuxIO
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
  // Whether it may change things.
  var mayControl: Bool
  var framer = LineFramer(longestLine: Limits.longestLine)
  var queue: OutputQueue
  var subscription: Subscription?
  var source: DescriptorSource?
  // Lines over a limit, in a row.
  var offences = 0
  // The client has sent its last byte, and may still read.
  var isInputDone = false
  // Since when it has taken nothing, while something waits.
  var stalledSinceUs: Int64?
  var wasRefused = false
  // While its own requests are carried out, what they cause waits for the reply.
  var isHandling = false
  var held: [(line: SharedLine, motionOf: String?)] = []
  var isClosing = false

  init(
    id: ClientID, peer: PeerCredentials, socket: consuming OwnedDescriptor, mayControl: Bool
  ) {
    self.id = id
    self.peer = peer
    self.socket = socket
    self.mayControl = mayControl
    queue = OutputQueue(limit: Limits.smallestQueue)
  }

  func notify(_ line: SharedLine, motionOf: String?) {
    if isHandling {
      held.append((line, motionOf))
    } else {
      queue.appendNotification(line, motionOf: motionOf)
    }
  }

  func reply(_ line: SharedLine) {
    queue.appendReply(line)
    releaseHeld()
  }

  func releaseHeld() {
    isHandling = false
    for (line, motionOf) in held { queue.appendNotification(line, motionOf: motionOf) }
    held.removeAll()
  }
}
