// SPDX-License-Identifier: Apache-2.0

import CMath

/// The motion after a release: a critically damped spring from where a strip is to its target.
///
/// With a the start, b the end, v the velocity at the start and λ = 2π / duration,
/// x(t) = b + e^(−λt) · ((a − b) + (v + λ(a − b)) · t): SwiftUI's smooth spring, of duration 0.5 s and bounce 0.
package struct Glide: Hashable, Sendable {
  /// The spring's duration in seconds.
  package static let duration = 0.5
  /// The distance from the target, in points or degrees, within which the strip counts as at rest.
  package static let restDistance = 0.5

  private static let lambda = 2 * Double.pi / duration

  /// Where it starts.
  package let from: Double
  /// Where it ends.
  package let to: Double
  /// The velocity at the start, per second.
  package let velocity: Double
  /// When it starts.
  package let startUs: Int64

  // The distance from the target is (distance + slope · t) · e^(−λt).
  private let distance: Double
  private let slope: Double

  /// A glide.
  package init(from: Double, to: Double, velocity: Double, startUs: Int64) {
    self.from = from
    self.to = to
    self.velocity = velocity
    self.startUs = startUs
    distance = from - to
    slope = velocity + Glide.lambda * (from - to)
  }

  /// The position at a time.
  package func position(atUs timeUs: Int64) -> Double {
    to + deviation(after: seconds(atUs: timeUs))
  }

  /// The velocity at a time, per second.
  package func velocity(atUs timeUs: Int64) -> Double {
    let t = seconds(atUs: timeUs)
    return (slope - Glide.lambda * (distance + slope * t)) * exp(-Glide.lambda * t)
  }

  /// How long after the start the strip comes to rest, in seconds: the last time that it is further from its
  /// target than the rest distance.
  package var restSeconds: Double {
    let limit = Glide.restDistance
    // Behind the extremum the way to the target is monotone; before it, the way up to the zero crossing.
    if let extremum = extremumSeconds, abs(deviation(after: extremum)) > limit {
      return crossing(of: limit, after: extremum)
    }
    guard abs(distance) > limit else { return 0 }
    return crossing(of: limit, after: 0)
  }

  /// When the strip comes to rest.
  package var restUs: Int64 { time(after: restSeconds) }

  /// When the strip first reaches `boundary`, which lies between its start and its target.
  package func timeUs(crossing boundary: Double) -> Int64 {
    let away = extremumSeconds.map { velocity * distance > 0 ? $0 : 0 } ?? 0
    return time(after: crossing(of: abs(boundary - to), after: away))
  }

  private func seconds(atUs timeUs: Int64) -> Double { Double(max(0, timeUs - startUs)) / 1e6 }

  private func time(after seconds: Double) -> Int64 {
    startUs + Int64((seconds * 1e6).rounded())
  }

  private func deviation(after t: Double) -> Double {
    (distance + slope * t) * exp(-Glide.lambda * t)
  }

  /// When the distance from the target has its one extremum, where that is after the start.
  private var extremumSeconds: Double? {
    guard slope != 0 else { return nil }
    let t = velocity / (Glide.lambda * slope)
    return t > 0 ? t : nil
  }

  /// The first time after `start` at which the distance falls to `limit`; the distance falls steadily from `start`
  /// on, at least until it is 0.
  private func crossing(of limit: Double, after start: Double) -> Double {
    let sign: Double = deviation(after: start) < 0 ? -1 : 1
    var low = start
    var step = 0.125
    while sign * deviation(after: low + step) > limit, step < 1e6 { step *= 2 }
    var high = low + step
    // Halving 2⁻³ s thirty-four times leaves 10⁻¹¹ s, far below the microsecond that times are told in.
    while high - low > 1e-11 {
      let middle = (low + high) / 2
      if middle <= low || middle >= high { break }
      if sign * deviation(after: middle) > limit { low = middle } else { high = middle }
    }
    return high
  }
}
