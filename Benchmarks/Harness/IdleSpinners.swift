// SPDX-License-Identifier: Apache-2.0

import Glibc
import Synchronization
import TestSupport

/// Threads that keep every processor awake and give way to everybody.
final class IdleSpinners: Sendable {
  // As SCHED_IDLE, which is a macro that is not imported.
  private static let idlePolicy: CInt = 5

  private let isStopped: Flag
  private let threads: [BackgroundThread]

  private final class Flag: Sendable {
    let value = Atomic(false)
  }

  init(count: Int) throws {
    let isStopped = Flag()
    self.isStopped = isStopped
    threads = try (0..<count).map { _ in
      try BackgroundThread {
        var parameters = sched_param()
        sched_setscheduler(0, Self.idlePolicy, &parameters)
        while !isStopped.value.load(ordering: .relaxed) {}
      }
    }
  }

  func stop() {
    isStopped.value.store(true, ordering: .relaxed)
    for thread in threads { thread.join() }
  }
}
