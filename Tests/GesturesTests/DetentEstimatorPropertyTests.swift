// SPDX-License-Identifier: Apache-2.0

import Gestures
import Testing

/// What holds for any samples whatever; the seed of a failing case is in the failure's comment.
@Suite struct DetentEstimatorPropertyTests {
  static let seeds: [UInt64] = {
    // The first one made a stroke that hung on the sign of what rounding left of a finger at rest.
    let seeds = [688_425] + (0..<2).map { _ in UInt64.random(in: 0..<1_000_000) }
    print("DetentEstimatorPropertyTests: seeds \(seeds)")
    return seeds
  }()

  /// Samples of no finger: any order of pauses, bursts, jumps, repeats and backward times.
  private static func wild(_ random: inout SeededGenerator) -> Stroke {
    var timeUs = Int64.random(in: 0..<1_000_000_000_000, using: &random)
    var position = random.uniform(-1_000, 1_000)
    let spanUs = random.one(of: [Int64(500), 5_000, 50_000, 500_000])
    let jump = random.one(of: [0.0, 0.1, 5, 300])
    var samples: [(timeUs: Int64, position: Double)] = []
    for _ in 0..<Int.random(in: 0..<220, using: &random) {
      samples.append((timeUs, position))
      timeUs += Int64.random(in: -spanUs / 20..<spanUs, using: &random)
      if Bool.random(using: &random) { position += random.uniform(-jump, jump) }
    }
    return Stroke(samples: samples, liftUs: timeUs + Int64.random(in: -10..<60_000, using: &random))
  }

  private static func strokes(_ seed: UInt64, _ count: Int) -> [Stroke] {
    var random = SeededGenerator(seed: seed)
    return (0..<count).map { _ in
      BenchStroke.make(&random, BenchStroke.Family.allCases.randomElement(using: &random) ?? .clean)
    }
  }

  private static func isClose(_ value: Double, _ expected: Double) -> Bool {
    abs(value - expected) <= 1e-5 * max(1, abs(expected))
  }

  @Test(arguments: seeds) func finite(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for index in 0..<120 {
      let stroke = Self.wild(&random)
      #expect(stroke.velocity().isFinite, "seed \(seed), case \(index)")
    }
  }

  /// A velocity in a direction needs some sample that lies further in it than an earlier one.
  @Test(arguments: seeds) func signIsThatOfAMotion(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for index in 0..<120 {
      var stroke = Self.wild(&random)
      stroke.samples.sort { $0.timeUs < $1.timeUs }
      let positions = stroke.samples.map(\.position).sorted()
      for step in stroke.samples.indices { stroke.samples[step].position = positions[step] }
      #expect(stroke.velocity() >= 0, "seed \(seed), case \(index)")
    }
  }

  /// Times count from anywhere.
  @Test(arguments: seeds) func timeShift(seed: UInt64) {
    for (index, stroke) in Self.strokes(seed, 20).enumerated() {
      for shift in [Int64(-7_000_000), 123_456_789_012_345] {
        let shifted = stroke.mapped(time: { $0 + shift })
        #expect(
          Self.isClose(shifted.velocity(), stroke.velocity()), "seed \(seed), case \(index)")
      }
    }
  }

  /// Positions count from anywhere.
  @Test(arguments: seeds) func positionShift(seed: UInt64) {
    for (index, stroke) in Self.strokes(seed, 20).enumerated() {
      let shifted = stroke.mapped(position: { $0 + 8_192 })
      #expect(Self.isClose(shifted.velocity(), stroke.velocity()), "seed \(seed), case \(index)")
    }
  }

  /// Points, degrees or pixels: the unit does not matter.
  @Test(arguments: seeds) func scale(seed: UInt64) {
    for (index, stroke) in Self.strokes(seed, 20).enumerated() {
      for scale in [1.0 / 1_024, 0.25, 64] {
        let scaled = stroke.mapped(position: { $0 * scale })
        #expect(
          Self.isClose(scaled.velocity() / scale, stroke.velocity()), "seed \(seed), case \(index)")
      }
      let degrees = stroke.mapped(position: { $0 * 0.3141 })
      #expect(
        Self.isClose(degrees.velocity() / 0.3141, stroke.velocity()), "seed \(seed), case \(index)")
    }
  }

  /// Left is as good as right.
  @Test(arguments: seeds) func mirror(seed: UInt64) {
    for (index, stroke) in Self.strokes(seed, 40).enumerated() {
      let mirrored = stroke.mapped(position: { -$0 })
      #expect(Self.isClose(mirrored.velocity(), -stroke.velocity()), "seed \(seed), case \(index)")
    }
  }

  /// An estimate changes nothing: asked twice, it is the same, and samples may follow.
  @Test(arguments: seeds) func estimatesLeaveNoTrace(seed: UInt64) {
    for (index, stroke) in Self.strokes(seed, 20).enumerated() {
      var watched = DetentEstimator()
      for sample in stroke.samples {
        watched.add(timeUs: sample.timeUs, position: sample.position)
        if index % 4 == 0 { _ = watched.velocity(liftUs: sample.timeUs, stopAfterUs: 50_000) }
      }
      let velocity = watched.velocity(liftUs: stroke.liftUs, stopAfterUs: 50_000)
      #expect(velocity == stroke.velocity(), "seed \(seed), case \(index)")
    }
  }
}
