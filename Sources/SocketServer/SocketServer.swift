// SPDX-License-Identifier: Apache-2.0

import Glibc
package import LinuxIO
package import Wire
import WireJSON

/// Publishes what happens to other processes on a Unix socket, and takes their requests.
///
/// It never waits for a client: what one does not take waits in a bounded queue of its own.
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

  /// Smaller than input's, so that input is read first.
  static let priority: Int64 = 10
  /// The most lines that one call to the kernel takes.
  private static let mostPieces = 64
  private static let acceptPauseUs: Int64 = 1_000_000

  /// What has been counted.
  package internal(set) var counters = ServerCounters()
  /// Who answers; must be set before the loop runs.
  package weak var delegate: (any SocketServerDelegate)?

  let loop: EventLoop
  var identity: Identity
  let json = JSONText()
  var clients: [ClientID: Client] = [:]
  private let listeners: [UnixListener]
  private var acceptSources: [DescriptorSource] = []
  private var acceptTimer: TimerSource?
  private var stallTimer: TimerSource?
  private var isAcceptPaused = false
  private var lastID = 0
  private var isMotionWanted = false
  private let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 8)

  /// A server on sockets that listen already.
  package init(
    listeners: [UnixListener], identity: Identity, loop: EventLoop
  ) throws(Errno) {
    self.listeners = listeners
    self.identity = identity
    self.loop = loop
    for listener in listeners {
      acceptSources.append(
        try loop.watch(listener.descriptor, for: .readable, priority: Self.priority) {
          [unowned self] _ in accept(from: listener)
        })
    }
    acceptTimer = try loop.timer(priority: Self.priority) { [unowned self] _ in resumeAccepting() }
    stallTimer = try loop.timer(priority: Self.priority) { [unowned self] _ in closeStalled() }
  }

  deinit { chunk.deallocate() }

  /// Whether any client wants every movement.
  package var wantsMotion: Bool { isMotionWanted }

  /// Who may change things from now on.
  package func allowControl(_ names: [String]) {
    identity.allowControl = names
    for client in clients.values {
      client.mayControl = permits(client.peer, socket: client.socket.rawValue)
    }
  }

  // MARK: Publishing

  /// Sends a line to all who want it.
  ///
  /// - Parameters:
  ///   - name: What happened.
  ///   - picker: The picker, where it is about one.
  ///   - line: The JSON text with its newline, shared by all who get it.
  package func publish(_ name: EventName, picker: String?, line: [UInt8]) {
    guard !clients.isEmpty else { return }
    let nowUs = loop.nowUs
    var shared: SharedLine?
    var blocked: [Client] = []
    for client in clients.values {
      guard client.subscription?.wants(name, picker: picker, nowUs: nowUs) ?? false else {
        continue
      }
      let line = shared ?? SharedLine(line)
      shared = line
      counters.lines += 1
      let missed = client.queue.missed
      client.notify(line, motionOf: name == .motion ? picker : nil)
      counters.missed += client.queue.missed - missed
      if client.stalledSinceUs == nil, !client.isHandling { blocked.append(client) }
    }
    for client in blocked { flush(client) }
  }

  /// Says goodbye to all, sends what can be sent at once, and closes.
  package func shutDown() {
    acceptSources.removeAll()
    for client in clients.values {
      client.isHandling = false
      client.queue.appendReply(bye(.shutdown))
      flush(client)
    }
    for client in Array(clients.values) { close(client) }
  }

  func bye(_ reason: ByeReason) -> SharedLine {
    var writer = JSONWriter()
    writer.beginObject()
    writer.name("jsonrpc")
    writer.string("2.0")
    writer.name("method")
    writer.string("bye")
    writer.name("params")
    writer.beginObject()
    writer.name("reason")
    writer.string(reason.rawValue)
    writer.name("time_us")
    writer.integer(loop.nowUs)
    writer.endObject()
    writer.endObject()
    writer.endLine()
    return SharedLine(writer.bytes)
  }

  // MARK: Clients that come and go

  private func accept(from listener: UnixListener) {
    while true {
      do throws(Errno) {
        guard let socket = try listener.accept() else { return }
        admit(socket)
      } catch {
        pauseAccepting(error)
        return
      }
    }
  }

  private func admit(_ socket: consuming OwnedDescriptor) {
    let number = socket.rawValue
    guard let peer = try? PeerCredentials(of: number) else { return }
    let ofUser = clients.values.count { $0.peer.uid == peer.uid }
    guard clients.count < Limits.mostClients, ofUser < Limits.mostClientsPerUser else {
      counters.turnedAway += 1
      _ = bye(.limit).bytes.withUnsafeBytes { try? UnixSocket.send(number, $0) }
      delegate?.report(.turnedAway(peer))
      return
    }
    lastID += 1
    let client = Client(
      id: ClientID(lastID), peer: peer, socket: socket,
      mayControl: permits(peer, socket: number))
    do throws(Errno) {
      client.source = try loop.watch(number, for: .readable, priority: Self.priority) {
        [unowned self, unowned client] state in ready(client, state)
      }
    } catch {
      return
    }
    clients[client.id] = client
    counters.accepted += 1
    counters.clients = clients.count
    delegate?.report(.connected(client.id, peer))
    client.queue.appendReply(hello())
    flush(client)
  }

  private func hello() -> SharedLine {
    var writer = JSONWriter()
    writer.beginObject()
    writer.name("jsonrpc")
    writer.string("2.0")
    writer.name("method")
    writer.string("hello")
    writer.name("params")
    writer.beginObject()
    writer.name("server")
    writer.string("detentd")
    writer.name("version")
    writer.string(identity.version)
    writer.name("protocol")
    writer.integer(Limits.protocolVersion)
    writer.name("instance")
    writer.string(identity.instance)
    writer.name("now_us")
    writer.integer(EventLoop.clockUs())
    writer.endObject()
    writer.endObject()
    writer.endLine()
    return SharedLine(writer.bytes)
  }

  private func permits(_ peer: PeerCredentials, socket: CInt) -> Bool {
    guard !identity.allowControl.isEmpty, peer.uid != 0, peer.uid != getuid() else { return true }
    let groups = ((try? PeerCredentials.groups(of: socket)) ?? []) + [peer.gid]
    return identity.allowControl.contains { name in
      if Accounts.user(named: name) == peer.uid { return true }
      guard let group = Accounts.group(named: name) else { return false }
      return groups.contains(group)
    }
  }

  private func pauseAccepting(_ error: Errno) {
    guard !isAcceptPaused else { return }
    isAcceptPaused = true
    counters.acceptPauses += 1
    for source in acceptSources { source.interest = [] }
    acceptTimer?.arm(atUs: loop.nowUs + Self.acceptPauseUs)
    delegate?.report(.acceptPaused(error))
  }

  private func resumeAccepting() {
    guard isAcceptPaused else { return }
    isAcceptPaused = false
    for source in acceptSources { source.interest = .readable }
    delegate?.report(.acceptResumed)
  }

  func close(_ client: Client) {
    guard clients.removeValue(forKey: client.id) != nil else { return }
    client.source?.cancel()
    client.source = nil
    counters.clients = clients.count
    updateMotion()
    delegate?.clientDisconnected(client.id)
    delegate?.report(.disconnected(client.id, client.peer))
    // A descriptor is free again.
    if isAcceptPaused { resumeAccepting() }
  }

  func updateMotion() {
    let isWanted = clients.values.contains { $0.subscription?.wantsMotion ?? false }
    guard isWanted != isMotionWanted else { return }
    isMotionWanted = isWanted
    delegate?.motionWanted(isWanted)
  }

  // MARK: Reading and writing

  private func ready(_ client: Client, _ state: Interest) {
    if state.contains(.writable) { flush(client) }
    guard clients[client.id] != nil else { return }
    if state.contains(.readable), !client.isInputDone { read(client) }
    guard clients[client.id] != nil else { return }
    // What it sent before it hung up has been read by now, if it is to be read at all.
    if !state.isDisjoint(with: [.hangup, .error]), client.isInputDone || !wantsInput(client) {
      close(client)
    }
  }

  private func read(_ client: Client) {
    do throws(Errno) {
      let count = try UnixSocket.receive(client.socket.rawValue, into: chunk)
      guard count > 0 else {
        client.isInputDone = true
        settle(client)
        return
      }
      client.framer.append(UnsafeRawBufferPointer(rebasing: chunk[..<count])) { piece in
        guard clients[client.id] != nil, !client.isClosing else { return }
        handle(piece, from: client)
      }
      guard clients[client.id] != nil else { return }
      flush(client)
    } catch {
      if error != .wouldBlock { close(client) }
    }
  }

  /// Sends what the socket takes.
  func flush(_ client: Client) {
    guard clients[client.id] != nil else { return }
    do throws(Errno) {
      while true {
        if client.queue.needsResync { appendResync(to: client) }
        if client.queue.isEmpty { break }
        let count = try send(from: client.queue, to: client.socket.rawValue)
        client.queue.advance(by: count)
        counters.bytesSent += count
        client.stalledSinceUs = nil
      }
    } catch {
      guard error == .wouldBlock else { return close(client) }
      if client.stalledSinceUs == nil {
        client.stalledSinceUs = loop.nowUs
        let dueUs = loop.nowUs + Limits.patienceUs
        if stallTimer?.armedForUs == nil { stallTimer?.arm(atUs: dueUs) }
      }
    }
    settle(client)
  }

  private func send(from queue: OutputQueue, to socket: CInt) throws(Errno) -> Int {
    let result = withUnsafeTemporaryAllocation(
      of: UnsafeRawBufferPointer.self, capacity: Self.mostPieces
    ) { pieces -> Result<Int, Errno> in
      var lines: [SharedLine] = []
      var count = 0
      queue.pieces(Self.mostPieces) { line, from in
        lines.append(line)
        // The bytes live in `lines`, and do not change, until the call is over.
        line.bytes.withUnsafeBytes {
          pieces.initializeElement(
            at: count, to: UnsafeRawBufferPointer(rebasing: $0[from...]))
        }
        count += 1
      }
      let used = UnsafeBufferPointer(rebasing: pieces[..<count])
      return withExtendedLifetime(lines) {
        Result { () throws(Errno) in try UnixSocket.send(socket, gathering: used) }
      }
    }
    return try result.get()
  }

  private func appendResync(to client: Client) {
    var writer = JSONWriter()
    writer.beginObject()
    writer.name("jsonrpc")
    writer.string("2.0")
    writer.name("method")
    writer.string("resync")
    writer.name("params")
    writer.beginObject()
    writer.name("dropped")
    writer.integer(client.queue.missed)
    delegate?.writeSnapshot(of: client.subscription?.pickers, isResync: true, to: &writer)
    writer.name("time_us")
    writer.integer(loop.nowUs)
    writer.endObject()
    writer.endObject()
    writer.endLine()
    counters.resyncs += 1
    client.queue.limit = max(Limits.smallestQueue, 2 * writer.bytes.count)
    client.queue.appendResync(SharedLine(writer.bytes))
  }

  /// Whether more requests of a client are read: not while it leaves its replies lying.
  private func wantsInput(_ client: Client) -> Bool {
    !client.isInputDone && !client.isClosing && client.queue.byteCount <= client.queue.limit
  }

  private func settle(_ client: Client) {
    guard clients[client.id] != nil else { return }
    let isDone = client.isClosing || (client.isInputDone && client.subscription == nil)
    if isDone, client.queue.isEmpty { return close(client) }
    var interest: Interest = []
    if wantsInput(client) { interest.insert(.readable) }
    if !client.queue.isEmpty { interest.insert(.writable) }
    if client.source?.interest != interest { client.source?.interest = interest }
  }

  private func closeStalled() {
    let nowUs = loop.nowUs
    var nextUs: Int64?
    for client in Array(clients.values) {
      guard let since = client.stalledSinceUs else { continue }
      let dueUs = since + Limits.patienceUs
      if dueUs <= nowUs {
        counters.closedSlow += 1
        delegate?.report(.closedSlow(client.id, client.peer))
        close(client)
      } else {
        nextUs = min(nextUs ?? dueUs, dueUs)
      }
    }
    if let nextUs { stallTimer?.arm(atUs: nextUs) }
  }
}

/// Why the server ends a connection.
enum ByeReason: String {
  case shutdown
  case limit
  case slow
  case `protocol`
}
