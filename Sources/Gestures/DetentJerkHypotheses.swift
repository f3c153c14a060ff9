// SPDX-License-Identifier: Apache-2.0

import CMath

/// The hypotheses that know no shape: a steady drag, any smooth motion, a drag that turns into a
/// flick, and any of them stopping before the lift.
struct DetentJerkHypotheses {
  private enum Start {
    case steady
    case moving
    case rest

    var share: Double {
      switch self {
      case .steady: DetentModel.steadyShare
      case .moving: DetentModel.smoothShare
      case .rest: DetentModel.restShare
      }
    }
  }

  private let logStop = log(DetentModel.stopShare)
  private let logStopSpan = log(Double(DetentModel.horizonUs) / 1e6 / DetentModel.stopAge)

  /// Weighs them all.
  func weigh(_ window: DetentWindow, into posterior: inout DetentPosterior) {
    for start in [Start.moving, .rest] {
      for noise in 0..<DetentModel.noiseLevels {
        for level in 0..<DetentModel.jerkLevels {
          let jerk = DetentModel.level(level, of: DetentModel.jerkLevels, DetentModel.jerk)
          follow(window, start, noise: noise, jerk: jerk, into: &posterior)
        }
      }
    }
    for noise in 0..<DetentModel.noiseLevels {
      follow(window, .steady, noise: noise, jerk: 0, into: &posterior)
    }
    still(window, into: &posterior)
  }

  /// A finger that never moved.
  private func still(_ window: DetentWindow, into posterior: inout DetentPosterior) {
    let rest = window.rest(from: 0)
    for noise in 0..<DetentModel.noiseLevels {
      posterior.add(
        log(DetentModel.stillShare) - Double(window.count - 1) * window.logDeviations[noise]
          - 0.5 * rest.spread * window.precisions[noise], velocity: 0)
    }
  }

  private func follow(
    _ window: DetentWindow, _ start: Start, noise: Int, jerk: Double,
    into posterior: inout DetentPosterior
  ) {
    let deviation = window.deviations[noise]
    let variance = deviation * deviation
    let levels = start == .steady ? 1 : DetentModel.jerkLevels
    var filter = DetentJerkFilter(
      position: window.positions[0], variance: variance,
      startVelocity: start == .rest ? 0 : DetentModel.startVelocity,
      startAcceleration: start == .moving ? DetentModel.startAcceleration : 0,
      logWeight: log(start.share / Double(levels)))
    var cut = 0
    var onset = DetentModel.onsetLevels - 1
    for index in 1..<window.count {
      conclude(window, filter, at: index, &cut, jerk: jerk, variance: variance, into: &posterior)
      if window.times[index - 1] < -DetentModel.stopAge {
        stop(window, filter, before: index, noise: noise, into: &posterior)
      }
      if start == .steady {
        while onset >= 0 {
          let age = DetentModel.level(onset, of: DetentModel.onsetLevels, DetentModel.onset)
          guard window.times[index] > -age else { break }
          if window.times[0] < -age {
            flick(window, filter, from: index, noise: noise, into: &posterior)
          }
          onset -= 1
        }
      }
      filter.advance(window.times[index] - window.times[index - 1], jerk: jerk)
      filter.take(window.positions[index], variance: variance)
      guard worth(window, filter, after: index, noise: noise, posterior) else { return }
    }
    conclude(
      window, filter, at: window.count, &cut, jerk: jerk, variance: variance, into: &posterior)
  }

  /// A drag that was steady until the sample before `first` and any smooth motion from then on.
  private func flick(
    _ window: DetentWindow, _ steady: DetentJerkFilter, from first: Int, noise: Int,
    into posterior: inout DetentPosterior
  ) {
    let variance = window.deviations[noise] * window.deviations[noise]
    let share = DetentModel.flickShare / Double(DetentModel.onsetLevels * DetentModel.jerkLevels)
    // The steady filter's weight already holds the share of steady drags.
    let logShare = log(share / DetentModel.steadyShare)
    for level in 0..<DetentModel.jerkLevels {
      let jerk = DetentModel.level(level, of: DetentModel.jerkLevels, DetentModel.jerk)
      var filter = steady
      filter.logWeight += logShare
      var cut = 0
      while cut < window.cutCount, window.cuts[cut].kept < first { cut += 1 }
      var index = first
      while index < window.count {
        conclude(
          window, filter, at: index, &cut, jerk: jerk, variance: variance, into: &posterior)
        filter.advance(window.times[index] - window.times[index - 1], jerk: jerk)
        filter.take(window.positions[index], variance: variance)
        guard worth(window, filter, after: index, noise: noise, posterior) else { break }
        index += 1
      }
      if index == window.count {
        conclude(
          window, filter, at: index, &cut, jerk: jerk, variance: variance, into: &posterior)
      }
    }
  }

  /// Whether the filter could still matter if each remaining sample were foretold as well as its
  /// noise lets it be.
  private func worth(
    _ window: DetentWindow, _ filter: DetentJerkFilter, after index: Int, noise: Int,
    _ posterior: DetentPosterior
  ) -> Bool {
    let remaining = Double(window.count - 1 - index)
    return posterior.matters(filter.logWeight - remaining * window.logDeviations[noise])
  }

  /// Where a cut keeps `index` samples, adds what the filter says, the rest being those of a
  /// rolling finger.
  private func conclude(
    _ window: DetentWindow, _ filter: DetentJerkFilter, at index: Int, _ cut: inout Int,
    jerk: Double, variance: Double, into posterior: inout DetentPosterior
  ) {
    guard cut < window.cutCount, window.cuts[cut].kept == index else { return }
    var logWeight = filter.logWeight + window.cuts[cut].logShare
    cut += 1
    guard posterior.matters(logWeight) else { return }
    let newest = window.times[index - 1]
    for later in index..<window.count {
      var ahead = filter
      ahead.advance(window.times[later] - newest, jerk: jerk)
      logWeight += DetentWindow.rolled(
        offset: window.positions[later] - ahead.position, velocity: filter.velocity,
        deviation: (ahead.pp + variance).squareRoot())
    }
    posterior.add(logWeight, velocity: filter.velocity(after: window.lift - newest))
  }

  /// The finger came to rest somewhere between the sample before `first` and that one, and stayed
  /// there.
  private func stop(
    _ window: DetentWindow, _ filter: DetentJerkFilter, before first: Int, noise: Int,
    into posterior: inout DetentPosterior
  ) {
    let before = window.times[first - 1]
    let latest = min(window.times[first], -DetentModel.stopAge)
    let share = min(1, log(before / latest) / logStopSpan)
    guard share > 1e-9 else { return }
    let number = Double(window.count - first)
    let step = window.times[first] - before
    let rest = window.rest(from: first)
    let precision = window.precisions[noise]
    // Equally likely at any time between the two samples, so at any place between them.
    let place = filter.position + filter.velocity * step / 2
    let spread = filter.velocity * filter.velocity * step * step / 12
    let variance = filter.pp + spread + 1 / (number * precision)
    let error = rest.mean - place
    posterior.add(
      filter.logWeight + logStop + log(share) - number * window.logDeviations[noise]
        - 0.5 * (rest.spread * precision + log(variance * number * precision))
        - 0.5 * error * error / variance, velocity: 0)
  }
}
