// SPDX-License-Identifier: Apache-2.0

import CMath

/// The constants of the velocity model; docs/gestures.md says how each was chosen.
///
/// Inside the model a stroke's travel is the unit of length (the range of the positions in the
/// window), so nothing here is in points or degrees, and an estimate does not depend on the unit
/// that the caller counts in.
enum DetentModel {
  // MARK: Reading the device

  /// Samples older than this, against the newest, are forgotten, in microseconds.
  static let horizonUs: Int64 = 400_000
  /// Samples closer together than this are averaged into one, in microseconds.
  static let mergeUs: Int64 = 3_000
  /// Room for a whole horizon at 250 Hz, and for 312 ms of it when samples are merged.
  static let capacity = 104
  /// How many of the latest intervals tell the device's period.
  static let periodIntervals = 32
  /// Which quantile of them is the period: below the middle, as a still finger leaves gaps.
  static let periodQuantile = 0.4
  /// A longer interval tells of a finger that paused, not of a device, in microseconds.
  static let slowestPeriodUs = 50_000.0
  /// The finger has stopped when its position did not change for this many periods.
  static let stopPeriods = 2.4
  /// A lift later than this many periods after the newest sample was reported late.
  static let onTimePeriods = 1.05
  /// Where, in periods after the newest sample, a finger left whose lift was reported late.
  static let latePeriods = 0.3
  /// Positions repeated for less than this before the newest sample are the device's, not the
  /// finger's, in microseconds.
  static let repeatUs: Int64 = 16_500

  // MARK: Noise

  /// How many noise levels are weighed.
  static let noiseLevels = 6
  /// The lowest and the highest standard deviation of a position, in travels.
  static let noise = (low: 0.002, high: 0.3)

  // MARK: A finger that rolls as it lifts

  /// Places that are no further apart than this, in travels, are one: the rest is rounding.
  static let samePlace = 1e-9
  /// Below this velocity, in travels per second, a finger has no direction: it is what rounding leaves of none.
  static let stillVelocity = 1e-9

  /// The samples younger than each of these may be those of a rolling finger, in seconds; the last
  /// is the longest roll.
  static let rollAges = (short: 0.008, long: 0.0155)
  /// The share of lifts that roll.
  static let rollShare = 0.2
  /// The logarithm of a backward offset's density times its size: log-uniform over about four
  /// e-folds.
  static let rollLogDensity = -0.5
  /// Offsets below this many standard deviations are all alike.
  static let rollNoise = 2.0

  // MARK: Random jerk

  /// How many levels of jerk are weighed.
  static let jerkLevels = 6
  /// The lowest and the highest spectral density of the jerk, in travels² per second⁵.
  static let jerk = (low: 1e2, high: 1e7)
  /// The standard deviation of the velocity at the first sample of a stroke whose start was not
  /// seen, in travels per second.
  static let startVelocity = 20.0
  /// The same for the acceleration, in travels per second².
  static let startAcceleration = 300.0
  /// How many moments are weighed at which a steady drag turns into a flick.
  static let onsetLevels = 5
  /// The youngest and the oldest of them, as ages in seconds.
  static let onset = (low: 0.02, high: 0.18)
  /// A finger that stopped did so at least this long before the newest sample, in seconds.
  static let stopAge = 0.025

  // MARK: Minimum-jerk strokes

  /// How many durations are weighed.
  static let strokeDurations = 32
  /// The shortest and the longest stroke, in seconds.
  static let strokeDuration = (low: 0.05, high: 1.0)
  /// How many starts are weighed besides the touch itself.
  static let strokeStarts = 12
  /// The youngest and the oldest of them, as ages in seconds.
  static let strokeStart = (low: 0.02, high: 0.4)
  /// The standard deviation of a whole stroke's length, in travels.
  static let strokeLength = 4.0
  /// A stroke that was over for longer than this is left to the stopped finger, in seconds.
  static let strokeOverAge = 0.06

  // MARK: How likely each motion is before a sample is seen

  /// A steady drag.
  static let steadyShare = 0.15
  /// Any smooth motion, its start not seen.
  static let smoothShare = 0.1
  /// Any smooth motion that began at rest with the oldest sample.
  static let restShare = 0.03
  /// A steady drag that turned into a flick.
  static let flickShare = 0.05
  /// A minimum-jerk stroke that began with the touch.
  static let touchStrokeShare = 0.2
  /// A minimum-jerk stroke that began at some other time.
  static let strokeShare = 0.2
  /// A finger at rest.
  static let stillShare = 0.05
  /// How many of the drags end at rest before the lift.
  static let stopShare = 0.3

  // MARK: A fling the wrong way

  /// A turn is believed when the way back is at least this share of the way there, or older than a
  /// roll.
  static let turnShare = 0.5
  /// After a turn the velocity is at most this many times the mean since the turn.
  static let turnGain = 6.0

  /// The `index`th of `count` values from `low` to `high`, each the same multiple of the one
  /// before.
  static func level(_ index: Int, of count: Int, _ bounds: (low: Double, high: Double)) -> Double {
    bounds.low * exp(log(bounds.high / bounds.low) * Double(index) / Double(count - 1))
  }
}
