// SPDX-License-Identifier: Apache-2.0

internal import CLibinput
internal import Glibc
package import LinuxIO

/// Finds evdev nodes with force feedback through udev and sysfs, opening none of them.
package final class MotorDiscovery {
  /// What changed.
  package enum Change: Hashable, Sendable {
    /// A node with force feedback came, or changed, its permissions perhaps.
    case found(MotorCandidate)
    /// A node went, whether it had force feedback or not; by now another device may have its name.
    case lost(node: String, sysfsPath: String)
  }

  /// The monitor's descriptor, to be watched for `.readable`.
  package let descriptor: CInt

  private let udev: OpaquePointer
  private let monitor: OpaquePointer

  /// Starts to watch the input devices.
  package init() throws(Errno) {
    guard let udev = udev_new() else { throw .outOfMemory }
    guard let monitor = udev_monitor_new_from_netlink(udev, "udev") else {
      let error = Errno.current
      udev_unref(udev)
      throw error
    }
    self.udev = udev
    self.monitor = monitor
    descriptor = udev_monitor_get_fd(monitor)
    try checked(
      udev_monitor_filter_add_match_subsystem_devtype(monitor, "input", nil))
    try checked(udev_monitor_enable_receiving(monitor))
  }

  deinit {
    udev_monitor_unref(monitor)
    udev_unref(udev)
  }

  /// All nodes with force feedback that there are now.
  package func enumerate() -> [MotorCandidate] {
    guard let enumeration = udev_enumerate_new(udev) else { return [] }
    defer { udev_enumerate_unref(enumeration) }
    udev_enumerate_add_match_subsystem(enumeration, "input")
    udev_enumerate_add_match_sysname(enumeration, "event*")
    // Where udevd runs, a device that it has not finished may still get its mode and tags; the
    // monitor will tell. Where none runs there is nothing to wait for.
    if access("/run/udev/control", F_OK) == 0 {
      udev_enumerate_add_match_is_initialized(enumeration)
    }
    udev_enumerate_scan_devices(enumeration)
    var candidates: [MotorCandidate] = []
    var entry = udev_enumerate_get_list_entry(enumeration)
    while let present = entry {
      if let path = udev_list_entry_get_name(present),
        let device = udev_device_new_from_syspath(udev, path)
      {
        if let candidate = Self.candidate(device) { candidates.append(candidate) }
        udev_device_unref(device)
      }
      entry = udev_list_entry_get_next(present)
    }
    return candidates
  }

  /// What the monitor has to tell now, without waiting.
  package func changes() -> [Change] {
    var changes: [Change] = []
    while let device = udev_monitor_receive_device(monitor) {
      defer { udev_device_unref(device) }
      guard let node = Self.text(udev_device_get_devnode(device)), node.contains("/event") else {
        continue
      }
      if Self.text(udev_device_get_action(device)) == "remove" {
        let path = Self.text(udev_device_get_syspath(device)) ?? ""
        let parent = path.split(separator: "/").dropLast().joined(separator: "/")
        changes.append(.lost(node: node, sysfsPath: "/" + parent))
      } else if let candidate = Self.candidate(device) {
        changes.append(.found(candidate))
      }
    }
    return changes
  }

  /// The directory in sysfs of a node's input device; empty where there is none.
  package func sysfsPath(ofNode node: String) -> String {
    let name = node.split(separator: "/").last.map(String.init) ?? ""
    guard let device = udev_device_new_from_subsystem_sysname(udev, "input", name) else {
      return ""
    }
    defer { udev_device_unref(device) }
    return Self.parent(device).flatMap { Self.text(udev_device_get_syspath($0)) } ?? ""
  }

  private static func candidate(_ device: OpaquePointer) -> MotorCandidate? {
    guard let node = text(udev_device_get_devnode(device)), node.contains("/event"),
      let parent = parent(device)
    else { return nil }
    func attribute(_ name: String) -> String {
      text(udev_device_get_sysattr_value(parent, name)) ?? ""
    }
    func property(_ name: String) -> String? {
      text(udev_device_get_property_value(device, name))
        ?? text(udev_device_get_property_value(parent, name))
    }
    let effects = ForceFeedbackBits(CodeBits(sysfs: attribute("capabilities/ff")))
    guard effects.canPlay else { return nil }
    return MotorCandidate(
      node: node, name: attribute("name"), path: property("ID_PATH") ?? "",
      seat: property("ID_SEAT") ?? "seat0", sysfsPath: text(udev_device_get_syspath(parent)) ?? "",
      effects: effects, keys: CodeBits(sysfs: attribute("capabilities/key")),
      hasAxes: !CodeBits(sysfs: attribute("capabilities/abs")).isEmpty
        || !CodeBits(sysfs: attribute("capabilities/rel")).isEmpty,
      isTaggedVibrator: property("FEEDBACKD_TYPE") == "vibra"
        || property("DETENT_TYPE") == "vibrator")
  }

  /// The input device that a node belongs to; a reference that the child holds.
  private static func parent(_ device: OpaquePointer) -> OpaquePointer? {
    udev_device_get_parent_with_subsystem_devtype(device, "input", nil)
  }

  private static func text(_ text: UnsafePointer<CChar>?) -> String? {
    text.map { String(cString: $0) }
  }
}
