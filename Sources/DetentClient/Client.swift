// SPDX-License-Identifier: Apache-2.0

import Wire

/// A client that lasts: it connects, comes back when the daemon does, and keeps how all pickers stand.
///
/// ```swift
/// let client = try Client()
/// for await update in client.updates() {
///   if case .notification(.selection(let change)) = update {
///     print(change.picker, change.title ?? "nothing")
///   }
/// }
/// ```
///
/// It needs no run loop: a thread of its own reads, whatever the tasks do. It may be used from any task.
public final class Client: Sendable {
  let link: ClientLink

  /// Begins to connect, and goes on trying for as long as the client lives.
  ///
  /// - Parameter path: The socket.
  /// - Throws: That the system has no descriptor or thread left for it; never that nobody listens.
  public init(path: String = Connection.defaultPath) throws(ConnectionError) {
    link = try ClientLink(path: path)
    try link.start()
  }

  deinit { link.stop() }

  /// Ends the connection and all streams.
  ///
  /// Requests that wait fail, and nothing works any more afterwards.
  public func close() { link.stop() }

  /// How things stand, as far as the subscription tells; nothing before `updates(_:)` was called.
  public var state: PickerStore { link.store }

  /// Subscribes: first comes how things stand, then every change, none missed in between.
  ///
  /// A client has one subscription; a second one replaces the first, whose updates end.
  ///
  /// - Parameter subscription: What is wanted; left out, everything but `motion`.
  public func updates(_ subscription: Subscription = Subscription()) -> Updates {
    let queue = UpdateQueue()
    link.subscribe(subscription, queue)
    return Updates(lease: Updates.Lease(client: self, queue: queue))
  }

  /// Carries out a request.
  ///
  /// It waits while the client is connecting, and fails at once while there is no daemon: what somebody wanted a
  /// while ago is not done later. A cancelled request may have been carried out.
  ///
  /// - Parameter request: The request.
  /// - Throws: `RPCFailure` where the daemon refuses, `ConnectionError` where it is gone or goes meanwhile,
  ///   `JSONMismatch` where it answers with something else, `CancellationError`.
  @discardableResult
  public func call<Result>(_ request: Call<Result>) async throws -> Result {
    try request.read(await link.call(request.method, request.params))
  }
}
