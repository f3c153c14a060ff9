// SPDX-License-Identifier: Apache-2.0

import Glibc
import Synchronization

/// A thread of its own, for the far side of a device: the side under test may block until it answers.
package final class BackgroundThread: Sendable {
  private final class Work: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  private let thread: Mutex<pthread_t?>

  /// Starts work on a new thread.
  package init(_ run: @escaping @Sendable () -> Void) throws {
    var thread = pthread_t()
    let work = Unmanaged.passRetained(Work(run))
    let error = pthread_create(
      &thread, nil,
      { argument in
        if let argument { Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().run() }
        return nil
      }, work.toOpaque())
    guard error == 0 else {
      work.release()
      throw TestFailure("no thread: error \(error)")
    }
    self.thread = Mutex(thread)
  }

  /// Waits until the work has ended; once.
  package func join() {
    let ended = thread.withLock { thread in
      defer { thread = nil }
      return thread
    }
    if let ended { pthread_join(ended, nil) }
  }

  deinit {
    thread.withLock { thread in
      if let thread { pthread_detach(thread) }
    }
  }
}
