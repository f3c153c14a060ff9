// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import Synchronization
import TestSupport
import Testing

/// Notices when the whole machine stands still, as a guest on a busy one does now and then.
final class StallWitness: Sendable {
  /// What lasts longer than this, in microseconds, can lose a pulse: two jiffies.
  static let tolerableUs: Int64 = 8_000

  private let longestUs = Atomic<Int64>(0)
  private let isEnded = Atomic(false)

  private init() {}

  /// Does something, and says by how much a thread that only sleeps overslept at most meanwhile.
  static func during<Result>(_ work: () throws -> Result) throws -> (Result, stallUs: Int64) {
    let witness = StallWitness()
    // One for each processor of a guest.
    let threads = [
      try BackgroundThread { witness.watch() }, try BackgroundThread { witness.watch() },
    ]
    defer {
      witness.isEnded.store(true, ordering: .relaxed)
      for thread in threads { thread.join() }
    }
    let result = try work()
    return (result, witness.longestUs.load(ordering: .relaxed))
  }

  private func watch() {
    while !isEnded.load(ordering: .relaxed) {
      let startUs = EventLoop.clockUs()
      usleep(2_000)
      longestUs.max(EventLoop.clockUs() - startUs - 2_000, ordering: .relaxed)
    }
  }
}

/// Tries what depends on time three times, until it works.
///
/// What fails on a machine that ran all the while is wrong. Where the machine stood still during each attempt,
/// nothing can be said, and the test is cancelled with that reason.
///
/// - Returns: whether it worked.
func steadily(_ attempt: (Int) throws -> Bool) throws -> Bool {
  var stallsUs: [Int64] = []
  for number in 1...3 {
    let (isGood, stallUs) = try StallWitness.during { try attempt(number) }
    if isGood { return true }
    stallsUs.append(stallUs)
  }
  guard stallsUs.allSatisfy({ $0 > StallWitness.tolerableUs }) else { return false }
  try Test.cancel(
    "the machine stood still for up to \(stallsUs) us; scripts/guest --steady does not")
}
