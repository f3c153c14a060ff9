// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import LinuxIO

/// Opens and closes event nodes for libinput, and remembers which descriptor is which node.
final class NodeOpener {
  /// A node that libinput holds open.
  struct OpenNode {
    var node: String
    var device: UdevDevice
    var witness: ReleaseWitness?
  }

  private let udev: Udev
  private var nodes: [CInt: OpenNode] = [:]
  /// Called for a node that is not opened: node, name, reason.
  var refused: (String, String, String) -> Void = { _, _, _ in }
  /// Whether a node is read by somebody else of this process.
  var isTaken: (UdevDevice) -> Bool = { _ in false }
  /// Called for a node that libinput closes: node, name, why it may have no use for it.
  var closed: (String, String, String) -> Void = { _, _, _ in }
  /// Called with what libinput logs.
  var log: (LogLevel, String) -> Void = { _, _ in }
  /// What libinput last complained of.
  private var complaint: String?

  init(udev: Udev) {
    self.udev = udev
  }

  /// The descriptor of an open node; nil where it is not open.
  func descriptor(of node: String) -> CInt? {
    nodes.first { $0.value.node == node }?.key
  }

  /// The witness of an open node; nil where it needs none.
  func witness(of node: String) -> ReleaseWitness? {
    nodes.values.first { $0.node == node }?.witness
  }

  /// What libinput's `open_restricted` asks: a descriptor, or a negative error number.
  func open(_ node: String) -> CInt {
    // `udevadm trigger --action=add` makes libinput open what it has; each touch would come twice.
    if descriptor(of: node) != nil { return -EBUSY }
    guard let device = udev.device(at: node) else { return -ENODEV }
    if isTaken(device) { return -EBUSY }
    if case .refuse(let reason) = NodePolicy.decide(NodePolicy.Facts(device)) {
      refused(node, device.name, reason)
      return -EACCES
    }
    // The witness comes first, so that the kernel tells it of a release before libinput.
    let witness = Self.needsWitness(device) ? ReleaseWitness(node: node) : nil
    let descriptor: CInt
    do throws(Errno) {
      descriptor = try Self.openReadable(node)
    } catch {
      refused(node, device.name, "\(NodeRefusal(error: error, node: node))")
      return -error.rawValue
    }
    do throws(Errno) {
      try EvdevNode.maskTyping(descriptor)
    } catch {
      let keys = CodeBits(sysfs: device.inputAttribute("capabilities/key") ?? "")
      if keys.intersects(0..<Int(BTN_MISC)) {
        Glibc.close(descriptor)
        refused(node, device.name, "it has keys, and the kernel cannot mask them: \(error)")
        return -error.rawValue
      }
    }
    nodes[descriptor] = OpenNode(node: node, device: device, witness: witness)
    complaint = nil
    return descriptor
  }

  /// What libinput's `close_restricted` asks.
  func close(_ descriptor: CInt) {
    let open = nodes.removeValue(forKey: descriptor)
    Glibc.close(descriptor)
    guard let open else { return }
    closed(open.node, open.device.name, uselessness(of: open.device))
  }

  /// Takes a line of libinput's log.
  func take(_ level: LogLevel, _ text: String) {
    if level <= .warning { complaint = text }
    log(level, text)
  }

  /// Why libinput may have no use for a device, with the cure for the most common case.
  private func uselessness(of device: UdevDevice) -> String {
    var text = "libinput has no use for it"
    if var complaint {
      for prefix in ["\(device.sysname)  - ", "\(device.name): ", "libinput bug: "]
      where complaint.hasPrefix(prefix) {
        complaint.removeFirst(prefix.count)
      }
      text += ": \(complaint)"
    }
    guard device.flag("ID_INPUT_TABLET"), !device.flag("ID_INPUT_TOUCHSCREEN") else { return text }
    // Old single-touch controllers call their finger a pen.
    return text + " If it is a touchscreen, tell udev so with a rule: "
      + "ATTRS{name}==\"\(device.name)\", ENV{ID_INPUT_TABLET}=\"\", ENV{ID_INPUT_TOUCHSCREEN}=\"1\""
  }

  /// Opens for writing too where that is allowed: libinput sets LEDs, haptics need it.
  private static func openReadable(_ node: String) throws(Errno) -> CInt {
    do throws(Errno) {
      return try OwnedDescriptor(opening: node, flags: O_RDWR | O_NONBLOCK).release()
    } catch {
      guard error == .accessDenied || error == .notPermitted || error == .readOnly
      else { throw error }
    }
    return try OwnedDescriptor(opening: node, flags: O_RDONLY | O_NONBLOCK).release()
  }

  /// Whether a finger on the device may be a button: all but touchscreens with slots, whose contacts
  /// libinput itself cancels.
  private static func needsWitness(_ device: UdevDevice) -> Bool {
    let axes = CodeBits(sysfs: device.inputAttribute("capabilities/abs") ?? "")
    return !axes.contains(Int(ABS_MT_SLOT)) || !device.flag("ID_INPUT_TOUCHSCREEN")
  }
}
