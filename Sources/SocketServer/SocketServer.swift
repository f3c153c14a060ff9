// SPDX-License-Identifier: Apache-2.0

package import LinuxIO
package import Wire

/// Publishes what happens to other processes on a Unix socket, and takes their requests.
///
/// It never waits for a client: what one does not take waits in a bounded queue of its own. Nothing is sent, and no
/// client is let go, while the delegate publishes or answers; that happens in the next round of the loop. So the
/// delegate is never called back while it is at work.
package final class SocketServer {
  /// What `hello` says, and who may change things.
  package struct Identity: Sendable {
    /// The version of the program.
    package var version: String
    /// A text that no other run has.
    package var instance: String
    /// Users and groups that may change things; empty for all who can open the socket.
    package var allowControl: [String]

    /// An identity.
    package init(version: String, instance: String, allowControl: [String] = []) {
      self.version = version
      self.instance = instance
      self.allowControl = allowControl
    }
  }

  /// Requests come after input, whose sources have −10: of sd-event's priorities the smaller runs first.
  static let priority: Int64 = 10
  /// Before requests: what happened is told before more is asked.
  static let flushPriority: Int64 = 0

  /// What has been counted.
  package internal(set) var counters = ServerCounters()
  /// Who answers; must be set before the loop runs.
  package weak var delegate: (any SocketServerDelegate)?
  /// Whether any client wants every movement.
  package private(set) var wantsMotion = false

  let loop: EventLoop
  let identity: Identity
  let patienceUs: Int64
  var control: ControlList
  var clients: [ClientID: Client] = [:]
  var lastID = 0

  let listeners: [UnixListener]
  var acceptSources: [DescriptorSource] = []
  var acceptTimer: TimerSource?
  // Descriptors ran out, and nobody was accepted since.
  var isStarved = false

  let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 8)
  var dirty: [Client] = []
  // Those whose turn it is; between turns its memory waits to be the next list.
  var flushing: [Client] = []
  var flushSource: DeferredSource?
  var isSendingAtOnce = false
  var waiting: [Client] = []
  var workSource: DeferredSource?
  var stallTimer: TimerSource?
  var motionTimer: TimerSource?

  /// A server on sockets that listen already.
  ///
  /// - Parameter patienceUs: How long a reader may take nothing while something waits for it, in microseconds.
  package init(
    listeners: [UnixListener], identity: Identity, loop: EventLoop,
    patienceUs: Int64 = Limits.patienceUs
  ) throws(Errno) {
    self.patienceUs = patienceUs
    self.listeners = listeners
    self.identity = identity
    self.loop = loop
    control = ControlList(identity.allowControl)
    flushSource = try loop.deferred(priority: Self.flushPriority) { [unowned self] in
      flushDirty()
    }
    workSource = try loop.deferred(priority: Self.priority) { [unowned self] in workOff() }
    motionTimer = try loop.timer(priority: Self.priority) { [unowned self] _ in sendDueMotions() }
    stallTimer = try loop.timer(priority: Self.priority) { [unowned self] _ in closeStalled() }
    acceptTimer = try loop.timer(priority: Self.priority) { [unowned self] _ in watchListeners() }
    for listener in listeners {
      acceptSources.append(
        try loop.watch(listener.descriptor, for: .readable, priority: Self.priority) {
          [unowned self] _ in accept(from: listener)
        })
    }
  }

  deinit { chunk.deallocate() }

  /// Who may change things from now on: these users and groups, or all who can open the socket where there are none.
  package func allowControl(_ names: [String]) {
    control = ControlList(names)
    for client in clients.values {
      client.mayControl = control.permits(client.peer, socket: client.socket.rawValue)
      client.wasRefused = false
    }
  }

  /// All clients, in the order of connecting.
  package var clientDescriptions: [ClientDescription] {
    clients.values.sorted { $0.id < $1.id }.map { client in
      ClientDescription(
        id: client.id, peer: client.peer, connectedUs: client.connectedUs,
        mayControl: client.mayControl, subscription: client.subscription,
        queuedBytes: client.queue.byteCount)
    }
  }

  // MARK: Publishing

  /// Sends a line to all who want it.
  ///
  /// - Parameters:
  ///   - name: What happened.
  ///   - picker: The picker, where it is about one.
  ///   - line: The JSON text with its newline, shared by all who get it.
  package func publish(_ name: EventName, picker: String?, line: JSONWriter) {
    guard !clients.isEmpty else { return }
    let nowUs = loop.nowUs
    var shared: SharedLine?
    for client in clients.values where client.isListening {
      if let picker, name.endsMotion, let motion = client.thinner.release(picker) {
        notify(client, motion, motionOf: picker)
      }
      guard client.subscription?.wants(name, picker: picker) ?? false else { continue }
      let line = shared ?? SharedLine(line, madeUs: nowUs)
      shared = line
      guard name == .motion, let picker else {
        if let picker { client.thinner.outdate(picker, nowUs: nowUs) }
        notify(client, line, motionOf: nil)
        continue
      }
      if client.thinner.admits(line, of: picker, nowUs: nowUs) {
        notify(client, line, motionOf: picker)
      } else {
        armMotionTimer(for: client)
      }
    }
  }

  private func notify(_ client: Client, _ line: SharedLine, motionOf: String?) {
    counters.lines += 1
    client.notify(line, motionOf: motionOf)
    if client.stalledSinceUs == nil { wake(client) }
  }

  private func armMotionTimer(for client: Client) {
    guard let dueUs = client.thinner.nextDueUs else { return }
    if dueUs < motionTimer?.armedForUs ?? .max { motionTimer?.arm(atUs: dueUs) }
  }

  private func sendDueMotions() {
    let nowUs = loop.nowUs
    for client in clients.values where client.isListening {
      for (picker, line) in client.thinner.takeDue(nowUs: nowUs) {
        notify(client, line, motionOf: picker)
      }
      armMotionTimer(for: client)
    }
  }

  func updateMotion() {
    let isWanted = clients.values.contains { $0.subscription?.wantsMotion ?? false }
    guard isWanted != wantsMotion else { return }
    wantsMotion = isWanted
    delegate?.motionWanted(isWanted)
  }

  // MARK: The end

  /// Says goodbye to all, sends what can be sent at once, and closes.
  package func shutDown() {
    acceptSources.removeAll()
    acceptTimer = nil
    let bye = ServerLines.bye(.shutdown, timeUs: loop.nowUs)
    for client in clients.values where !client.isClosing {
      client.reply(bye)
      client.isClosing = true
    }
    for client in Array(clients.values) { flush(client) }
    for client in Array(clients.values) { close(client) }
    // The last that holds their descriptors.
    dirty.removeAll()
    waiting.removeAll()
  }
}

extension EventName {
  /// Whether a movement of the picker has come to an end, so that its last motion goes before.
  fileprivate var endsMotion: Bool {
    switch self {
    case .settle, .rest, .picker: true
    default: false
    }
  }
}
