// SPDX-License-Identifier: Apache-2.0

/// The times of one device, made fit for use: they never go back, and are never far from now.
struct EventClock {
  /// How far from now a device's time is believed, in microseconds.
  static let toleranceUs: Int64 = 1_000_000

  private var lastUs: Int64?

  /// The time to use for an event.
  ///
  /// - Parameters:
  ///   - eventUs: what the device says, CLOCK_MONOTONIC microseconds.
  ///   - nowUs: what the clock says.
  mutating func stamp(_ eventUs: UInt64, nowUs: Int64) -> Int64 {
    var timeUs = Int64(clamping: eventUs)
    // A device that stamps with another clock would be hours or years away.
    if timeUs > nowUs + Self.toleranceUs || timeUs < nowUs - Self.toleranceUs { timeUs = nowUs }
    if let lastUs, timeUs < lastUs { timeUs = lastUs }
    lastUs = timeUs
    return timeUs
  }
}
