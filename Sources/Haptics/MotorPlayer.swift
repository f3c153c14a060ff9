// SPDX-License-Identifier: Apache-2.0

package import Wire

/// Turns cues into writes to one motor, and knows which effects still play.
///
/// A state machine: it is asked what a cue needs, does no I/O, and is told how an upload went.
package struct MotorPlayer: Sendable {
  /// What a cue needs before it can be played.
  package enum Need: Hashable, Sendable {
    /// Nothing: write this id.
    case write(id: Int16)
    /// The one slot has another effect: put this into it, first.
    case replace(id: Int16, MotorEffect)
    /// The slot was lost: upload into a new one, first.
    case upload(MotorEffect)
    /// This motor does not play it.
    case nothing
  }

  /// What an upload that was refused means.
  package enum Setback: Hashable, Sendable {
    /// Ask again what the cue needs.
    case retry
    /// This cue is not played.
    case skip
    /// The motor cannot be used any more.
    case disable
  }

  /// How long after an effect's length we stop it where the driver does not, in microseconds.
  package static let stopMarginUs: Int64 = 5_000

  private let program: MotorProgram
  /// The effect that the shared slot holds; nil after it was lost.
  private var held: MotorEffect?
  private var sharedID: Int16?
  private var hasRetried = false
  /// When each effect that may be playing ends, by id.
  private var endsUs: [Int16: Int64] = [:]

  /// A player of what a probe left.
  package init(_ program: MotorProgram) {
    self.program = program
    if program.sharesSlot, let only = program.ids.first {
      held = only.key
      sharedID = only.value
    }
  }

  /// What is to be done to play a cue.
  package func need(for cue: Cue) -> Need {
    guard let effect = program.effects[cue] else { return .nothing }
    guard program.sharesSlot else {
      return program.ids[effect].map { .write(id: $0) } ?? .nothing
    }
    guard let sharedID else { return .upload(effect) }
    return effect == held ? .write(id: sharedID) : .replace(id: sharedID, effect)
  }

  /// The upload that a cue needed went well.
  package mutating func uploaded(_ effect: MotorEffect, id: Int16) {
    held = effect
    sharedID = id
    hasRetried = false
  }

  /// The upload that a cue needed was refused.
  package mutating func refused(_ reason: UploadRefusal) -> Setback {
    switch reason {
    case .busy: return .skip
    case .unsupported, .noSlot:
      // The kernel may have lost the effect; one new one is worth a try.
      guard !hasRetried else { return .disable }
      hasRetried = true
      held = nil
      sharedID = nil
      return .retry
    case .gone, .silent, .failed: return .disable
    }
  }

  /// The cue was written.
  package mutating func started(_ cue: Cue, id: Int16, nowUs: Int64) {
    let lengthUs = Int64(program.effects[cue]?.lengthMS ?? 0) * 1000
    let endUs = nowUs + lengthUs + Self.stopMarginUs
    endsUs[id] = endUs
    if program.stopsByItself {
      // What ended long ago need not be remembered where the driver does the stopping.
      endsUs = endsUs.filter { $0.value + 1_000_000 > nowUs }
    } else {
      // Some drivers have one state for all effects: stopping an older one would cut this one off.
      endsUs = endsUs.mapValues { max($0, endUs) }
    }
  }

  /// When an effect has to be stopped by us next; nil where none has.
  package var deadlineUs: Int64? {
    program.stopsByItself ? nil : endsUs.values.min()
  }

  /// The ids of the effects that are due to be stopped, which are taken as stopped from now on.
  package mutating func due(nowUs: Int64) -> [Int16] {
    guard !program.stopsByItself else { return [] }
    let ids = endsUs.filter { $0.value <= nowUs }.keys.sorted()
    for id in ids { endsUs[id] = nil }
    return ids
  }

  /// The ids of all effects that may be playing, which are taken as stopped from now on.
  package mutating func stopAll() -> [Int16] {
    let ids = endsUs.keys.sorted()
    endsUs = [:]
    return ids
  }

  /// The ids of all effects that hold a slot.
  package var uploadedIDs: [Int16] {
    program.sharesSlot ? sharedID.map { [$0] } ?? [] : program.ids.values.sorted()
  }
}
