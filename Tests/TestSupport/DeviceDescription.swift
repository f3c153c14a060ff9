// SPDX-License-Identifier: Apache-2.0

import CLinux

/// What a kernel input device says of itself: names, numbers and the events that it can send.
package struct DeviceDescription: Hashable, Sendable {
  /// The range of one absolute axis.
  package struct Axis: Hashable, Sendable {
    package var minimum: Int32
    package var maximum: Int32
    package var fuzz: Int32
    package var flat: Int32
    /// Units per millimetre; 0 where the size is not known.
    package var resolution: Int32

    /// A range with both ends included.
    package init(
      _ range: ClosedRange<Int32>, fuzz: Int32 = 0, flat: Int32 = 0, resolution: Int32 = 0
    ) {
      minimum = range.lowerBound
      maximum = range.upperBound
      self.fuzz = fuzz
      self.flat = flat
      self.resolution = resolution
    }

    /// The device's number for a place of 0…1 along the axis; places outside are kept outside.
    package func value(at place: Double) -> Int32 {
      minimum + Int32((place * Double(maximum - minimum)).rounded())
    }

    /// The device's number for a place in millimetres from the axis's start; needs a resolution.
    package func value(atMM millimetres: Double) -> Int32 {
      minimum + Int32((millimetres * Double(resolution)).rounded())
    }

    /// The length of the axis in millimetres; 0 where the device has no resolution.
    package var lengthMM: Double {
      resolution > 0 ? Double(maximum - minimum) / Double(resolution) : 0
    }
  }

  /// The device's name, at most 79 bytes.
  package var name: String
  /// The bus, such as `BUS_USB`.
  package var bus: UInt16 = UInt16(BUS_VIRTUAL)
  package var vendor: UInt16 = 0
  package var product: UInt16 = 0
  package var version: UInt16 = 0
  /// Where the device is plugged in; empty for nothing.
  package var phys = ""
  /// Codes of INPUT_PROP_*.
  package var properties: Set<UInt16> = []
  /// Codes by event type, EV_ABS excepted: EV_KEY, EV_REL, EV_MSC, EV_FF and so on.
  package var codes: [UInt16: Set<UInt16>] = [:]
  /// The absolute axes by code.
  package var axes: [UInt16: Axis] = [:]
  /// How many force-feedback effects the device holds; only for devices with codes of EV_FF.
  package var effectSlots: UInt32 = 0

  /// A device that can do nothing yet.
  package init(name: String) {
    self.name = name
  }
}
