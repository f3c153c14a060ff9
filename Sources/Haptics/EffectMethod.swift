// SPDX-License-Identifier: Apache-2.0

/// The kind of effect that a device was found to take.
package enum EffectMethod: Hashable, Sendable {
  /// FF_HAPTIC with this waveform for ticks.
  case haptic(tick: HapticUsage)
  /// FF_RUMBLE.
  case rumble
  /// FF_PERIODIC with this waveform.
  case periodic(MotorEffect.Waveform)
  /// FF_CONSTANT.
  case constant

  /// The name that `detentctl devices` shows.
  package var name: String {
    switch self {
    case .haptic: "FF_HAPTIC"
    case .rumble: "FF_RUMBLE"
    case .periodic(.sine): "FF_PERIODIC sine"
    case .periodic(.triangle): "FF_PERIODIC triangle"
    case .periodic(.square): "FF_PERIODIC square"
    case .constant: "FF_CONSTANT"
    }
  }
}
