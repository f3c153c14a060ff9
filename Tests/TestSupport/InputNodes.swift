// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO

/// Whether this machine lets tests make kernel input devices, and where the nodes of those devices are.
package enum InputNodes {
  /// Whether /dev/uinput can be used.
  package static let canUseUinput = access("/dev/uinput", R_OK | W_OK) == 0
  /// Whether /dev/uhid can be used.
  package static let canUseUhid = access("/dev/uhid", R_OK | W_OK) == 0
  /// Why tests with `.enabled(if: InputNodes.canUseUinput)` do not run.
  package static let needsUinput = "needs a writable /dev/uinput; scripts/guest has one"
  /// Why tests with `.enabled(if: InputNodes.canUseUhid)` do not run.
  package static let needsUhid = "needs a writable /dev/uhid; scripts/guest has one"

  /// Waits for the event node of an input device of sysfs and for udev to have run its rules on it.
  ///
  /// - Parameters:
  ///   - sysfsPath: as "/sys/devices/virtual/input/input7".
  ///   - createdUs: when the device was made; what udev knows from before is of an earlier device.
  /// - Returns: the node, as "/dev/input/event7".
  package static func waitForNode(ofDevice sysfsPath: String, createdUs: Int64) throws -> String {
    try Waiting.value("the event node of \(sysfsPath)") {
      let event = SystemFiles.names(in: sysfsPath).first { $0.hasPrefix("event") }
      guard let event, isKnownToUdev(event, createdUs: createdUs) else { return nil }
      let node = "/dev/input/\(event)"
      return access(node, F_OK) == 0 ? node : nil
    }
  }

  /// Waits for the event node of the device with this name, made at `createdUs` or later.
  package static func waitForNode(named name: String, createdUs: Int64) throws -> String {
    try Waiting.value("an event node of \"\(name)\"") {
      let events = SystemFiles.names(in: "/sys/class/input").filter { $0.hasPrefix("event") }
      let event = events.first {
        SystemFiles.text(of: "/sys/class/input/\($0)/device/name") == name
          && isKnownToUdev($0, createdUs: createdUs)
      }
      guard let event else { return nil }
      let node = "/dev/input/\(event)"
      return access(node, F_OK) == 0 ? node : nil
    }
  }

  /// Where no udev runs, there is nothing to wait for.
  private static func isKnownToUdev(_ event: String, createdUs: Int64) -> Bool {
    guard access("/run/udev/control", F_OK) == 0 else { return true }
    guard let number = SystemFiles.text(of: "/sys/class/input/\(event)/dev"),
      let record = SystemFiles.text(of: "/run/udev/data/c\(number)")
    else { return false }
    // "I:" is when udev first knew the device, on the clock that counts from boot.
    return record.split(separator: "\n").contains { line in
      guard line.hasPrefix("I:"), let timeUs = Int64(line.dropFirst(2)) else { return false }
      return timeUs >= createdUs
    }
  }
}
