// SPDX-License-Identifier: Apache-2.0

import Gestures
import Testing

@Suite(.enabled(if: !RecordedTrace.all.isEmpty, "needs the recorded traces beside the work tree"))
struct RecordedTracesTests {
  private func velocity(_ trace: RecordedTrace) -> Double {
    Stroke(samples: trace.samples, liftUs: trace.liftUs).velocity()
  }

  /// The finger of these turned within its last 16 ms, along an axis that it hardly moved on: no
  /// fling, not one the other way.
  private static let turned = [
    "flutter_interruptedVelocityEventData x", "SailfishFlingDownFaster1 x",
  ]

  @Test(arguments: RecordedTrace.all) func sign(trace: RecordedTrace) {
    let recorded = trace.leastSquares(degree: 2).slope
    if Self.turned.contains(trace.testDescription) {
      #expect(velocity(trace) == 0)
    } else {
      #expect(velocity(trace) * recorded > 0)
    }
  }

  @Test func smoothTraces() {
    let smooth = RecordedTrace.all.filter(\.isSmooth)
    #expect(smooth.count >= 5)
    for trace in smooth {
      let recorded = trace.leastSquares(degree: 2).slope
      let ratio = velocity(trace) / recorded
      #expect(abs(ratio - 1) <= 0.15, "\(trace.testDescription): \(ratio) of \(recorded)")
    }
  }

  /// Where it is not smooth, least squares may be far off, but the finger's last samples bound what
  /// can be true.
  @Test(arguments: RecordedTrace.all) func withinWhatTheFingerDid(trace: RecordedTrace) {
    let slopes = zip(trace.samples, trace.samples.dropFirst()).suffix(5).map { older, newer in
      (newer.position - older.position) / (Double(newer.timeUs - older.timeUs) / 1e6)
    }
    let fastest = slopes.map(abs).max() ?? 0
    #expect(abs(velocity(trace)) <= 1.5 * fastest)
  }
}
