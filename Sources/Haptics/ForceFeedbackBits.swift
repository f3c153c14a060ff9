// SPDX-License-Identifier: Apache-2.0

package import LinuxIO

/// The codes of EV_FF that matter here, under the kernel's names in `linux/input-event-codes.h`.
package enum ForceFeedbackCode {
  /// FF_HAPTIC, of kernels from 6.18.
  package static let haptic = 0x4F
  /// FF_RUMBLE.
  package static let rumble = 0x50
  /// FF_PERIODIC.
  package static let periodic = 0x51
  /// FF_CONSTANT.
  package static let constant = 0x52
  /// FF_SQUARE.
  package static let square = 0x58
  /// FF_TRIANGLE.
  package static let triangle = 0x59
  /// FF_SINE.
  package static let sine = 0x5A
  /// FF_GAIN.
  package static let gain = 0x60

  /// The bits of a driver on the kernel's ff-memless, which keeps the time by itself.
  package static let memless = [rumble, periodic, square, triangle, sine, gain]
}

/// What a device says it can do with effects, which only an upload proves.
package struct ForceFeedbackBits: Hashable, Sendable {
  /// The codes of EV_FF that the device advertises.
  package var codes: CodeBits

  /// What these codes claim.
  package init(_ codes: CodeBits) { self.codes = codes }

  /// Whether the device claims a kind of effect that a cue can be made of.
  package var canPlay: Bool {
    typealias Code = ForceFeedbackCode
    return [Code.haptic, Code.rumble, Code.periodic, Code.constant].contains {
      codes.contains($0)
    }
  }

  /// Whether the device has a gain to be set.
  package var hasGain: Bool { codes.contains(ForceFeedbackCode.gain) }

  /// Whether the kernel's ff-memless drives this device, which stops an effect after its length.
  ///
  /// Everywhere else we stop it ourselves: da7280 for one ignores the length.
  ///
  /// - Parameter slots: what EVIOCGEFFECTS says.
  package func isMemless(slots: Int) -> Bool {
    slots == 16 && codes.isExactly(ForceFeedbackCode.memless)
  }

  /// Whether the device claims this waveform of FF_PERIODIC.
  package func has(_ waveform: MotorEffect.Waveform) -> Bool {
    switch waveform {
    case .sine: codes.contains(ForceFeedbackCode.sine)
    case .triangle: codes.contains(ForceFeedbackCode.triangle)
    case .square: codes.contains(ForceFeedbackCode.square)
    }
  }
}
