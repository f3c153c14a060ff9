// SPDX-License-Identifier: Apache-2.0

import Testing

/// How close the estimator comes on strokes whose velocity is known, by family.
///
/// The bounds are looser than what it does (docs/gestures.md has the figures), as each run draws few
/// strokes.
@Suite struct DetentEstimatorBenchTests {
  private static let seed = UInt64.random(in: 0..<1_000_000)

  private struct Bound {
    var median: Double
    var tenth: Double
  }

  @Test(
    arguments: [BenchStroke.Family.clean, .roll, .restFirst, .turn, .steady])
  func moving(family: BenchStroke.Family) {
    let bound =
      switch family {
      case .clean: Bound(median: 0.07, tenth: 0.30)
      case .roll: Bound(median: 0.11, tenth: 0.40)
      case .restFirst: Bound(median: 0.13, tenth: 0.80)
      case .turn: Bound(median: 0.13, tenth: 1.05)
      default: Bound(median: 0.02, tenth: 0.10)
      }
    var random = SeededGenerator(seed: Self.seed)
    var errors: [Double] = []
    var wrongWay = 0
    for _ in 0..<160 {
      let stroke = BenchStroke.make(&random, family)
      let velocity = stroke.velocity()
      errors.append(abs(velocity - stroke.truth) / max(abs(stroke.truth), 200))
      if abs(velocity) > 50, velocity * stroke.truth < 0 { wrongWay += 1 }
    }
    errors.sort()
    let median = errors[errors.count / 2]
    let tenth = errors[errors.count * 9 / 10]
    print("\(family): seed \(Self.seed), median \(median), 90th \(tenth), wrong way \(wrongWay)")
    #expect(median < bound.median, "seed \(Self.seed)")
    #expect(tenth < bound.tenth, "seed \(Self.seed)")
    // Three samples of a noisy rest and a flick may tell nothing at all.
    #expect(wrongWay <= (family == .restFirst || family == .turn ? 1 : 0), "seed \(Self.seed)")
  }

  @Test func stops() {
    var random = SeededGenerator(seed: Self.seed)
    let flings = (0..<250).filter { _ in
      abs(BenchStroke.make(&random, .stop).velocity()) > 50
    }
    print("stop: seed \(Self.seed), false flings \(flings.count)")
    #expect(flings.count <= 4, "seed \(Self.seed)")
  }
}
