// SPDX-License-Identifier: Apache-2.0

/// What happens, as an asynchronous sequence for one task.
///
/// It never ends by itself while the client is open: it goes on after every reconnect. When nobody holds it or one of
/// its iterators any more, the subscription ends. It keeps its client alive.
public struct Updates: AsyncSequence, Sendable {
  /// Takes the updates one by one.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let lease: Lease

    /// The next update; nil once the client is closed, another subscription replaced this one, the daemon refused
    /// it, or the task is cancelled.
    public mutating func next() async -> Update? { await lease.queue.next() }
  }

  final class Lease: Sendable {
    let client: Client
    let queue: UpdateQueue

    init(client: Client, queue: UpdateQueue) {
      self.client = client
      self.queue = queue
    }

    deinit { client.link.unsubscribe(queue) }
  }

  let lease: Lease

  /// An iterator; all iterators take from the same updates.
  public func makeAsyncIterator() -> Iterator { Iterator(lease: lease) }
}
