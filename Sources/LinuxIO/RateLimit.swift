// SPDX-License-Identifier: Apache-2.0

/// Lets a burst through in each interval and counts the rest; time comes in as a value.
package struct RateLimit: Sendable {
  /// How many pass in one interval.
  package let burst: Int
  /// The length of an interval in microseconds.
  package let intervalUs: Int64
  private var beganUs: Int64?
  private var passed = 0
  private var held = 0

  /// A limit of `burst` in each interval.
  package init(burst: Int, intervalUs: Int64) {
    self.burst = burst
    self.intervalUs = intervalUs
  }

  /// Whether one more passes now.
  ///
  /// - Returns: nil where it is held back, else how many were held back since the last that passed.
  package mutating func pass(nowUs: Int64) -> Int? {
    if let beganUs, nowUs - beganUs < intervalUs {
      guard passed < burst else {
        held += 1
        return nil
      }
      passed += 1
    } else {
      beganUs = nowUs
      passed = 1
    }
    defer { held = 0 }
    return held
  }
}
