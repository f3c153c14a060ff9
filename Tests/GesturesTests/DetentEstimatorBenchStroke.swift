// SPDX-License-Identifier: Apache-2.0

/// Strokes as a panel reports them, whose velocity at the lift is known.
enum BenchStroke {
  enum Family: CaseIterable {
    /// Cut off while moving.
    case clean
    /// The same, the finger rolling back in the last 14 ms.
    case roll
    /// At rest for a while before the lift.
    case stop
    /// At rest for a while before the stroke.
    case restFirst
    /// Moving the other way before the stroke.
    case turn
    /// A steady drag.
    case steady
  }

  /// A panel: how often it reports, how unevenly, and how exactly.
  private struct Panel {
    var period: Double
    var jitter: Double
    var noise: Double
    var step: Double

    init(_ random: inout SeededGenerator) {
      period = 1 / random.one(of: [25.0, 60, 60, 90, 120, 120, 133, 250, 500, 1_000])
      jitter = random.one(of: [0, 0.05, 0.2])
      noise = random.one(of: [0, 0.1, 0.3, 0.6])
      step = random.one(of: [0.05, 0.26, 0.5, 1])
    }

    /// Reads a motion from 0 to `end` seconds.
    ///
    /// What does not change is not sent.
    func read(
      to end: Double, _ random: inout SeededGenerator, _ position: (Double) -> Double
    ) -> [(timeUs: Int64, position: Double)] {
      var samples: [(timeUs: Int64, position: Double)] = []
      var time = 0.0
      while time <= end {
        var place = position(time)
        if noise > 0 { place += random.normal(noise) }
        place = (place / step).rounded() * step
        if samples.last?.position != place {
          samples.append((Int64((time * 1e6).rounded()), place))
        }
        time += period * (1 + random.uniform(-jitter, jitter))
      }
      return samples
    }
  }

  /// A stroke of at least three samples.
  static func make(_ random: inout SeededGenerator, _ family: Family) -> Stroke {
    while true {
      let panel = Panel(&random)
      let length = random.one(of: [-1.0, 1]) * random.uniform(40, 900)
      let duration = random.uniform(0.06, 0.5)
      let share = family == .stop ? 1 : random.uniform(0.35, 0.85)
      let before =
        switch family {
        case .restFirst: random.uniform(0.05, 0.4)
        case .turn: random.uniform(0.15, 0.4)
        default: 0.0
        }
      let back = family == .turn ? -length * random.uniform(0.2, 0.8) : 0
      let end = before + share * duration
      let hold = family == .stop ? random.uniform(0.08, 0.8) : 0
      var rolls = SeededGenerator(seed: random.next())
      let samples = panel.read(to: end + (panel.noise > 0 ? hold : 0), &random) { time in
        if family == .steady { return length / duration * time }
        var place = length * minimumJerk(min(time - before, share * duration) / duration)
        if before > 0 { place += back * minimumJerk(time / before) }
        if family == .roll, time > 0, end - time < 0.014 {
          place -= (length < 0 ? -1 : 1) * rolls.uniform(1, 5)
        }
        return place
      }
      guard samples.count > 2 else { continue }
      let late =
        family == .stop ? 0 : random.one(of: [0, 0, panel.period, random.uniform(0, 0.02)])
      let liftUs = Int64(((end + hold + late) * 1e6).rounded())
      let truth =
        switch family {
        case .stop: 0.0
        case .steady: length / duration
        default: length * minimumJerkSpeed(share) / duration
        }
      return Stroke(
        samples: samples, liftUs: max(liftUs, samples[samples.count - 1].timeUs), truth: truth)
    }
  }
}
