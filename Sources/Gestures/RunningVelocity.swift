// SPDX-License-Identifier: Apache-2.0

/// The velocity of a finger while it moves, along one axis: what a moving picker tells with every frame.
///
/// One filter follows the samples, at the same small cost for each. It knows nothing of lifts, rolls and shapes of
/// strokes, which ``DetentEstimator`` weighs once, when the finger leaves.
struct RunningVelocity {
  /// The standard deviation of a sample, in points (or degrees).
  private static let noise = 1.0
  /// The spectral density of the jerk, in points² per second⁵: of 10⁹ to 10¹², what met strokes of hands best.
  private static let jerk = 1e11
  /// The standard deviations at the first sample, in points per second and per second².
  private static let startVelocity = 3_000.0
  private static let startAcceleration = 6e4
  /// A panel says nothing while a finger rests: after so long a gap it begins anew, in microseconds.
  private static let longestGapUs: Int64 = 100_000

  // Not an optional, which would be copied in every frame.
  private var filter = Self.filter(at: 0)
  private var isEmpty = true
  private var newestUs: Int64 = 0

  /// Per second, at the newest sample; 0 where there is only one.
  var velocity: Double { filter.velocity }

  /// Takes the position along the axis at a time.
  mutating func add(timeUs: Int64, position: Double) {
    let (gapUs, isOverflow) = timeUs.subtractingReportingOverflow(newestUs)
    guard !isEmpty, velocity.isFinite, gapUs <= Self.longestGapUs, !isOverflow else {
      isEmpty = false
      newestUs = timeUs
      filter = Self.filter(at: position)
      return
    }
    if gapUs > 0 {
      newestUs = timeUs
      filter.advance(Double(gapUs) / 1e6, jerk: Self.jerk)
    }
    filter.follow(position, variance: Self.noise * Self.noise)
  }

  private static func filter(at position: Double) -> DetentJerkFilter {
    DetentJerkFilter(
      position: position, variance: noise * noise, startVelocity: startVelocity,
      startAcceleration: startAcceleration, logWeight: 0)
  }
}
