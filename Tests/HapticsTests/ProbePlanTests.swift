// SPDX-License-Identifier: Apache-2.0

import Haptics
import LinuxIO
import Testing
import Wire

/// A device as a probe meets it: what it takes, and how much of that.
private struct PretendDevice {
  var slots: Int
  var accepts: (MotorEffect) -> UploadRefusal?
  private(set) var uploads: [MotorEffect] = []
  private(set) var waits = 0
  private(set) var attempts = 0
  private var taken = 0

  init(slots: Int, accepts: @escaping (MotorEffect) -> UploadRefusal? = { _ in nil }) {
    self.slots = slots
    self.accepts = accepts
  }

  mutating func run(_ plan: inout ProbePlan) -> ProbePlan.Outcome {
    for _ in 0..<200 {
      switch plan.next() {
      case .wait:
        waits += 1
        plan.waited()
      case .finished(let outcome): return outcome
      case .upload(let effect):
        attempts += 1
        if let refusal = accepts(effect) {
          plan.refused(refusal)
        } else if taken == slots {
          plan.refused(.noSlot)
        } else {
          uploads.append(effect)
          plan.uploaded(id: Int16(taken))
          taken += 1
        }
      }
    }
    Issue.record("the probe does not end")
    return .unsupported
  }
}

@Suite struct ProbePlanTests {
  static let everything = ForceFeedbackBits(
    CodeBits([0x4F, 0x50, 0x51, 0x52, 0x58, 0x59, 0x5A, 0x60]))
  static let memless = ForceFeedbackBits(CodeBits(ForceFeedbackCode.memless))

  private static func probe(
    _ bits: ForceFeedbackBits, _ device: inout PretendDevice, reportedSlots: Int? = nil,
    motorClass: MotorClass? = nil
  ) -> ProbePlan.Outcome {
    var plan = ProbePlan(
      bits: bits, slots: reportedSlots ?? device.slots, motorClass: motorClass, strength: 1)
    return device.run(&plan)
  }

  private static func program(_ outcome: ProbePlan.Outcome) throws -> MotorProgram {
    guard case .ready(let program) = outcome else {
      Issue.record("\(outcome)")
      throw ProbeFailure()
    }
    return program
  }

  private struct ProbeFailure: Error {}

  private static func isRumble(_ effect: MotorEffect) -> Bool {
    if case .rumble = effect.shape { true } else { false }
  }
  private static func isHaptic(_ effect: MotorEffect) -> Bool {
    if case .haptic = effect.shape { true } else { false }
  }
  private static func isConstant(_ effect: MotorEffect) -> Bool {
    if case .constant = effect.shape { true } else { false }
  }

  @Test func memlessIsDrivenByRumbleAndEveryCueHasItsSlot() throws {
    var device = PretendDevice(slots: 16)
    let program = try Self.program(Self.probe(Self.memless, &device, motorClass: .lra))
    #expect(program.method == .rumble && program.motorClass == .lra)
    #expect(program.stopsByItself && !program.sharesSlot)
    #expect(Set(device.uploads).count == 7 && device.uploads.count == 7)
    let table = EffectTable(motorClass: .lra, strength: 1)
    for cue in Cue.allCases { #expect(program.effects[cue] == table.effect(for: cue, by: .rumble)) }
    #expect(device.uploads.first == table.effect(for: .tick, by: .rumble))
  }

  @Test func whatTheKernelWouldTurnIntoASineOfFiftyMillisecondsIsAWaveOfOurs() throws {
    let bits = ForceFeedbackBits(CodeBits([0x50, 0x51, 0x5A]))
    var device = PretendDevice(slots: 10)
    let program = try Self.program(Self.probe(bits, &device))
    #expect(program.method == .periodic(.sine) && program.motorClass == .lra)
    #expect(!program.stopsByItself)
  }

  @Test func aRumbleThatIsAdvertisedAndRefusedIsNotBelieved() throws {
    var device = PretendDevice(slots: 16) { Self.isRumble($0) ? .unsupported : nil }
    let program = try Self.program(Self.probe(Self.memless, &device))
    #expect(program.method == .periodic(.sine))
    // The other way round: waves advertised and refused, one after the other.
    var other = PretendDevice(slots: 20) { Self.isRumble($0) ? nil : .unsupported }
    let rumble = try Self.program(Self.probe(Self.memless, &other))
    #expect(rumble.method == .rumble && rumble.motorClass == .erm)
    #expect(other.attempts == 3 + 7)
  }

  @Test func wavesAreTriedInOrder() throws {
    var device = PretendDevice(slots: 10) { effect in
      if case .periodic(.square, _, _) = effect.shape { nil } else { .unsupported }
    }
    let bits = ForceFeedbackBits(CodeBits([0x51, 0x58, 0x59, 0x5A]))
    #expect(try Self.program(Self.probe(bits, &device)).method == .periodic(.square))
    var plain = PretendDevice(slots: 10)
    let noSine = ForceFeedbackBits(CodeBits([0x51, 0x58, 0x59]))
    #expect(try Self.program(Self.probe(noSine, &plain)).method == .periodic(.triangle))
  }

  @Test func aConstantForceIsTheLastThatIsTried() throws {
    var device = PretendDevice(slots: 15) { Self.isConstant($0) ? nil : .unsupported }
    let program = try Self.program(Self.probe(Self.everything, &device, motorClass: .lra))
    #expect(program.method == .constant && !program.stopsByItself)
    #expect(program.effects[.heavy]?.shape == .constant(level: 0x7FFF))
  }

  @Test func aPadTicksWithTheBestWaveformThatItHas() throws {
    for (missing, expected) in [
      ([], HapticUsage.vendorTick), ([.vendorTick], .hover), ([.vendorTick, .hover], .click),
    ] as [([HapticUsage], HapticUsage)] {
      var device = PretendDevice(slots: 96) { effect in
        guard case .haptic(let usage, _) = effect.shape else { return .unsupported }
        return missing.contains(usage) ? .unsupported : nil
      }
      let program = try Self.program(Self.probe(Self.everything, &device, motorClass: .erm))
      #expect(program.method == .haptic(tick: expected))
      // A pad is a pad, whatever the configuration calls it.
      #expect(program.motorClass == .hapticPad)
      #expect(program.effects[.tick]?.shape == .haptic(expected, intensity: 35))
      #expect(program.effects[.light]?.shape == .haptic(.click, intensity: 35))
      #expect(program.effects.values.allSatisfy { program.ids[$0] != nil })
    }
  }

  @Test func aPadThatHasNoClickIsNoPad() throws {
    var device = PretendDevice(slots: 16) { Self.isHaptic($0) ? .unsupported : nil }
    let program = try Self.program(Self.probe(Self.everything, &device))
    #expect(program.method == .periodic(.sine))
  }

  @Test func oneSlotIsShared() throws {
    for reported in [1, 16] {
      var device = PretendDevice(slots: 1)
      let program = try Self.program(
        Self.probe(Self.memless, &device, reportedSlots: reported, motorClass: .lra))
      #expect(program.sharesSlot && program.ids.count == 1)
      #expect(device.attempts == (reported == 1 ? 1 : 2))
      #expect(program.effects.count == 7)
    }
  }

  @Test func fewSlotsMeanFewerKinds() throws {
    for slots in 2...6 {
      var device = PretendDevice(slots: slots)
      let program = try Self.program(Self.probe(Self.memless, &device, motorClass: .lra))
      #expect(!program.sharesSlot && program.ids.count == slots)
      let table = EffectTable(motorClass: .lra, strength: 1)
      for (rank, cue) in ProbePlan.priority.enumerated() {
        let effect = try #require(program.effects[cue])
        #expect(program.ids[effect] != nil)
        if rank < slots { #expect(effect == table.effect(for: cue, by: program.method)) }
      }
      // The soft tick goes first and is a tick then; nothing becomes stronger than it need be.
      if slots == 2 {
        #expect(program.effects[.tickSoft] == program.effects[.tick])
        #expect(program.effects[.light] == program.effects[.tick])
        #expect(program.effects[.heavy] == program.effects[.selection])
      }
    }
  }

  @Test func aCueThatIsRefusedPlaysItsNeighbour() throws {
    let table = EffectTable(motorClass: .lra, strength: 1)
    let heavy = try #require(table.effect(for: .heavy, by: .rumble))
    var device = PretendDevice(slots: 16) { $0 == heavy ? .unsupported : nil }
    let program = try Self.program(Self.probe(Self.memless, &device, motorClass: .lra))
    #expect(program.effects[.heavy] == table.effect(for: .limit, by: .rumble))
  }

  @Test func aMotorThatCannotBeSoftHasNoSoftTick() throws {
    var device = PretendDevice(slots: 16)
    let program = try Self.program(Self.probe(Self.memless, &device, motorClass: .onOff))
    #expect(program.effects[.tickSoft] == nil && program.ids.count == 6)
  }

  @Test func otherAnswersEndTheProbe() {
    for (refusal, expected) in [
      (.unsupported, .unsupported), (.noSlot, .noSlot), (.gone, .gone), (.silent, .silent),
      (.failed(.inputOutput), .failed(.inputOutput)), (.busy, .busy),
    ] as [(UploadRefusal, ProbePlan.Outcome)] {
      var device = PretendDevice(slots: 16) { _ in refusal }
      #expect(Self.probe(Self.memless, &device) == expected, "\(refusal)")
      // A driver that does not answer costs 30 seconds each time it is asked.
      if refusal == .silent { #expect(device.attempts == 1) }
      if refusal == .busy { #expect(device.waits == ProbePlan.patience) }
    }
  }

  @Test func aDeviceThatIsBusyForAMomentIsAskedAgain() throws {
    var times = 0
    var device = PretendDevice(slots: 16) { _ in
      times += 1
      return times <= 4 ? .busy : nil
    }
    let program = try Self.program(Self.probe(Self.memless, &device))
    #expect(program.ids.count == 7 && device.waits == 4)
  }

  @Test func nothingIsTriedThatIsNotAdvertised() {
    for codes in [[], [0x60], [0x53], [0x51]] as [[Int]] {
      var device = PretendDevice(slots: 16)
      #expect(Self.probe(ForceFeedbackBits(CodeBits(codes)), &device) == .unsupported)
      #expect(device.attempts == 0)
    }
    var plan = ProbePlan(bits: Self.memless, slots: 16, motorClass: nil, strength: 0)
    #expect(plan.next() == .finished(.unsupported))
  }
}

@Suite struct MotorPlayerTests {
  static func program(slots: Int, memless: Bool, motorClass: MotorClass = .lra) -> MotorProgram {
    let table = EffectTable(motorClass: motorClass, strength: 1)
    var wanted: [Cue: MotorEffect] = [:]
    var ids: [MotorEffect: Int16] = [:]
    for cue in ProbePlan.priority {
      guard let effect = table.effect(for: cue, by: .rumble) else { continue }
      wanted[cue] = effect
      if ids.count < slots { ids[effect] = Int16(ids.count) }
    }
    return MotorProgram(
      method: .rumble, motorClass: motorClass, wanted: wanted, ids: ids, sharesSlot: slots == 1,
      stopsByItself: memless, slots: slots)
  }

  @Test func whatWasUploadedIsPlayedByOneWrite() {
    let player = MotorPlayer(Self.program(slots: 16, memless: true))
    #expect(player.need(for: .tick) == .write(id: 0))
    #expect(player.need(for: .selection) == .write(id: 1))
    #expect(player.uploadedIDs == [0, 1, 2, 3, 4, 5, 6])
    let onOff = MotorPlayer(Self.program(slots: 16, memless: true, motorClass: .onOff))
    #expect(onOff.need(for: .tickSoft) == .nothing)
  }

  @Test func oneSlotIsRewrittenOnlyWhenTheKindChanges() throws {
    let program = Self.program(slots: 1, memless: false)
    var player = MotorPlayer(program)
    #expect(player.need(for: .tick) == .write(id: 0))
    let selection = try #require(program.effects[.selection])
    #expect(player.need(for: .selection) == .replace(id: 0, selection))
    player.uploaded(selection, id: 0)
    #expect(player.need(for: .selection) == .write(id: 0))
  }

  @Test func aLostSlotIsReplacedOnceThenTheMotorIsGivenUp() throws {
    let program = Self.program(slots: 1, memless: false)
    var player = MotorPlayer(program)
    let heavy = try #require(program.effects[.heavy])
    #expect(player.refused(.busy) == .skip)
    #expect(player.need(for: .heavy) == .replace(id: 0, heavy))
    #expect(player.refused(.unsupported) == .retry)
    #expect(player.need(for: .heavy) == .upload(heavy))
    #expect(player.refused(.unsupported) == .disable)
    var lucky = MotorPlayer(program)
    #expect(lucky.refused(.unsupported) == .retry)
    lucky.uploaded(heavy, id: 3)
    #expect(lucky.need(for: .heavy) == .write(id: 3))
    #expect(lucky.uploadedIDs == [3])
    #expect(lucky.refused(.unsupported) == .retry)
    for fatal in [UploadRefusal.gone, .silent, .failed(.accessDenied)] {
      #expect(player.refused(fatal) == .disable)
    }
  }

  @Test func aDriverThatKeepsTheTimeIsLeftToIt() {
    var player = MotorPlayer(Self.program(slots: 16, memless: true))
    player.started(.tick, id: 0, nowUs: 0)
    #expect(player.deadlineUs == nil)
    #expect(player.due(nowUs: 10_000_000).isEmpty)
    #expect(player.stopAll() == [0])
    #expect(player.stopAll().isEmpty)
  }

  @Test func everyOtherIsStoppedByUs() {
    var player = MotorPlayer(Self.program(slots: 15, memless: false))
    player.started(.tick, id: 0, nowUs: 0)
    #expect(player.deadlineUs == 13_000)
    #expect(player.due(nowUs: 12_999).isEmpty)
    #expect(player.due(nowUs: 13_000) == [0])
    #expect(player.deadlineUs == nil)
  }

  @Test func aNewerPlayCancelsTheStopOfAnOlderOne() {
    var player = MotorPlayer(Self.program(slots: 15, memless: false))
    player.started(.tick, id: 0, nowUs: 0)
    player.started(.tick, id: 0, nowUs: 10_000)
    #expect(player.deadlineUs == 23_000)
    // Stopping the tick in the middle of the selection would stop the selection on some drivers.
    player.started(.selection, id: 1, nowUs: 12_000)
    #expect(player.due(nowUs: 30_000).isEmpty)
    #expect(player.due(nowUs: 33_000) == [0, 1])
  }
}
