// SPDX-License-Identifier: Apache-2.0

import Glibc
public import Wire

extension PickerGlide {
  private static let lambda = 2 * Double.pi / 0.5

  /// When it rests, in CLOCK_MONOTONIC microseconds.
  public var restUs: Int64 { startedUs + Int64((durationMS * 1000).rounded()) }

  /// Where it is, in points or degrees: at its start before it began, at its end once it rests.
  ///
  /// - Parameter timeUs: When, in CLOCK_MONOTONIC microseconds.
  public func position(atUs timeUs: Int64) -> Double {
    guard timeUs < restUs else { return to }
    let t = Double(max(0, timeUs - startedUs)) / 1e6
    let distance = from - to
    return to + exp(-Self.lambda * t) * (distance + (velocity + Self.lambda * distance) * t)
  }
}
