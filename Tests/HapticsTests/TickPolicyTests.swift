// SPDX-License-Identifier: Apache-2.0

import Haptics
import Testing
import Wire

@Suite struct TickPolicyTests {
  static func policy(_ motorClass: MotorClass) -> TickPolicy {
    let table = EffectTable(motorClass: motorClass, strength: 1)
    var lengths: [Cue: UInt16] = [:]
    for cue in Cue.allCases { lengths[cue] = table.effect(for: cue, by: .rumble)?.lengthMS }
    return TickPolicy(motorClass: motorClass, lengthsMS: lengths)
  }

  /// Ticks at an even rate for a while; what came of each.
  static func run(
    _ policy: inout TickPolicy, perSecond rate: Double, seconds: Double, fromUs start: Int64
  ) -> [(timeUs: Int64, verdict: TickPolicy.Verdict)] {
    (0..<Int(rate * seconds)).map { index in
      let time = start + Int64(Double(index) * 1_000_000 / rate)
      return (time, policy.tick(.tick, eventTimeUs: time, nowUs: time))
    }
  }

  @Test func slowTicksAllPlayInFull() {
    for motorClass in MotorClass.allCases {
      var policy = Self.policy(motorClass)
      let verdicts = Self.run(&policy, perSecond: 5, seconds: 4, fromUs: 0)
      #expect(verdicts.allSatisfy { $0.verdict == .play(.tick) }, "\(motorClass)")
    }
  }

  @Test func fasterTicksAreSoftAndSlowAgainAreFull() {
    var policy = Self.policy(.lra)
    let fast = Self.run(&policy, perSecond: 12, seconds: 2, fromUs: 0)
    #expect(fast.dropFirst(2).allSatisfy { $0.verdict == .play(.tickSoft) })
    // Between the two limits nothing changes: no flutter at the border.
    let between = Self.run(&policy, perSecond: 7, seconds: 2, fromUs: 2_000_000)
    #expect(between.dropFirst(2).allSatisfy { $0.verdict == .play(.tickSoft) })
    let slow = Self.run(&policy, perSecond: 5, seconds: 2, fromUs: 4_100_000)
    #expect(slow.dropFirst(2).allSatisfy { $0.verdict == .play(.tick) })
    let betweenAgain = Self.run(&policy, perSecond: 7, seconds: 2, fromUs: 6_200_000)
    #expect(betweenAgain.dropFirst(2).allSatisfy { $0.verdict == .play(.tick) })
  }

  @Test func aFlyingStripTicksAtTheMotorsOwnInterval() {
    for motorClass in [MotorClass.lra, .erm, .gamepad, .hapticPad] {
      var policy = Self.policy(motorClass)
      let verdicts = Self.run(&policy, perSecond: 200, seconds: 2, fromUs: 0)
      let played = verdicts.filter { if case .play = $0.verdict { true } else { false } }
      for (before, after) in zip(played, played.dropFirst()) {
        #expect(after.timeUs - before.timeUs >= motorClass.tickIntervalUs)
        #expect(after.timeUs - before.timeUs <= motorClass.tickIntervalUs + 5_000)
        #expect(after.verdict == .play(.tickSoft))
      }
    }
  }

  @Test func anOnOffMotorRestsWhileValuesFlyAndWakesWithHysteresis() {
    var policy = Self.policy(.onOff)
    // It has no soft tick, so up to 20 a second it ticks as it can.
    let brisk = Self.run(&policy, perSecond: 15, seconds: 1, fromUs: 0)
    #expect(brisk.allSatisfy { $0.verdict == .play(.tick) })
    let flying = Self.run(&policy, perSecond: 40, seconds: 1, fromUs: 1_000_000)
    #expect(flying.dropFirst(2).allSatisfy { $0.verdict == .drop(.fast) })
    let slower = Self.run(&policy, perSecond: 15, seconds: 1, fromUs: 2_000_000)
    #expect(slower.dropFirst(2).allSatisfy { $0.verdict == .drop(.fast) })
    let slow = Self.run(&policy, perSecond: 10, seconds: 1, fromUs: 3_000_000)
    #expect(slow.dropFirst(2).allSatisfy { $0.verdict == .play(.tick) })
    let briskAgain = Self.run(&policy, perSecond: 15, seconds: 1, fromUs: 4_050_000)
    #expect(briskAgain.dropFirst(2).allSatisfy { $0.verdict == .play(.tick) })
  }

  @Test func lateTicksAreDroppedAndNeverMadeUpFor() {
    var policy = Self.policy(.lra)
    #expect(policy.tick(.tick, eventTimeUs: 0, nowUs: 25_000) == .play(.tick))
    #expect(policy.tick(.tick, eventTimeUs: 200_000, nowUs: 225_001) == .drop(.late))
    // A burst that a stalled loop delivers at once: one pulse at most, whatever was missed.
    var burst = Self.policy(.lra)
    let now: Int64 = 1_000_000
    let verdicts = (0..<40).map { index in
      burst.tick(.tick, eventTimeUs: now - 400_000 + Int64(index) * 10_000, nowUs: now)
    }
    let played = verdicts.count { if case .play = $0 { true } else { false } }
    #expect(played == 1)
    #expect(verdicts.count { $0 == .drop(.late) } == 38)
  }

  @Test func theFirstTickAfterAPauseIsFull() {
    var policy = Self.policy(.lra)
    _ = Self.run(&policy, perSecond: 60, seconds: 1, fromUs: 0)
    #expect(policy.tick(.tick, eventTimeUs: 1_600_000, nowUs: 1_600_000) == .play(.tick))
  }

  @Test func aFrameThatPassesManyValuesIsFast() {
    var policy = Self.policy(.lra)
    _ = policy.tick(.tick, eventTimeUs: 0, nowUs: 0)
    #expect(policy.tick(.tick, eventTimeUs: 200_000, nowUs: 200_000, steps: 6) == .play(.tickSoft))
  }

  @Test func aSelectionPlaysNextToATickAndKeepsTicksAway() {
    var policy = Self.policy(.lra)
    #expect(policy.tick(.tick, eventTimeUs: 0, nowUs: 0) == .play(.tick))
    #expect(policy.cue(.selection, nowUs: 1_000) == .play(.selection))
    #expect(policy.cue(.selection, nowUs: 2_000) == .drop(.interval))
    #expect(policy.tick(.tick, eventTimeUs: 30_000, nowUs: 30_000) == .drop(.interval))
    #expect(policy.tick(.tick, eventTimeUs: 35_000, nowUs: 35_000) != .drop(.interval))
    #expect(policy.cue(.selection, nowUs: 36_000) == .play(.selection))
    #expect(policy.cue(.heavy, nowUs: 36_000) == .play(.heavy))
  }

  @Test func afterAStopTheNextIsTheFirst() {
    var policy = Self.policy(.erm)
    _ = Self.run(&policy, perSecond: 100, seconds: 0.05, fromUs: 0)
    policy.reset()
    #expect(policy.tick(.tick, eventTimeUs: 51_000, nowUs: 51_000) == .play(.tick))
  }

  /// Whatever comes, pulses of ticks keep their distance, and nothing plays that was not asked for.
  @Test func pulsesNeverMerge() throws {
    var generator = SeededGenerator.printed()
    for motorClass in MotorClass.allCases {
      var policy = Self.policy(motorClass)
      var now: Int64 = 0
      var quietUntil: Int64 = 0
      for _ in 0..<5000 {
        now += Int64.random(in: 0...80_000, using: &generator)
        let event = now - Int64.random(in: 0...40_000, using: &generator)
        let asked: Cue = Bool.random(using: &generator) ? .tick : .light
        switch policy.tick(asked, eventTimeUs: event, nowUs: now) {
        case .play(let cue):
          #expect(cue == asked || cue == .tickSoft)
          #expect(now >= quietUntil && now - event <= 25_000)
          quietUntil = now + motorClass.tickIntervalUs
        case .drop: break
        }
      }
    }
  }
}

@Suite struct TickSpeedTests {
  @Test func countsValuesPerSecond() {
    var speed = TickSpeed()
    #expect(speed.valuesPerSecond == 0)
    speed.pass(atUs: 0)
    #expect(speed.valuesPerSecond == 0)
    speed.pass(atUs: 100_000)
    #expect(speed.valuesPerSecond == 10)
    speed.pass(atUs: 300_000)
    #expect(abs(speed.valuesPerSecond - 2 / 0.3) < 1e-9)
    speed.pass(atUs: 400_000, steps: 5)
    #expect(speed.valuesPerSecond == 20)
    speed.pass(atUs: 900_001)
    #expect(speed.valuesPerSecond == 0)
  }

  @Test func timesThatGoBackwardsAreEqual() {
    var speed = TickSpeed()
    speed.pass(atUs: 100_000)
    speed.pass(atUs: 50_000)
    #expect(speed.valuesPerSecond == .infinity)
    speed.pass(atUs: 200_000)
    #expect(speed.valuesPerSecond == 20)
  }
}
