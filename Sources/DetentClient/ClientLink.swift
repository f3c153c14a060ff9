// SPDX-License-Identifier: Apache-2.0

import Glibc
import Synchronization
import Wire

/// What a client and its thread share: the requests on their way, the subscription, and how things stand.
final class ClientLink: Sendable {
  typealias Reply = CheckedContinuation<JSONValue, any Error>

  /// A subscription of the client's.
  private struct Wish {
    var subscription: Subscription
    var queue: UpdateQueue
    // The id of the request that asked for it on this connection; nil once it was answered.
    var id: Int64?
    // Whether the queue was told how things stand on this connection.
    var isTold = false
    // Whether the queue was told that there is no connection.
    var isLossTold = false
  }

  private struct State {
    var isStopped = false
    // Why there is no connection; nil while there is one, or while one is being made.
    var failure: ConnectionError?
    var isGreeted = false
    var outbox: [UInt8] = []
    var replies: [Int64: Reply] = [:]
    var lastID: Int64 = 0
    var store = PickerStore()
    var wish: Wish?
  }

  let path: String
  private let state = Mutex(State())
  private let wake: Wake

  init(path: String) throws(ConnectionError) {
    self.path = path
    wake = try Wake(path: path)
  }

  /// Starts the thread, which lives until `stop`.
  func start() throws(ConnectionError) {
    let code = startThread { self.run() }
    guard code == 0 else { throw ConnectionError(path: path, code: code) }
  }

  func stop() {
    state.withLock { $0.isStopped = true }
    wake.ring()
  }

  var store: PickerStore { state.withLock { $0.store } }

  // MARK: From any thread

  func call(_ method: String, _ params: [String: JSONValue]) async throws -> JSONValue {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    let line = try Call<JSONValue>.line(method, params, id: id)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { reply in
        send(line, id: id, reply)
        // Cancelled before the reply was awaited.
        if Task.isCancelled { cancel(id) }
      }
    } onCancel: {
      cancel(id)
    }
  }

  private func send(_ line: [UInt8], id: Int64, _ reply: Reply) {
    let failure: ConnectionError? = state.withLock { state in
      if state.isStopped { return ConnectionError(path: path, reason: .closed) }
      if let failure = state.failure { return failure }
      state.replies[id] = reply
      state.outbox += line
      return nil
    }
    if let failure { reply.resume(throwing: failure) } else { wake.ring() }
  }

  private func cancel(_ id: Int64) {
    let reply = state.withLock { $0.replies.removeValue(forKey: id) }
    reply?.resume(throwing: CancellationError())
  }

  func subscribe(_ subscription: Subscription, _ queue: UpdateQueue) {
    let (earlier, isStopped) = state.withLock { state in
      let earlier = state.wish?.queue
      state.wish = Wish(subscription: subscription, queue: queue)
      if state.isGreeted { ask(&state) }
      if let failure = state.failure, !state.isStopped { tellLoss(failure, &state) }
      return (earlier, state.isStopped)
    }
    earlier?.finish()
    if isStopped { queue.finish() }
    wake.ring()
  }

  func unsubscribe(_ queue: UpdateQueue) {
    state.withLock { state in
      guard state.wish?.queue === queue else { return }
      state.wish = nil
      if state.isGreeted, let line = try? Call<Void>.line("unsubscribe", [:], id: nil) {
        state.outbox += line
      }
    }
    queue.finish()
    wake.ring()
  }

  /// Asks for what is wished, on the connection that there is.
  private func ask(_ state: inout State) {
    guard let wish = state.wish else { return }
    state.lastID += 1
    do throws(RPCFailure) {
      state.outbox += try Call<Void>.line(
        "subscribe", wish.subscription.params, id: state.lastID)
      state.wish?.id = state.lastID
    } catch {
      refuse(error, &state)
    }
  }

  private func refuse(_ failure: RPCFailure, _ state: inout State) {
    guard let queue = state.wish?.queue else { return }
    queue.push(.refused(failure), store: state.store)
    queue.finish()
    state.wish = nil
  }

  private func tellLoss(_ failure: ConnectionError, _ state: inout State) {
    guard let wish = state.wish, !wish.isLossTold else { return }
    wish.queue.push(.disconnected(failure), store: state.store)
    state.wish?.isLossTold = true
  }

  // MARK: The thread

  private func run() {
    var backOff = BackOff()
    var random = SystemRandomNumberGenerator()
    while !isStopped {
      let startedUs = MonotonicClock.nowUs
      var failure = ConnectionError(path: path, reason: .closed)
      do throws(ConnectionError) {
        try talk()
      } catch {
        failure = error
      }
      let wasGreeted = lose(failure)
      let lastedUs = wasGreeted ? MonotonicClock.nowUs - startedUs : 0
      let againUs = MonotonicClock.nowUs + backOff.next(afterUs: lastedUs, using: &random)
      while !isStopped, case let leftUs = againUs - MonotonicClock.nowUs, leftUs > 0 {
        _ = wake.wait(milliseconds: Int32(leftUs / 1000 + 1))
      }
      state.withLock { $0.failure = nil }
    }
    let queue = state.withLock { $0.wish?.queue }
    queue?.finish()
    _ = lose(ConnectionError(path: path, reason: .closed))
  }

  private var isStopped: Bool { state.withLock { $0.isStopped } }

  /// Speaks with the daemon until the connection or the client ends.
  private func talk() throws(ConnectionError) {
    let socket = try LineSocket(path: path, patienceUs: nil)
    // A daemon that says nothing, not even hello, is none.
    let patienceUs = MonotonicClock.nowUs + BackOff.longestUs
    var isGreeted = false
    while !isStopped {
      let leftUs = patienceUs - MonotonicClock.nowUs
      if !isGreeted, leftUs <= 0 { throw ConnectionError(path: path, reason: .notTheDaemon) }
      let isReadable = wake.wait(
        beside: socket.descriptor, sends: isGreeted ? try write(to: socket) : false,
        milliseconds: isGreeted ? -1 : Int32(leftUs / 1000 + 1))
      guard isReadable else { continue }
      let isOpen = try socket.receive()
      while let line = try socket.nextLine() {
        let message = try JSONValue(line: line, from: path)
        if isGreeted {
          take(message)
        } else {
          greet(try Hello(first: message, path: path))
          isGreeted = true
        }
      }
      guard isOpen else { return }
    }
  }

  /// Sends what the socket takes; returns whether something is left.
  private func write(to socket: LineSocket) throws(ConnectionError) -> Bool {
    let bytes = state.withLock { $0.outbox }
    guard !bytes.isEmpty else { return false }
    let count = try socket.send(bytes[...])
    return state.withLock { state in
      state.outbox.removeFirst(count)
      return !state.outbox.isEmpty
    }
  }

  private func greet(_ hello: Hello) {
    state.withLock { state in
      state.store.apply(.hello(hello))
      state.isGreeted = true
      // What is subscribed comes first: a request made meanwhile may change what is told.
      let requests = state.outbox
      state.outbox = []
      ask(&state)
      state.outbox += requests
    }
  }

  private func take(_ line: JSONValue) {
    guard let notification = ServerNotification(line) else {
      if case .integer(let id)? = line["id"] { take(reply: line, to: id) }
      return
    }
    state.withLock { state in
      state.store.apply(notification)
      if let wish = state.wish, wish.isTold {
        wish.queue.push(.notification(notification), store: state.store)
      }
    }
  }

  private func take(reply line: JSONValue, to id: Int64) {
    let reply: Reply? = state.withLock { state in
      guard state.wish?.id == id else { return state.replies.removeValue(forKey: id) }
      state.wish?.id = nil
      if let error = line["error"] {
        refuse(RPCFailure(error), &state)
      } else if let snapshot = try? Snapshot(line["result"] ?? .null), let wish = state.wish {
        state.store.apply(snapshot)
        state.wish?.isTold = true
        state.wish?.isLossTold = false
        wish.queue.push(.state(state.store), store: state.store)
      } else {
        refuse(RPCFailure(.internalError, reason: "the snapshot cannot be read"), &state)
      }
      return nil
    }
    guard let reply else { return }
    if let error = line["error"] {
      reply.resume(throwing: RPCFailure(error))
    } else {
      reply.resume(returning: line["result"] ?? .null)
    }
  }

  /// The connection is gone, or there was none.
  ///
  /// Returns whether there was one.
  private func lose(_ failure: ConnectionError) -> Bool {
    let (wasGreeted, replies) = state.withLock { state in
      let wasGreeted = state.isGreeted
      state.store.disconnect()
      if !state.isStopped { tellLoss(failure, &state) }
      state.wish?.isTold = false
      state.wish?.id = nil
      state.failure = failure
      state.isGreeted = false
      state.outbox = []
      defer { state.replies = [:] }
      return (wasGreeted, state.replies)
    }
    for reply in replies.values { reply.resume(throwing: failure) }
    return wasGreeted
  }
}
