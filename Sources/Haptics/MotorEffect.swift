// SPDX-License-Identifier: Apache-2.0

/// One force-feedback effect, as it is uploaded: a value that knows nothing of the kernel's layout.
package struct MotorEffect: Hashable, Sendable {
  /// What the motor does.
  package enum Shape: Hashable, Sendable {
    /// FF_RUMBLE: the strength of the large and of the small motor, 0 to 0xFFFF.
    case rumble(strong: UInt16, weak: UInt16)
    /// FF_PERIODIC: a wave of `periodMS` milliseconds and a magnitude of 0 to 0x7FFF.
    case periodic(Waveform, periodMS: UInt16, magnitude: Int16)
    /// FF_CONSTANT: a level of 0 to 0x7FFF.
    case constant(level: Int16)
    /// FF_HAPTIC: a waveform that the device keeps, with its intensity in per cent.
    case haptic(HapticUsage, intensity: UInt16)
  }

  /// A waveform of FF_PERIODIC.
  package enum Waveform: Sendable, CaseIterable {
    /// FF_SINE.
    case sine
    /// FF_TRIANGLE.
    case triangle
    /// FF_SQUARE.
    case square
  }

  /// What the motor does.
  package var shape: Shape
  /// How long it does it, in milliseconds; never 0, which would be for ever.
  package var lengthMS: UInt16

  /// An effect of at least one millisecond.
  package init(_ shape: Shape, lengthMS: UInt16) {
    self.shape = shape
    self.lengthMS = max(lengthMS, 1)
  }

  /// The strength that is felt, 0 to 1, whatever the shape.
  package var strength: Double {
    switch shape {
    case .rumble(let strong, let weak): Double(max(strong, weak)) / 0xFFFF
    case .periodic(_, _, let magnitude): Double(magnitude) / 0x7FFF
    case .constant(let level): Double(level) / 0x7FFF
    case .haptic(_, let intensity): Double(intensity) / 100
    }
  }
}

/// A waveform of the HID haptics page that is safe to ask for.
///
/// PRESS (0x1006) and RELEASE (0x1007) are not among them and must never be: uploading one of them
/// switches a touchpad's own clicking off until it is probed anew.
package enum HapticUsage: Hashable, Sendable, CaseIterable {
  /// Google's tick: vendor 0x18D1, page 1, usage 0x2006.
  case vendorTick
  /// HOVER, 0x1008.
  case hover
  /// CLICK, 0x1003.
  case click

  /// The usage, as `hid_usage` wants it.
  package var usage: UInt16 {
    switch self {
    case .vendorTick: 0x2006
    case .hover: 0x1008
    case .click: 0x1003
    }
  }

  /// The vendor that a vendor usage belongs to; 0 for the usages of the HID tables.
  package var vendor: UInt16 { self == .vendorTick ? 0x18D1 : 0 }

  /// The vendor's waveform page; 0 for the usages of the HID tables.
  package var vendorPage: UInt8 { self == .vendorTick ? 1 : 0 }

  /// The waveforms that serve as a tick, the best first.
  package static let ticks: [HapticUsage] = [.vendorTick, .hover, .click]
}
