// SPDX-License-Identifier: Apache-2.0

import CLinux

/// An effect as a motor's driver sees it.
package struct UploadedEffect: Hashable, Sendable {
  /// The code of EV_FF, such as `FF_RUMBLE`.
  package var type: UInt16
  /// How long it lasts; 0 is until it is stopped.
  package var lengthMS: Int
  package var delayMS: Int
  /// FF_RUMBLE: the strength of the large motor, 0…0xFFFF.
  package var strong = 0
  /// FF_RUMBLE: the strength of the small motor, 0…0xFFFF.
  package var weak = 0
  /// FF_PERIODIC: the waveform, such as `FF_SINE`.
  package var waveform: UInt16 = 0
  /// FF_PERIODIC: the period in milliseconds.
  package var periodMS = 0
  /// FF_PERIODIC: the magnitude; FF_CONSTANT: the level; -0x8000…0x7FFF.
  package var level = 0
  /// FF_HAPTIC: the HID usage of the waveform.
  package var hidUsage = 0
  /// FF_HAPTIC: the intensity in per cent.
  package var intensity = 0

  init(_ raw: ff_effect) {
    type = raw.type
    lengthMS = Int(raw.replay.length)
    delayMS = Int(raw.replay.delay)
    switch Int32(raw.type) {
    case FF_RUMBLE:
      strong = Int(raw.u.rumble.strong_magnitude)
      weak = Int(raw.u.rumble.weak_magnitude)
    case FF_PERIODIC:
      waveform = raw.u.periodic.waveform
      periodMS = Int(raw.u.periodic.period)
      level = Int(raw.u.periodic.magnitude)
    case FF_CONSTANT:
      level = Int(raw.u.constant.level)
    case 0x4F:
      // FF_HAPTIC is younger than the headers of Debian 12: usage at 16, intensity at 22.
      withUnsafeBytes(of: raw) { bytes in
        hidUsage = Int(bytes.load(fromByteOffset: 16, as: UInt16.self))
        intensity = Int(bytes.load(fromByteOffset: 22, as: UInt16.self))
      }
    default: break
    }
  }
}
