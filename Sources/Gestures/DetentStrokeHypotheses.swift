// SPDX-License-Identifier: Apache-2.0

import CMath

/// The hypotheses that know the shape of a reaching hand: minimum-jerk strokes of every duration
/// and start.
///
/// A stroke of length A that lasts D seconds goes A·(10s³ − 15s⁴ + 6s⁵) in the share s of its time
/// (Flash and Hogan 1985). Its length and its place follow from the samples in closed form.
struct DetentStrokeHypotheses {
  /// What the samples so far add up to: the number of them, of shapes m and positions x.
  private struct Moments {
    var number = 0.0
    var m = 0.0
    var x = 0.0
    var mm = 0.0
    var mx = 0.0
    var xx = 0.0

    mutating func take(_ shape: Double, _ position: Double) {
      number += 1
      m += shape
      x += position
      mm += shape * shape
      mx += shape * position
      xx += position * position
    }
  }

  /// Weighs them all.
  func weigh(_ window: DetentWindow, into posterior: inout DetentPosterior) {
    weigh(
      window, start: window.touch, share: DetentModel.touchStrokeShare, into: &posterior)
    let share = DetentModel.strokeShare / Double(DetentModel.strokeStarts)
    for index in 0..<DetentModel.strokeStarts {
      let age = DetentModel.level(index, of: DetentModel.strokeStarts, DetentModel.strokeStart)
      weigh(window, start: -age, share: share, into: &posterior)
    }
  }

  private func weigh(
    _ window: DetentWindow, start: Double, share: Double, into posterior: inout DetentPosterior
  ) {
    let logShare = log(share / Double(DetentModel.strokeDurations))
    // Before the stroke the finger rests, so those samples count alike for every duration.
    var first = 0
    while first < window.cuts[0].kept, window.times[first] <= start { first += 1 }
    for index in 0..<DetentModel.strokeDurations {
      let duration = DetentModel.level(
        index, of: DetentModel.strokeDurations, DetentModel.strokeDuration)
      guard start + duration >= -DetentModel.strokeOverAge else { continue }
      follow(
        window, first: first, start: start, rate: 1 / duration, logShare: logShare,
        into: &posterior)
    }
  }

  private func follow(
    _ window: DetentWindow, first: Int, start: Double, rate: Double, logShare: Double,
    into posterior: inout DetentPosterior
  ) {
    var moments = Moments()
    moments.number = Double(first)
    moments.x = window.sums[0] - window.sums[first]
    moments.xx = window.squares[0] - window.squares[first]
    let liftSpeed = Self.speed((window.lift - start) * rate) * rate
    var index = first
    for cut in 0..<window.cutCount {
      let kept = window.cuts[cut].kept
      while index < kept {
        moments.take(Self.shape((window.times[index] - start) * rate), window.positions[index])
        index += 1
      }
      conclude(
        window, moments, kept: kept, start: start, rate: rate, liftSpeed: liftSpeed,
        logWeight: logShare + window.cuts[cut].logShare, into: &posterior)
    }
  }

  private func conclude(
    _ window: DetentWindow, _ moments: Moments, kept: Int, start: Double, rate: Double,
    liftSpeed: Double, logWeight: Double, into posterior: inout DetentPosterior
  ) {
    let meanShape = moments.m / moments.number
    let meanPosition = moments.x / moments.number
    let shapes = moments.mm - moments.m * meanShape
    let both = moments.mx - moments.m * meanPosition
    let positions = moments.xx - moments.x * meanPosition
    guard shapes > 1e-9 else { return }
    for noise in 0..<DetentModel.noiseLevels {
      let precision = window.precisions[noise]
      let deviation = window.deviations[noise]
      let ridge = deviation * deviation / (DetentModel.strokeLength * DetentModel.strokeLength)
      let length = both / (shapes + ridge)
      let residual = max(0, positions - length * both)
      var logWeight =
        logWeight - Double(kept - 1) * window.logDeviations[noise] - 0.5 * residual * precision
      guard posterior.matters(logWeight) else { continue }
      logWeight -= 0.5 * log(1 + shapes / ridge)
      for later in kept..<window.count {
        let shape = Self.shape((window.times[later] - start) * rate)
        let place = meanPosition + length * (shape - meanShape)
        logWeight += DetentWindow.rolled(
          offset: window.positions[later] - place, velocity: length, deviation: deviation)
      }
      posterior.add(logWeight, velocity: length * liftSpeed)
    }
  }

  private static func shape(_ time: Double) -> Double {
    let s = min(max(time, 0), 1)
    return s * s * s * (10 + s * (6 * s - 15))
  }

  private static func speed(_ time: Double) -> Double {
    let s = min(max(time, 0), 1)
    return 30 * s * s * (1 - s) * (1 - s)
  }
}
