// SPDX-License-Identifier: Apache-2.0

import Gestures
import Testing

/// The velocity that is told while a finger moves.
@Suite struct RunningVelocityTests {
  private func tracker(_ method: VelocityTracker.Method = .detent) -> VelocityTracker {
    VelocityTracker(method: method, stopAfterUs: 50_000)
  }

  @Test(arguments: [25, 60, 250, 1000])
  func `a steady drag has its speed`(rateHz: Int64) {
    var tracker = tracker()
    #expect(tracker.runningVelocity(atUs: 0) == 0)
    for index in 0...rateHz {
      let timeUs = index * 1_000_000 / rateHz
      tracker.add(timeUs: timeUs, position: -700 * Double(timeUs) / 1e6)
    }
    #expect(abs(tracker.runningVelocity(atUs: 1_000_000) + 700) < 5)
  }

  @Test func `a finger that rested begins anew`() {
    var tracker = tracker()
    for index in 0..<50 { tracker.add(timeUs: Int64(index) * 8_000, position: Double(index) * 8) }
    #expect(tracker.runningVelocity(atUs: 392_000) > 900)
    tracker.add(timeUs: 3_000_000, position: 500)
    #expect(tracker.runningVelocity(atUs: 3_000_000) == 0)
    tracker.reset()
    #expect(tracker.runningVelocity(atUs: 3_000_000) == 0)
  }

  @Test func `by swiftui it is the sampler's`() {
    var tracker = tracker(.swiftui)
    for index in 0..<9 {
      tracker.add(timeUs: Int64(index) * 8_000, position: Double(index * index))
      #expect(
        tracker.runningVelocity(atUs: Int64(index) * 8_000)
          == tracker.velocity(liftUs: Int64(index) * 8_000))
    }
  }

  @Test func `it is finite whatever comes`() {
    var tracker = tracker()
    for timeUs in [Int64.min, -1, 0, 0, 5, 3, 100_000, 100_001, .max, .min, .max] {
      for position in [0, 1e300, -1e300, 1e-300] {
        tracker.add(timeUs: timeUs, position: position)
        #expect(tracker.runningVelocity(atUs: timeUs).isFinite)
      }
    }
  }
}
