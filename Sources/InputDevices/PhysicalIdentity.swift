// SPDX-License-Identifier: Apache-2.0

/// What tells that two event nodes are one piece of hardware.
///
/// A panel often shows up twice: as a touchscreen and as a mouse. Not every bus tells it the same
/// way, so any of the keys suffices.
struct PhysicalIdentity: Hashable {
  /// libinput's udev rule makes one name for all nodes of one device.
  var group: String?
  /// The USB device, whatever the interface.
  var usbDevice: String?
  /// The HID device, on any bus.
  var hidDevice: String?
  /// Vendor, product and the driver's place name, without what tells the nodes of one device apart.
  ///
  /// The place alone would not do: some drivers give all their devices the same one.
  var place: String?

  /// Whether both are the same piece of hardware.
  func isSame(as other: PhysicalIdentity) -> Bool {
    func matches(_ key: KeyPath<PhysicalIdentity, String?>) -> Bool {
      guard let mine = self[keyPath: key], !mine.isEmpty else { return false }
      return mine == other[keyPath: key]
    }
    return matches(\.group) || matches(\.usbDevice) || matches(\.hidDevice) || matches(\.place)
  }

  /// The place of a node: "222a:0001 usb-0000:00:14.0-3" for "usb-0000:00:14.0-3/input1".
  static func place(phys: String, vendor: String, product: String) -> String? {
    guard !phys.isEmpty else { return nil }
    let stem = phys.lastIndex(of: "/").map { phys[..<$0] } ?? phys[...]
    return "\(vendor):\(product) \(stem)"
  }
}

extension PhysicalIdentity {
  /// The identity of an event node.
  init(_ device: UdevDevice) {
    group = device.property("LIBINPUT_DEVICE_GROUP")
    usbDevice = device.ancestor(subsystem: "usb", type: "usb_device")
    hidDevice = device.ancestor(subsystem: "hid")
    place = Self.place(
      phys: device.phys, vendor: device.inputAttribute("id/vendor") ?? "",
      product: device.inputAttribute("id/product") ?? "")
  }
}
