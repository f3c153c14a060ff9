// SPDX-License-Identifier: Apache-2.0

import CMath

/// A Kalman filter for a position whose jerk is white noise: the smoothest motion that explains the
/// samples.
struct DetentJerkFilter {
  /// Position, velocity and acceleration, in travels and seconds.
  private(set) var position: Double
  private(set) var velocity = 0.0
  private(set) var acceleration = 0.0
  /// The logarithm of how well the samples so far were foretold.
  var logWeight: Double

  // The covariance, by the initials of the two quantities.
  private(set) var pp: Double
  private var pv = 0.0
  private var pa = 0.0
  private var vv: Double
  private var va = 0.0
  private var aa: Double

  /// A filter that has seen one sample.
  ///
  /// - Parameters:
  ///   - position: The sample.
  ///   - variance: The variance of a sample.
  ///   - startVelocity: The standard deviation of the velocity, around 0.
  ///   - startAcceleration: The same for the acceleration.
  ///   - logWeight: The logarithm of the weight before any sample.
  init(
    position: Double, variance: Double, startVelocity: Double, startAcceleration: Double,
    logWeight: Double
  ) {
    self.position = position
    pp = variance
    vv = startVelocity * startVelocity
    aa = startAcceleration * startAcceleration
    self.logWeight = logWeight
  }

  /// Moves on by `step` seconds under the spectral density `jerk`.
  mutating func advance(_ step: Double, jerk: Double) {
    let step2 = step * step
    let step3 = step2 * step
    position += velocity * step + acceleration * step2 / 2
    velocity += acceleration * step
    pp +=
      2 * step * pv + step2 * (vv + pa) + step3 * va + step2 * step2 / 4 * aa
      + jerk * step2 * step3 / 20
    pv += step * (vv + pa) + 1.5 * step2 * va + step3 / 2 * aa + jerk * step2 * step2 / 8
    pa += step * va + step2 / 2 * aa + jerk * step3 / 6
    vv += 2 * step * va + step2 * aa + jerk * step3 / 3
    va += step * aa + jerk * step2 / 2
    aa += jerk * step
  }

  /// Takes a sample of the given variance.
  mutating func take(_ sample: Double, variance: Double) {
    let foretold = pp + variance
    let error = sample - position
    logWeight -= 0.5 * (log(foretold) + error * error / foretold)
    correct(by: error, foretold: foretold)
  }

  /// Takes a sample of the given variance, where nobody asks for the weight.
  mutating func follow(_ sample: Double, variance: Double) {
    correct(by: sample - position, foretold: pp + variance)
  }

  private mutating func correct(by error: Double, foretold: Double) {
    let gainP = pp / foretold
    let gainV = pv / foretold
    let gainA = pa / foretold
    position += gainP * error
    velocity += gainV * error
    acceleration += gainA * error
    vv -= gainV * pv
    va -= gainV * pa
    aa -= gainA * pa
    pa -= gainP * pa
    pv -= gainP * pv
    pp -= gainP * pp
  }

  /// The velocity `step` seconds on.
  ///
  /// A finger that slows down may come to rest in that time but does not turn round.
  func velocity(after step: Double) -> Double {
    acceleration * velocity >= 0
      ? velocity + acceleration * step : velocity * exp(acceleration * step / velocity)
  }
}
