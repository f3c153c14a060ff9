// SPDX-License-Identifier: Apache-2.0

import LinuxIO

/// Which nodes are opened at all: decided by what udev says, before anything is opened.
///
/// A service on a kiosk must never be able to read what is typed. So a keyboard stays closed, and
/// where one node is a touch device and has keys too, the keys are masked in the kernel.
struct NodePolicy {
  /// What udev calls a node, and what the node can do.
  struct Facts: Hashable {
    /// ID_INPUT: udev has looked at the node and takes it for an input device.
    var isInput = false
    /// ID_INPUT_TOUCHSCREEN.
    var isTouchscreen = false
    /// ID_INPUT_TOUCHPAD.
    var isTouchpad = false
    /// ID_INPUT_TABLET.
    var isTablet = false
    /// ID_INPUT_TABLET_PAD: the buttons beside a tablet.
    var isTabletPad = false
    /// ID_INPUT_MOUSE.
    var isMouse = false
    /// ID_INPUT_POINTINGSTICK or ID_INPUT_TRACKBALL.
    var isRelativePointer = false
    /// ID_INPUT_KEYBOARD: a keyboard with letters.
    var isKeyboard = false
    /// LIBINPUT_IGNORE_DEVICE.
    var isIgnored = false
    /// The node has ABS_X and ABS_Y.
    var hasAbsolutePosition = false
    /// A surface for fingers or pens.
    var isSurface: Bool { isTouchscreen || isTouchpad || isTablet }
  }

  /// What to do with a node.
  enum Decision: Hashable {
    /// Open it, with key codes below BTN_MISC masked.
    case open
    /// Leave it closed, for a reason that completes "not used: …".
    case refuse(String)
  }

  /// What to do with a node of which these facts are known.
  static func decide(_ facts: Facts) -> Decision {
    if facts.isIgnored { return .refuse("LIBINPUT_IGNORE_DEVICE is set") }
    if facts.isKeyboard, !facts.isSurface {
      return .refuse("a keyboard; keyboards are never opened")
    }
    if facts.isSurface, !facts.isTabletPad { return .open }
    if facts.isTabletPad { return .refuse("the buttons of a tablet") }
    if facts.isRelativePointer { return .refuse("a relative pointer has no place on a display") }
    if facts.isMouse {
      if facts.hasAbsolutePosition { return .open }
      return .refuse("a relative mouse has no place on a display")
    }
    if !facts.isInput {
      return .refuse(
        "udev has no ID_INPUT for it; run udevadm trigger, and in a container mount /run/udev")
    }
    return .refuse("udev calls it neither touchscreen, touchpad, tablet nor absolute pointer")
  }
}

extension NodePolicy.Facts {
  /// The facts that udev and the kernel tell.
  init(_ device: UdevDevice) {
    isInput = device.flag("ID_INPUT")
    isTouchscreen = device.flag("ID_INPUT_TOUCHSCREEN")
    isTouchpad = device.flag("ID_INPUT_TOUCHPAD")
    isTablet = device.flag("ID_INPUT_TABLET")
    isTabletPad = device.flag("ID_INPUT_TABLET_PAD")
    isMouse = device.flag("ID_INPUT_MOUSE")
    isRelativePointer =
      device.flag("ID_INPUT_POINTINGSTICK") || device.flag("ID_INPUT_TRACKBALL")
    isKeyboard = device.flag("ID_INPUT_KEYBOARD")
    isIgnored = device.flag("LIBINPUT_IGNORE_DEVICE")
    let axes = CodeBits(sysfs: device.inputAttribute("capabilities/abs") ?? "")
    // ABS_X and ABS_Y.
    hasAbsolutePosition = axes.contains(0) && axes.contains(1)
  }
}
