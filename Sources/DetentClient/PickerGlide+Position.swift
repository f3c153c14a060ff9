// SPDX-License-Identifier: Apache-2.0

import Glibc
public import Wire

extension PickerGlide {
  private static let lambda = 2 * Double.pi / 0.5

  /// When it rests, in CLOCK_MONOTONIC microseconds.
  ///
  /// A duration that is negative or no number counts as none, one beyond all time as one without an end.
  public var restUs: Int64 {
    let durationUs = (durationMS * 1000).rounded()
    guard durationUs > 0 else { return startedUs }
    let (timeUs, overflow) = startedUs.addingReportingOverflow(Int64(exactly: durationUs) ?? .max)
    return overflow ? .max : timeUs
  }

  /// Where it is, in points or degrees: at its start before it began, at its end once it rests.
  ///
  /// - Parameter timeUs: When, in CLOCK_MONOTONIC microseconds.
  public func position(atUs timeUs: Int64) -> Double {
    guard timeUs < restUs else { return to }
    let t = max(0, Double(timeUs) - Double(startedUs)) / 1e6
    let distance = from - to
    let position = to + exp(-Self.lambda * t) * (distance + (velocity + Self.lambda * distance) * t)
    return position.isFinite ? position : to
  }
}
