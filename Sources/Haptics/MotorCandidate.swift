// SPDX-License-Identifier: Apache-2.0

package import LinuxIO

/// An evdev node with force feedback, as udev and sysfs describe it; nothing of it was opened.
package struct MotorCandidate: Hashable, Sendable {
  /// The device node, such as `/dev/input/event3`.
  package var node: String
  /// The kernel's name of the device.
  package var name: String
  /// udev's ID_PATH; empty where there is none.
  package var path: String
  /// udev's ID_SEAT; `seat0` where there is none.
  package var seat: String
  /// The directory of the node's input device in sysfs.
  package var sysfsPath: String
  /// What the device claims to play.
  package var effects: ForceFeedbackBits
  /// The key codes that the device has.
  package var keys: CodeBits
  /// Whether the device has axes, absolute or relative.
  package var hasAxes: Bool
  /// Whether udev says that this is a vibrator (FEEDBACKD_TYPE=vibra, or our rules' DETENT_TYPE=vibrator).
  package var isTaggedVibrator: Bool

  /// A candidate; what is not told is as for a bare vibrator on seat0.
  package init(
    node: String, name: String, path: String = "", seat: String = "seat0", sysfsPath: String = "",
    effects: ForceFeedbackBits, keys: CodeBits = CodeBits(), hasAxes: Bool = false,
    isTaggedVibrator: Bool = false
  ) {
    self.node = node
    self.name = name
    self.path = path
    self.seat = seat
    self.sysfsPath = sysfsPath
    self.effects = effects
    self.keys = keys
    self.hasAxes = hasAxes
    self.isTaggedVibrator = isTaggedVibrator
  }

  /// BTN_GAMEPAD, or a controller's other buttons: BTN_JOYSTICK to BTN_THUMBR.
  package var isGamepad: Bool { keys.intersects(0x120..<0x140) }

  /// Whether a program rather than a driver stands behind the node.
  ///
  /// Virtual pads of other programs answer late or never, so they are used only when named. A
  /// device on uhid, as Bluetooth makes them, is as real as any.
  package var isVirtual: Bool { sysfsPath.hasPrefix("/sys/devices/virtual/input/") }

  /// Whether this is a motor that exists to be felt: not a controller's, and not a virtual one.
  package var isVibrator: Bool {
    guard effects.canPlay, !isVirtual else { return false }
    return isTaggedVibrator || MotorClass.isVibratorName(name) || (keys.isEmpty && !hasAxes)
  }

  /// The class that the device itself tells; nil where nothing does.
  package var toldClass: MotorClass? {
    MotorClass(deviceName: name) ?? (isGamepad ? .gamepad : nil)
  }

  /// The number of the node, so that `event10` comes after `event9`.
  package var number: Int {
    Int(node.reversed().prefix { $0.isNumber }.reversed().map(String.init).joined()) ?? .max
  }

  /// How much of the way through sysfs two devices share: what sits on one USB device shares more
  /// than what sits on one hub.
  package func sharedDepth(with other: String) -> Int {
    zip(sysfsPath.split(separator: "/"), other.split(separator: "/")).prefix { $0 == $1 }.count
  }
}
