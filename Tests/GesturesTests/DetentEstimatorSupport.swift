// SPDX-License-Identifier: Apache-2.0

import CMath
import Gestures

/// One contact along an axis: its samples, of which the first is the touch, and its lift.
struct Stroke {
  var samples: [(timeUs: Int64, position: Double)]
  var liftUs: Int64
  /// The velocity at the lift, where it is known.
  var truth = 0.0

  /// What the estimator makes of it.
  func velocity(stopAfterUs: Int64 = 50_000) -> Double {
    var estimator = DetentEstimator()
    return velocity(by: &estimator, stopAfterUs: stopAfterUs)
  }

  /// The same by an estimator that may have seen other strokes.
  func velocity(by estimator: inout DetentEstimator, stopAfterUs: Int64 = 50_000) -> Double {
    estimator.reset()
    for sample in samples { estimator.add(timeUs: sample.timeUs, position: sample.position) }
    return estimator.velocity(liftUs: liftUs, stopAfterUs: stopAfterUs)
  }

  /// The stroke with every time and position changed.
  func mapped(time: (Int64) -> Int64 = { $0 }, position: (Double) -> Double = { $0 }) -> Stroke {
    Stroke(
      samples: samples.map { (time($0.timeUs), position($0.position)) }, liftUs: time(liftUs),
      truth: truth)
  }

  /// A motion sampled every `periodUs` from 0 up to the lift, where the finger still touches.
  static func sampled(
    periodUs: Int64, liftUs: Int64, lateUs: Int64 = 0, _ position: (Double) -> Double
  ) -> Stroke {
    let samples = stride(from: 0, through: liftUs, by: Int64.Stride(periodUs)).map {
      (timeUs: $0, position: position(Double($0) / 1e6))
    }
    return Stroke(samples: samples, liftUs: liftUs + lateUs)
  }
}

/// SplitMix64: the same numbers for the same seed, everywhere.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  mutating func uniform(_ low: Double, _ high: Double) -> Double {
    low + (high - low) * Double.random(in: 0..<1, using: &self)
  }

  mutating func one<Element>(of elements: [Element]) -> Element {
    elements[Int.random(in: 0..<elements.count, using: &self)]
  }

  /// A normally distributed number.
  mutating func normal(_ deviation: Double) -> Double {
    let radius = (-2 * log(uniform(1e-12, 1))).squareRoot()
    return deviation * radius * cos(uniform(0, 2 * Double.pi))
  }
}

/// A stroke of length 1 and duration 1 that starts and ends at rest, as smoothly as one can.
func minimumJerk(_ time: Double) -> Double {
  let s = min(max(time, 0), 1)
  return s * s * s * (10 + s * (6 * s - 15))
}

/// Its speed.
func minimumJerkSpeed(_ time: Double) -> Double {
  let s = min(max(time, 0), 1)
  return 30 * s * s * (1 - s) * (1 - s)
}
