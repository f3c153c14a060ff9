// SPDX-License-Identifier: Apache-2.0

package import Wire

/// What each cue feels like on each class of motor.
///
/// Lengths are multiples of 4 ms, whole jiffies of the usual kernels. A linear actuator stays under
/// the 30 ms at which a pulse begins to feel like a vibration; a rotating mass gets its strength
/// from length rather than from amplitude, for it takes 50 to 100 ms to spin up; a motor that is
/// only on or off starts at 32 ms, because shorter is not felt there.
package struct EffectTable: Sendable {
  /// The class of the motor.
  package var motorClass: MotorClass
  /// The user's scale, 0 to 1.
  package var strength: Double

  /// A table for one motor; a strength outside 0 to 1, or none, is drawn into it.
  package init(motorClass: MotorClass, strength: Double) {
    self.motorClass = motorClass
    self.strength = strength.isNaN ? 1 : min(max(strength, 0), 1)
  }

  /// The effect of a cue; nil where this motor rather plays nothing.
  ///
  /// That is so for `tick_soft` on a motor which cannot be soft, and for everything at strength 0.
  package func effect(for cue: Cue, by method: EffectMethod) -> MotorEffect? {
    guard strength > 0 else { return nil }
    if case .haptic(let tick) = method { return waveform(cue, tick: tick) }
    guard let entry = entry(cue) else { return nil }
    let level = Self.replicated(entry.level, strength)
    switch method {
    case .haptic: return nil
    case .rumble:
      // Single motors get both values: some drivers read only the one, some only the other. On a
      // controller the small motor is the quick one, and the large one joins for what is heavy.
      let both = motorClass != .gamepad || cue == .limit || cue == .heavy
      return MotorEffect(
        .rumble(strong: both ? level : 0, weak: level), lengthMS: entry.lengthMS)
    case .periodic(let waveform):
      return MotorEffect(
        .periodic(waveform, periodMS: 5, magnitude: Int16(level / 2)), lengthMS: entry.lengthMS)
    case .constant:
      return MotorEffect(.constant(level: Int16(level / 2)), lengthMS: entry.lengthMS)
    }
  }

  /// A level whose two bytes are equal: old drv260x drivers read the low one, new ones the high one.
  package static func replicated(_ byte: UInt8, _ strength: Double) -> UInt16 {
    UInt16(max(1, (Double(byte) * strength).rounded())) * 0x101
  }

  private struct Entry {
    var level: UInt8
    var lengthMS: UInt16

    init(_ level: UInt8, _ lengthMS: UInt16) {
      self.level = level
      self.lengthMS = lengthMS
    }
  }

  private func entry(_ cue: Cue) -> Entry? {
    switch motorClass {
    // A pad that takes no waveform after all is driven like the actuator that it is.
    case .lra, .hapticPad:
      switch cue {
      case .tickSoft: Entry(0x30, 8)
      case .tick: Entry(0x50, 8)
      case .light: Entry(0x60, 12)
      case .selection: Entry(0x80, 16)
      case .medium: Entry(0xA0, 20)
      case .limit: Entry(0xC0, 24)
      case .heavy: Entry(0xFF, 28)
      }
    case .erm, .gamepad:
      switch cue {
      case .tickSoft: Entry(0x80, 20)
      case .tick: Entry(0xA0, 24)
      case .light: Entry(0xA0, 28)
      case .selection: Entry(0xC0, 36)
      case .medium: Entry(0xFF, 44)
      case .limit: Entry(0xFF, 52)
      case .heavy: Entry(0xFF, 64)
      }
    case .onOff:
      switch cue {
      case .tickSoft: nil
      case .tick: Entry(0xFF, 32)
      case .light: Entry(0xFF, 36)
      case .selection: Entry(0xFF, 44)
      case .medium: Entry(0xFF, 56)
      case .limit: Entry(0xFF, 64)
      case .heavy: Entry(0xFF, 80)
      }
    }
  }

  private func waveform(_ cue: Cue, tick: HapticUsage) -> MotorEffect {
    let (usage, percent): (HapticUsage, Double) =
      switch cue {
      case .tickSoft: (tick, 20)
      case .tick: (tick, 35)
      case .light: (.click, 35)
      case .selection: (.click, 50)
      case .medium: (.click, 70)
      case .limit: (.click, 85)
      case .heavy: (.click, 100)
      }
    let intensity = UInt16(max(1, (percent * strength).rounded()))
    // The pad knows how long its waveforms are and does not read the length; one is set all the
    // same, so that no device ever sees 0.
    return MotorEffect(.haptic(usage, intensity: intensity), lengthMS: 20)
  }
}
