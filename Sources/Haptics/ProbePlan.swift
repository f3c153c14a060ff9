// SPDX-License-Identifier: Apache-2.0

package import LinuxIO
package import Wire

/// Finds out by uploading what a device can really play, and leaves it uploaded.
///
/// Nothing is ever played. The advertised bits only say what is worth a try: any driver of
/// FF_PERIODIC also advertises FF_RUMBLE, and some refuse it. A plan is asked for its step, and told
/// how that went, in turns.
package struct ProbePlan: Sendable {
  /// What is to be done next.
  package enum Step: Hashable, Sendable {
    /// Upload this into a new slot.
    case upload(MotorEffect)
    /// Wait 20 ms, then ask again.
    case wait
    /// There is nothing left to do.
    case finished(Outcome)
  }

  /// How a probe ended.
  package enum Outcome: Hashable, Sendable {
    /// The motor can be used.
    case ready(MotorProgram)
    /// The device takes none of the effects that we know.
    case unsupported
    /// All slots are taken by others.
    case noSlot
    /// The device stayed busy.
    case busy
    /// The device is gone.
    case gone
    /// The driver does not answer.
    case silent
    /// It failed in another way.
    case failed(Errno)
  }

  /// How often a busy device is asked again, in all.
  package static let patience = 10

  /// The order in which cues get slots, where there are few.
  package static let priority: [Cue] = [
    .tick, .selection, .limit, .light, .medium, .heavy, .tickSoft,
  ]

  private let toldClass: MotorClass?
  private let strength: Double
  private let slots: Int
  private let stopsByItself: Bool
  private var methods: [EffectMethod]
  private var cues = ProbePlan.priority
  /// The waveforms of a pad that may yet serve as a tick, the best first.
  private var ticks = HapticUsage.ticks
  private var ids: [MotorEffect: Int16] = [:]
  private var refused: Set<MotorEffect> = []
  private var waits = 0
  private var step: Step?
  private var outcome: Outcome?
  private var sharesSlot = false

  /// A plan for one device.
  ///
  /// - Parameters:
  ///   - bits: what the device advertises.
  ///   - slots: what EVIOCGEFFECTS says.
  ///   - motorClass: the class that the configuration or the device tells; nil where neither does.
  ///   - strength: the user's scale, above 0.
  package init(
    bits: ForceFeedbackBits, slots: Int, motorClass: MotorClass?, strength: Double
  ) {
    self.slots = slots
    self.strength = strength
    toldClass = motorClass
    stopsByItself = bits.isMemless(slots: slots)
    methods = Self.methods(bits, isMemless: stopsByItself)
  }

  /// What to do now; the same until it is told how that went.
  package mutating func next() -> Step {
    if let step { return step }
    let next = decide()
    step = next
    return next
  }

  /// The upload went well, and the effect has this id.
  package mutating func uploaded(id: Int16) {
    guard case .upload(let effect) = step else { return }
    step = nil
    ids[effect] = id
    if slots == 1 { sharesSlot = true }
  }

  /// The upload was refused.
  package mutating func refused(_ reason: UploadRefusal) {
    guard case .upload(let effect) = step else { return }
    step = nil
    switch reason {
    case .unsupported: refused.insert(effect)
    case .busy:
      waits += 1
      step = waits <= Self.patience ? .wait : nil
      if waits > Self.patience, ids.isEmpty { outcome = .busy }
      if waits > Self.patience, !ids.isEmpty { cues = [] }
    case .noSlot:
      if ids.isEmpty { outcome = .noSlot }
      // The driver has said how much it holds, whatever EVIOCGEFFECTS claims.
      sharesSlot = ids.count == 1
      cues = []
    case .gone: outcome = .gone
    case .silent: outcome = .silent
    case .failed(let error): outcome = .failed(error)
    }
  }

  /// The wait is over.
  package mutating func waited() {
    step = nil
  }

  private mutating func decide() -> Step {
    if let outcome { return .finished(outcome) }
    while let method = methods.first {
      // A method is proved by its first effect; until then a refusal means the next method.
      if ids.isEmpty {
        if let first = proof(of: method), !refused.contains(first) { return .upload(first) }
        methods.removeFirst()
        continue
      }
      return continueUploading(by: method)
    }
    outcome = .unsupported
    return .finished(.unsupported)
  }

  private mutating func continueUploading(by proved: EffectMethod) -> Step {
    var method = proved
    if case .haptic = proved {
      while !sharesSlot, !cues.isEmpty, let tick = ticks.first {
        guard let effect = table(for: proved).effect(for: .tick, by: .haptic(tick: tick)) else {
          break
        }
        if ids[effect] != nil { break }
        if !refused.contains(effect) { return .upload(effect) }
        ticks.removeFirst()
      }
      method = .haptic(tick: sharesSlot || cues.isEmpty ? .click : ticks.first ?? .click)
    }
    let table = table(for: method)
    while !sharesSlot, let cue = cues.first {
      if let effect = table.effect(for: cue, by: method), ids[effect] == nil,
        !refused.contains(effect)
      {
        return .upload(effect)
      }
      cues.removeFirst()
    }
    return finish(by: method)
  }

  private mutating func finish(by method: EffectMethod) -> Step {
    let table = table(for: method)
    var wanted: [Cue: MotorEffect] = [:]
    for cue in Cue.allCases { wanted[cue] = table.effect(for: cue, by: method) }
    let program = MotorProgram(
      method: method, motorClass: table.motorClass, wanted: wanted, ids: ids,
      sharesSlot: sharesSlot, stopsByItself: stopsByItself, slots: slots)
    outcome = .ready(program)
    return .finished(.ready(program))
  }

  /// The effect whose upload shows that a method works.
  private func proof(of method: EffectMethod) -> MotorEffect? {
    if case .haptic = method { return table(for: method).effect(for: .light, by: method) }
    return table(for: method).effect(for: .tick, by: method)
  }

  private static func methods(_ bits: ForceFeedbackBits, isMemless: Bool) -> [EffectMethod] {
    var methods: [EffectMethod] = []
    let codes = bits.codes
    let hasRumble = codes.contains(ForceFeedbackCode.rumble)
    if codes.contains(ForceFeedbackCode.haptic) { methods.append(.haptic(tick: .click)) }
    if hasRumble, isMemless { methods.append(.rumble) }
    if codes.contains(ForceFeedbackCode.periodic) {
      // Elsewhere the kernel turns a rumble into a sine of 50 ms, of which a tick is not even half.
      methods += MotorEffect.Waveform.allCases.filter(bits.has).map { .periodic($0) }
    }
    if hasRumble, !isMemless { methods.append(.rumble) }
    if codes.contains(ForceFeedbackCode.constant) { methods.append(.constant) }
    return methods
  }

  private func table(for method: EffectMethod) -> EffectTable {
    let motorClass: MotorClass =
      switch method {
      case .haptic: .hapticPad
      // Drivers that make waves drive actuators that follow them.
      case .periodic, .constant: toldClass ?? .lra
      case .rumble: toldClass ?? .erm
      }
    return EffectTable(motorClass: motorClass, strength: strength)
  }
}
