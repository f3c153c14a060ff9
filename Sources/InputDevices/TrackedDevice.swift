// SPDX-License-Identifier: Apache-2.0

import CLibinput
import CLinux
import Gestures
import LinuxIO

/// A device that libinput has added, with the state that its events need.
final class TrackedDevice {
  /// What the device's events are.
  enum Role {
    /// Touch events with slots.
    case touch
    /// An absolute pointer with a button: a panel in mouse mode.
    case pointer
    /// A pen on a display or tablet, whose tip is one finger.
    case pen
    /// Scrolls, gestures and taps.
    case touchpad
  }

  /// libinput's object; this holds a reference.
  let raw: OpaquePointer
  /// What the rest of the service knows of it.
  let device: InputDevice
  /// What the device's events are.
  let role: Role
  /// Which hardware it is.
  let identity: PhysicalIdentity
  /// Whether another node of the same hardware is used instead.
  var isSuppressed = false

  var clock = EventClock()
  var contacts = ContactTable()
  /// The last absolute position of a pointer, 0…1; nil before the first motion.
  var position: (x: Double, y: Double)?
  /// Who knows of fingers that hover; nil for devices that report none.
  var hover: HoverWitness?
  /// Where the fingers of such a device are, by slot, whether they touch or hover.
  var places: [Int: (x: Double, y: Double)] = [:]
  /// Whether a two-finger scroll runs.
  var isScrolling = false

  init(raw: OpaquePointer, device: InputDevice, role: Role, identity: PhysicalIdentity) {
    self.raw = libinput_device_ref(raw)
    self.device = device
    self.role = role
    self.identity = identity
  }

  deinit {
    libinput_device_unref(raw)
  }

  /// The role of a device; nil where its events are of no use.
  static func role(of raw: OpaquePointer, _ facts: NodePolicy.Facts) -> Role? {
    func has(_ capability: libinput_device_capability) -> Bool {
      libinput_device_has_capability(raw, capability) != 0
    }
    if has(LIBINPUT_DEVICE_CAP_TOUCH) { return .touch }
    if has(LIBINPUT_DEVICE_CAP_TABLET_TOOL) { return .pen }
    guard has(LIBINPUT_DEVICE_CAP_POINTER) else { return nil }
    if facts.isTouchpad { return .touchpad }
    guard facts.hasAbsolutePosition,
      libinput_device_pointer_has_button(raw, UInt32(BTN_LEFT)) > 0
    else { return nil }
    return .pointer
  }

  /// Why a device without a role is not used.
  static let roleless = "it has neither touch nor an absolute position with a button"

  /// The size of the surface; nil where the device does not tell it.
  static func sizeMM(of raw: OpaquePointer) -> (width: Double, height: Double)? {
    var width = 0.0
    var height = 0.0
    guard libinput_device_get_size(raw, &width, &height) == 0, width > 0, height > 0
    else { return nil }
    return (width, height)
  }

  /// The kind that the rest of the service sees.
  static func kind(of role: Role) -> InputDevice.Kind {
    role == .touchpad ? .touchpad : .touchscreen
  }

  /// Switches on what Detent needs of a touchpad; what a device cannot do is no error.
  func configure() {
    guard role == .touchpad else { return }
    if libinput_device_config_tap_get_finger_count(raw) > 0 {
      libinput_device_config_tap_set_enabled(raw, LIBINPUT_CONFIG_TAP_ENABLED)
      // With tap-and-drag a tap would be told only after the time in which a drag could follow.
      libinput_device_config_tap_set_drag_enabled(raw, LIBINPUT_CONFIG_DRAG_DISABLED)
    }
    // Which way content moves is the configuration's choice, so here it must be known.
    if libinput_device_config_scroll_has_natural_scroll(raw) != 0 {
      libinput_device_config_scroll_set_natural_scroll_enabled(raw, 0)
    }
    if libinput_device_config_scroll_get_methods(raw) & LIBINPUT_CONFIG_SCROLL_2FG.rawValue != 0 {
      libinput_device_config_scroll_set_method(raw, LIBINPUT_CONFIG_SCROLL_2FG)
    }
  }

  /// The calibration in force, row by row; nil where there is none or the device has no use for it.
  var calibration: [Float]? {
    guard libinput_device_config_calibration_has_matrix(raw) != 0 else { return nil }
    var matrix = [Float](repeating: 0, count: 6)
    guard libinput_device_config_calibration_get_matrix(raw, &matrix) != 0 else { return nil }
    return matrix
  }
}
