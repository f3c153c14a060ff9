// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Updates on their way from the thread that reads to the task that takes them, bounded.
///
/// Whoever is too slow gets how things stand instead of what it missed: the thread goes on reading, replies arrive,
/// and the last selection is never lost.
final class UpdateQueue: Sendable {
  /// How many updates wait at most.
  static let limit = 1024

  private struct State {
    var updates: [Update] = []
    var position = 0
    var waiting: CheckedContinuation<Update?, Never>?
    var isFinished = false
  }

  private let state = Mutex(State())

  /// Adds an update.
  ///
  /// - Parameter store: How things stand after it.
  func push(_ update: Update, store: PickerStore) {
    let waiting: CheckedContinuation<Update?, Never>? = state.withLock { state in
      guard !state.isFinished else { return nil }
      if let waiting = state.waiting {
        state.waiting = nil
        return waiting
      }
      if state.updates.count - state.position >= Self.limit {
        state.updates = [.state(store)]
        state.position = 0
      } else {
        state.updates.append(update)
      }
      return nil
    }
    waiting?.resume(returning: update)
  }

  /// What is there is still taken; then the stream has ended.
  func finish() {
    let waiting = state.withLock { state in
      state.isFinished = true
      return state.waiting.take()
    }
    waiting?.resume(returning: nil)
  }

  /// The next update; nil at the end, or when the task is cancelled.
  func next() async -> Update? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        wait(continuation)
        // Cancelled before anybody waited.
        if Task.isCancelled { giveUp() }
      }
    } onCancel: {
      giveUp()
    }
  }

  private func wait(_ continuation: CheckedContinuation<Update?, Never>) {
    let (resumed, update): (CheckedContinuation<Update?, Never>?, Update?) = state.withLock {
      state in
      if state.position < state.updates.count {
        let update = state.updates[state.position]
        state.position += 1
        if state.position == state.updates.count {
          state.updates.removeAll(keepingCapacity: true)
          state.position = 0
        } else if state.position >= Self.limit {
          state.updates.removeFirst(state.position)
          state.position = 0
        }
        return (continuation, update)
      }
      if state.isFinished { return (continuation, nil) }
      // Two that wait at once: the earlier one goes without.
      let earlier = state.waiting
      state.waiting = continuation
      return (earlier, nil)
    }
    resumed?.resume(returning: update)
  }

  private func giveUp() {
    let waiting = state.withLock { $0.waiting.take() }
    waiting?.resume(returning: nil)
  }
}
