// SPDX-License-Identifier: Apache-2.0

package import Wire

/// What a probe left on a motor: which effect each cue plays, and under which id it was uploaded.
package struct MotorProgram: Hashable, Sendable {
  /// The kind of effect that the device takes.
  package let method: EffectMethod
  /// The class that the effects were made for.
  package let motorClass: MotorClass
  /// The effect of each cue that the motor can play.
  package let effects: [Cue: MotorEffect]
  /// The id of each effect that has a slot.
  package let ids: [MotorEffect: Int16]
  /// Whether all effects take turns in one slot, because the device has no second one.
  package let sharesSlot: Bool
  /// Whether the driver stops an effect after its length; else we do.
  package let stopsByItself: Bool
  /// How many effects the device says it holds.
  package let slots: Int

  /// Makes a program of what was uploaded.
  ///
  /// - Parameters:
  ///   - wanted: the effect that each cue should have.
  ///   - ids: what was uploaded; at least one effect.
  ///   - sharesSlot: whether the one effect is to be replaced by whichever is needed; else cues
  ///     whose effect found no slot play the uploaded one that is nearest in strength.
  package init(
    method: EffectMethod, motorClass: MotorClass, wanted: [Cue: MotorEffect],
    ids: [MotorEffect: Int16], sharesSlot: Bool, stopsByItself: Bool, slots: Int
  ) {
    self.method = method
    self.motorClass = motorClass
    self.ids = ids
    self.sharesSlot = sharesSlot
    self.stopsByItself = stopsByItself
    self.slots = slots
    effects =
      sharesSlot ? wanted : wanted.mapValues { Self.nearest(to: $0, among: ids.keys) ?? $0 }
  }

  /// The length of each cue that can be played, in milliseconds.
  package var lengthsMS: [Cue: UInt16] { effects.mapValues(\.lengthMS) }

  /// The uploaded effect that feels most like this one: itself where it has a slot.
  private static func nearest(
    to effect: MotorEffect, among uploaded: some Collection<MotorEffect>
  ) -> MotorEffect? {
    func felt(_ effect: MotorEffect) -> Double {
      effect.strength * (1 + Double(effect.lengthMS) / 100)
    }
    if uploaded.contains(effect) { return effect }
    // Of two that are equally near, the softer one.
    return uploaded.min {
      (abs(felt($0) - felt(effect)), felt($0)) < (abs(felt($1) - felt(effect)), felt($1))
    }
  }
}
