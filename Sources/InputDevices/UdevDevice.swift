// SPDX-License-Identifier: Apache-2.0

import CLibinput
import Glibc

/// The door to udev's database.
final class Udev {
  let raw: OpaquePointer

  /// Nil only where memory ends.
  init?() {
    guard let raw = udev_new() else { return nil }
    self.raw = raw
  }

  deinit {
    udev_unref(raw)
  }

  /// The device behind a character device node; nil where udev knows none.
  func device(at node: String) -> UdevDevice? {
    var status = stat()
    guard stat(node, &status) == 0, status.st_mode & S_IFMT == S_IFCHR else { return nil }
    return UdevDevice(
      owning: udev_device_new_from_devnum(raw, CChar(UInt8(ascii: "c")), status.st_rdev))
  }

  /// All event nodes that the kernel has, in the order of their numbers.
  func eventNodes() -> [UdevDevice] {
    guard let enumerate = udev_enumerate_new(raw) else { return [] }
    defer { udev_enumerate_unref(enumerate) }
    udev_enumerate_add_match_subsystem(enumerate, "input")
    udev_enumerate_add_match_sysname(enumerate, "event[0-9]*")
    udev_enumerate_scan_devices(enumerate)
    var devices: [UdevDevice] = []
    var entry = udev_enumerate_get_list_entry(enumerate)
    while let present = entry {
      if let path = udev_list_entry_get_name(present),
        let device = UdevDevice(owning: udev_device_new_from_syspath(raw, path))
      {
        devices.append(device)
      }
      entry = udev_list_entry_get_next(present)
    }
    return devices.sorted { $0.eventNumber < $1.eventNumber }
  }
}

/// What udev knows of one device.
final class UdevDevice {
  let raw: OpaquePointer

  /// Takes over a reference; nil for a null pointer.
  init?(owning raw: OpaquePointer?) {
    guard let raw else { return nil }
    self.raw = raw
  }

  deinit {
    udev_device_unref(raw)
  }

  /// The kernel's short name, such as "event3".
  var sysname: String { Self.text(udev_device_get_sysname(raw)) ?? "" }

  /// The number in "event3"; very large where there is none.
  var eventNumber: Int { Int(sysname.drop { !$0.isNumber }) ?? .max }

  /// The device node, such as "/dev/input/event3"; empty where there is none.
  var node: String { Self.text(udev_device_get_devnode(raw)) ?? "" }

  /// Whether udev's rules have run for this device.
  var isInitialized: Bool { udev_device_get_is_initialized(raw) > 0 }

  /// A property of the udev database; nil where it is not set.
  func property(_ name: String) -> String? {
    Self.text(udev_device_get_property_value(raw, name))
  }

  /// Whether a property is set and not "0".
  func flag(_ name: String) -> Bool {
    guard let value = property(name) else { return false }
    return !value.isEmpty && value != "0"
  }

  /// The seat that the device belongs to.
  var seat: String { property("ID_SEAT") ?? "seat0" }

  /// The kernel's name of the device.
  var name: String { inputAttribute("name") ?? "" }

  /// Where the device is plugged in, as its driver tells it; empty where it does not.
  var phys: String { inputAttribute("phys") ?? "" }

  /// An attribute of the input device to which an event node belongs, such as "capabilities/abs".
  func inputAttribute(_ name: String) -> String? {
    // The parent belongs to this device and needs no release.
    guard let parent = udev_device_get_parent_with_subsystem_devtype(raw, "input", nil)
    else { return nil }
    return Self.text(udev_device_get_sysattr_value(parent, name))
  }

  /// The kernel driver behind the input device, such as "rotary-encoder"; nil where there is none.
  var driver: String? {
    var device: OpaquePointer? = raw
    while let present = device {
      if let driver = Self.text(udev_device_get_driver(present)) { return driver }
      device = udev_device_get_parent(present)
    }
    return nil
  }

  /// The sysfs path of the nearest ancestor of a subsystem; nil where there is none.
  func ancestor(subsystem: String, type: String? = nil) -> String? {
    guard let parent = udev_device_get_parent_with_subsystem_devtype(raw, subsystem, type)
    else { return nil }
    return Self.text(udev_device_get_syspath(parent))
  }

  /// What happened, for a device that a monitor reported: "add", "remove", "change".
  var action: String { Self.text(udev_device_get_action(raw)) ?? "" }

  private static func text(_ pointer: UnsafePointer<CChar>?) -> String? {
    pointer.map { String(cString: $0) }
  }
}
