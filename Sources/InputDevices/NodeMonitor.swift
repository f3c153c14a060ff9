// SPDX-License-Identifier: Apache-2.0

import CLibinput
import LinuxIO

/// Tells what udev says of event nodes after its rules have run: add, change and remove.
final class NodeMonitor {
  private let raw: OpaquePointer
  private var source: DescriptorSource?

  /// - Parameter handler: called for each event node, with `action` set.
  init(
    udev: Udev, loop: EventLoop, handler: @escaping (UdevDevice) -> Void
  ) throws(Errno) {
    // "udev" is the group that speaks after the rules; the kernel's own comes before modes are set.
    guard let raw = udev_monitor_new_from_netlink(udev.raw, "udev") else { throw .current }
    self.raw = raw
    try checked(udev_monitor_filter_add_match_subsystem_devtype(raw, "input", nil))
    try checked(udev_monitor_enable_receiving(raw))
    // After libinput, which listens on its own: what it opens is open by then.
    source = try loop.watch(udev_monitor_get_fd(raw), for: .readable, priority: 10) { _ in
      while let device = UdevDevice(owning: udev_monitor_receive_device(raw)) {
        if device.sysname.hasPrefix("event") { handler(device) }
      }
    }
  }

  deinit {
    source?.cancel()
    udev_monitor_unref(raw)
  }
}
