// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import DetentClient

/// How long the client waits before it tries again.
@Suite struct BackOffTests {
  @Test func `pauses double up to five seconds, and no two clients keep step`() {
    var random = SystemRandomNumberGenerator()
    var backOff = BackOff()
    var longest: Int64 = 100_000
    for _ in 0..<40 {
      let pause = backOff.next(afterUs: 0, using: &random)
      #expect((longest / 2...longest).contains(pause))
      longest = min(longest * 2, 5_000_000)
    }
    let pauses = Set((0..<20).map { _ in backOff.next(afterUs: 0, using: &random) })
    #expect(pauses.count > 1)
  }

  @Test func `a connection that stood begins anew, one that was refused does not`() {
    var random = SystemRandomNumberGenerator()
    var backOff = BackOff()
    for _ in 0..<10 { _ = backOff.next(afterUs: 1_000, using: &random) }
    #expect(backOff.next(afterUs: 1_000, using: &random) >= 2_500_000)
    #expect(backOff.next(afterUs: 60_000_000, using: &random) <= 100_000)
  }
}
