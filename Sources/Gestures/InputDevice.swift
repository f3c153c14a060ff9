// SPDX-License-Identifier: Apache-2.0

/// An input device as the rest of the service knows it.
package struct InputDevice: Hashable, Sendable {
  /// What a device is used as.
  package enum Kind: String, Sendable, CaseIterable {
    /// Contacts on a display.
    case touchscreen
    /// Scrolls, swipes, pinches, holds and taps.
    case touchpad
    /// Turns and presses.
    case knob
  }

  /// A number that no other device of this run has.
  package var number: Int
  /// The stable name that clients and recordings see: the node's sysname, or the id that a recording gives.
  package var id: String
  /// What the device is used as.
  package var kind: Kind
  /// The kernel's name of the device.
  package var name: String
  /// udev's ID_PATH, which tells two panels of one make apart; empty where there is none.
  package var path: String
  /// The device node, such as `/dev/input/event3`; empty for a recording.
  package var node: String
  /// The size of the surface in millimetres, where the device tells it.
  package var widthMM: Double?
  /// The size of the surface in millimetres, where the device tells it.
  package var heightMM: Double?

  /// A device; what is not known stays empty.
  package init(
    number: Int, id: String, kind: Kind, name: String, path: String = "", node: String = "",
    widthMM: Double? = nil, heightMM: Double? = nil
  ) {
    self.number = number
    self.id = id
    self.kind = kind
    self.name = name
    self.path = path
    self.node = node
    self.widthMM = widthMM
    self.heightMM = heightMM
  }
}
