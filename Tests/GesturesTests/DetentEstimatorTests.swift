// SPDX-License-Identifier: Apache-2.0

import CMath
import Gestures
import Testing

@Suite struct DetentEstimatorTests {
  static let periodsUs: [Int64] = [1_000, 2_000, 4_000, 7_519, 8_333, 11_111, 16_667, 40_000]

  private static func isClose(_ value: Double, _ expected: Double, _ tolerance: Double) -> Bool {
    abs(value - expected) <= tolerance * abs(expected)
  }

  @Test(arguments: periodsUs, [-2_500.0, 37, 800])
  func constantVelocity(periodUs: Int64, velocity: Double) {
    let stroke = Stroke.sampled(periodUs: periodUs, liftUs: 240_000) { 500 + velocity * $0 }
    #expect(Self.isClose(stroke.velocity(), velocity, 0.01))
  }

  @Test(arguments: periodsUs)
  func twoSamples(periodUs: Int64) {
    let stroke = Stroke(samples: [(0, 100), (periodUs, 112)], liftUs: periodUs + 3_000)
    #expect(Self.isClose(stroke.velocity(), 12 / (Double(periodUs) / 1e6), 1e-9))
  }

  @Test func threeSamplesInALine() {
    let stroke = Stroke(samples: [(0, 0), (10_000, 5), (20_000, 10)], liftUs: 22_000)
    #expect(Self.isClose(stroke.velocity(), 500, 0.03))
  }

  @Test func fewerThanTwoSamples() {
    #expect(Stroke(samples: [], liftUs: 10).velocity() == 0)
    #expect(Stroke(samples: [(0, 5)], liftUs: 10).velocity() == 0)
    #expect(Stroke(samples: [(0, 5), (0, 9), (0, 30)], liftUs: 10).velocity() == 0)
  }

  @Test func neverMoved() {
    #expect(Stroke.sampled(periodUs: 8_333, liftUs: 45_000) { _ in 77 }.velocity() == 0)
  }

  /// A sample at the newest one's time replaces it.
  @Test(arguments: [Int64(1_000), 8_333, 40_000])
  func duplicateTimes(periodUs: Int64) {
    let plain = Stroke.sampled(periodUs: periodUs, liftUs: 200_000) { 900 * $0 }
    var doubled = plain
    doubled.samples = plain.samples.flatMap { [($0.timeUs, $0.position - 40), $0] }
    #expect(Self.isClose(doubled.velocity(), plain.velocity(), 1e-9))
  }

  /// A clock that steps back adds no sample before the newest.
  @Test func timesThatGoBackwards() {
    var stroke = Stroke.sampled(periodUs: 8_333, liftUs: 200_000) { 900 * $0 }
    let last = stroke.samples[stroke.samples.count - 1]
    stroke.samples.append((last.timeUs - 50_000, last.position))
    #expect(Self.isClose(stroke.velocity(), 900, 0.01))
    stroke.liftUs = last.timeUs - 100_000
    #expect(Self.isClose(stroke.velocity(), 900, 0.01))
  }

  @Test func valuesThatAreNoNumbers() {
    var stroke = Stroke.sampled(periodUs: 8_333, liftUs: 200_000) { 900 * $0 }
    stroke.samples.insert((41_000, .nan), at: 5)
    stroke.samples.insert((42_000, .infinity), at: 6)
    #expect(Self.isClose(stroke.velocity(), 900, 0.01))
  }

  @Test func extremes() {
    for scale in [1e-300, 1e150, 1.7e308] {
      let stroke = Stroke.sampled(periodUs: 8_333, liftUs: 99_996) { scale * 10 * $0 }
      #expect(stroke.velocity().isFinite)
    }
    let ends: [(Int64, Double)] = [(.min, 1), (0, 2), (.max - 1, 3), (.max, 4)]
    #expect(Stroke(samples: ends, liftUs: .max).velocity().isFinite)
    #expect(Stroke(samples: ends, liftUs: .min).velocity().isFinite)
  }

  /// Half a stroke, from a device of any rate, and what the stroke's formula says.
  @Test(arguments: periodsUs, [0.4, 0.5, 0.65])
  func strokeCutOff(periodUs: Int64, share: Double) {
    let duration = 0.3
    let liftUs = Int64(share * duration * 1e6)
    let stroke = Stroke.sampled(periodUs: periodUs, liftUs: liftUs) {
      200 + 600 * minimumJerk($0 / duration)
    }
    let truth = 600 * minimumJerkSpeed(share) / duration
    #expect(Self.isClose(stroke.velocity(), truth, periodUs > 20_000 ? 0.2 : 0.08))
  }

  /// The finger drags one way and flicks the other.
  @Test(arguments: periodsUs)
  func reversal(periodUs: Int64) {
    let stroke = Stroke.sampled(periodUs: periodUs, liftUs: 450_000) {
      $0 < 0.3 ? 500 * minimumJerk($0 / 0.3) : 500 - 600 * minimumJerk(($0 - 0.3) / 0.3)
    }
    #expect(Self.isClose(stroke.velocity(), -600 * minimumJerkSpeed(0.5) / 0.3, 0.2))
  }

  /// The finger rests before it flicks; a panel sends nothing meanwhile.
  @Test(arguments: [Int64(2_000), 8_333, 16_667])
  func restThenFlick(periodUs: Int64) {
    var stroke = Stroke.sampled(periodUs: periodUs, liftUs: 700_000) {
      80 + 500 * minimumJerk(($0 - 0.55) / 0.3)
    }
    let truth = 500 * minimumJerkSpeed(0.5) / 0.3
    #expect(Self.isClose(stroke.velocity(), truth, 0.1))
    let touch = stroke.samples[0]
    stroke.samples = [touch] + stroke.samples.filter { $0.position != touch.position }
    #expect(Self.isClose(stroke.velocity(), truth, 0.1))
  }

  /// A slow drag that ends in a flick is as fast as the flick.
  @Test(arguments: [Int64(2_000), 8_333, 16_667])
  func dragThenFlick(periodUs: Int64) {
    let stroke = Stroke.sampled(periodUs: periodUs, liftUs: 540_000) {
      100 * $0 + 400 * minimumJerk(($0 - 0.4) / 0.25)
    }
    let truth = 100 + 400 * minimumJerkSpeed(0.14 / 0.25) / 0.25
    #expect(Self.isClose(stroke.velocity(), truth, 0.15))
  }

  /// The flick lasts but a few samples, far fewer than the drag.
  @Test(arguments: [100.0, 200])
  func dragThenShortFlick(speed: Double) {
    let stroke = Stroke.sampled(periodUs: 8_333, liftUs: 496_000) {
      speed * $0 + 400 * minimumJerk(($0 - 0.4) / 0.16)
    }
    let truth = speed + 400 * minimumJerkSpeed(0.6) / 0.16
    #expect(Self.isClose(stroke.velocity(), truth, 0.1))
  }

  @Test(arguments: periodsUs)
  func holdAfterStroke(periodUs: Int64) {
    // A noisy finger that stays: its position changes until the lift.
    var random = SeededGenerator(seed: 5)
    let stroke = Stroke.sampled(periodUs: periodUs, liftUs: 500_000) {
      let place = 300 * minimumJerk($0 / 0.2) + random.normal(0.3)
      return (place * 2).rounded() / 2
    }
    #expect(abs(stroke.velocity()) < 50)
    // A still one, which sends nothing.
    let silent = Stroke.sampled(periodUs: periodUs, liftUs: 120_000, lateUs: 130_000) { 2_000 * $0 }
    #expect(silent.velocity() == 0)
  }

  /// A position that did not change for longer than `stopAfterUs` before the lift is a stop.
  @Test func stopRule() {
    var stroke = Stroke.sampled(periodUs: 8_000, liftUs: 96_000) { 1_000 * $0 }
    stroke.liftUs = 96_000 + 50_000
    #expect(stroke.velocity() > 900)
    stroke.liftUs += 1
    #expect(stroke.velocity() == 0)
    #expect(stroke.velocity(stopAfterUs: 80_000) > 900)
    // Reports that repeat the position do not make it newer.
    stroke.samples += [(104_000, 96), (120_000, 96), (140_000, 96)]
    #expect(stroke.velocity() == 0)
  }

  /// At 25 Hz two frames are 80 ms apart: no stop yet.
  @Test func slowDeviceLiftsLate() {
    var stroke = Stroke.sampled(periodUs: 40_000, liftUs: 200_000, lateUs: 79_000) { 1_000 * $0 }
    #expect(Self.isClose(stroke.velocity(), 1_000, 0.03))
    stroke.liftUs = 200_000 + 130_000
    #expect(stroke.velocity() == 0)
  }

  /// One pause between two samples is not a device's period.
  @Test func pauseIsNoPeriod() {
    let stroke = Stroke(samples: [(0, 0), (300_000, 100)], liftUs: 300_000 + 200_000)
    #expect(stroke.velocity() == 0)
  }

  @Test(arguments: periodsUs, [Int64(5_000), 15_000, 30_000])
  func lateLift(periodUs: Int64, lateUs: Int64) {
    let stroke = Stroke.sampled(periodUs: periodUs, liftUs: 240_000, lateUs: lateUs) { -700 * $0 }
    #expect(Self.isClose(stroke.velocity(), -700, 0.02))
  }

  /// The last samples go back as the finger rolls off the glass.
  @Test(arguments: periodsUs, [2.0, 5.0])
  func rollBack(periodUs: Int64, offset: Double) {
    for sign in [-1.0, 1.0] {
      let stroke = Stroke.sampled(periodUs: periodUs, liftUs: 150_000) { time in
        let roll = time > 0.136 ? offset : 0
        return 540 + sign * (300 * minimumJerk(time / 0.25) - roll)
      }
      let truth = sign * 300 * minimumJerkSpeed(0.6) / 0.25
      #expect(Self.isClose(stroke.velocity(), truth, 0.3))
    }
  }

  /// A slow drag whose roll outruns it: no fling back.
  @Test(arguments: periodsUs, [1.0, 3.0, 5.0])
  func rollBackOfASlowDrag(periodUs: Int64, offset: Double) {
    let stroke = Stroke.sampled(periodUs: periodUs, liftUs: 300_000) { time in
      90 * time - (time > 0.288 ? offset : 0)
    }
    #expect(stroke.velocity() >= -1)
  }

  /// The panel's last frame repeats the position of a finger that was fast.
  @Test(arguments: [Int64(7_519), 8_333, 11_111, 16_000])
  func repeatedPositionAtTheLift(periodUs: Int64) {
    var stroke = Stroke.sampled(periodUs: periodUs, liftUs: 12 * periodUs) {
      900 * minimumJerk($0 / 0.3)
    }
    let plain = stroke.velocity()
    let last = stroke.samples[stroke.samples.count - 1]
    stroke.samples.append((last.timeUs + periodUs, last.position))
    stroke.liftUs = last.timeUs + periodUs
    #expect(Self.isClose(stroke.velocity(), plain, 0.15))
  }

  /// More samples than the window holds, for longer than it lasts.
  @Test func longDrag() {
    let stroke = Stroke.sampled(periodUs: 1_000, liftUs: 3_000_000) {
      100 * sin(3 * $0) + 200 * $0
    }
    #expect(Self.isClose(stroke.velocity(), 300 * cos(9) + 200, 0.25))
  }

  @Test func resetForgets() {
    var estimator = DetentEstimator()
    let first = Stroke.sampled(periodUs: 8_000, liftUs: 96_000) { 3_000 * $0 }
    let second = Stroke.sampled(periodUs: 8_000, liftUs: 96_000) { -100 * minimumJerk($0 / 0.2) }
    _ = first.velocity(by: &estimator)
    #expect(second.velocity(by: &estimator) == second.velocity())
  }
}
