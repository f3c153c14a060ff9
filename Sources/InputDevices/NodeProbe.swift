// SPDX-License-Identifier: Apache-2.0

import CLibinput
import CLinux
import Gestures
import LinuxIO

/// Asks libinput what it makes of a node, without using it.
final class NodeProbe {
  /// What libinput makes of a node that is used.
  struct Facts {
    var kind: InputDevice.Kind
    var widthMM: Double?
    var heightMM: Double?
    var slots: Int
    var capabilities: [String]
  }

  /// What came of it.
  enum Finding {
    case used(Facts)
    case refused(String)
  }

  private let opener: NodeOpener
  private let context: LibinputContext

  /// Nil where libinput cannot begin.
  init?(udev: Udev) {
    opener = NodeOpener(udev: udev)
    guard let context = try? LibinputContext(udev: udev, opener: opener, enumerating: false)
    else { return nil }
    self.context = context
  }

  /// Opens a node, looks, and closes it.
  func look(at device: UdevDevice) -> Finding {
    var reason = "libinput has no use for it"
    opener.refused = { reason = $2 }
    opener.closed = { reason = $2 }
    defer {
      opener.refused = { _, _, _ in }
      opener.closed = { _, _, _ in }
    }
    guard let raw = libinput_path_add_device(context.raw, device.node) else {
      return .refused(reason)
    }
    defer {
      libinput_path_remove_device(raw)
      libinput_dispatch(context.raw)
      while let event = libinput_get_event(context.raw) { libinput_event_destroy(event) }
    }
    guard let role = TrackedDevice.role(of: raw, NodePolicy.Facts(device)) else {
      return .refused(TrackedDevice.roleless)
    }
    let size = TrackedDevice.sizeMM(of: raw)
    return .used(
      Facts(
        kind: TrackedDevice.kind(of: role), widthMM: size?.width, heightMM: size?.height,
        slots: slots(of: device.node), capabilities: Self.capabilities(of: raw)))
  }

  private func slots(of node: String) -> Int {
    guard let descriptor = opener.descriptor(of: node),
      let axis = EvdevNode.axis(descriptor, Int(ABS_MT_SLOT))
    else { return 0 }
    return axis.maximum + 1
  }

  private static func capabilities(of raw: OpaquePointer) -> [String] {
    let words: [(libinput_device_capability, String)] = [
      (LIBINPUT_DEVICE_CAP_TOUCH, "touch"), (LIBINPUT_DEVICE_CAP_POINTER, "pointer"),
      (LIBINPUT_DEVICE_CAP_GESTURE, "gesture"), (LIBINPUT_DEVICE_CAP_TABLET_TOOL, "tablet_tool"),
      (LIBINPUT_DEVICE_CAP_KEYBOARD, "keyboard"),
    ]
    return words.compactMap { libinput_device_has_capability(raw, $0.0) != 0 ? $0.1 : nil }
  }
}
