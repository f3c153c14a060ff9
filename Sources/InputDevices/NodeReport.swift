// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
package import Gestures
import LinuxIO

/// Everything that explains why a node is used or not, for people who look for a fault.
package struct NodeReport: Hashable, Sendable {
  /// The device node, such as "/dev/input/event3".
  package var node: String
  /// The kernel's name of the device.
  package var name: String
  /// udev's ID_PATH; empty where there is none.
  package var path: String
  /// The seat that udev gives it to.
  package var seat: String
  /// What it would be used as; nil where it is not used.
  package var kind: InputDevice.Kind?
  /// Why it is not used, with the cure; nil where it is used.
  package var refusal: String?
  /// Whether the refusal is a fault, such as a permission, rather than the nature of the device.
  package var isFault: Bool
  /// udev's ID_INPUT_* words, such as "touchscreen".
  package var classes: [String]
  /// Owner, group and mode, such as "root:input 0660".
  package var ownership: String
  /// The size in millimetres, where the device tells it.
  package var widthMM: Double?
  /// The size in millimetres, where the device tells it.
  package var heightMM: Double?
  /// How many fingers it tells apart; 0 where it has no slots.
  package var slots: Int
  /// LIBINPUT_CALIBRATION_MATRIX, as udev has it.
  package var calibration: String?
  /// What libinput could make of it: "touch", "pointer", "gesture", "tablet_tool".
  package var capabilities: [String]
  /// The name that all nodes of one hardware share, where there is one.
  package var group: String?
  /// Whether it has a motor (EV_FF).
  package var hasForceFeedback: Bool

  /// A report of every event node that the kernel has; those that would be used are opened for it.
  ///
  /// - Parameters:
  ///   - seat: nodes of other seats are told as not used.
  ///   - knobs: the configuration's knobs.
  package static func all(seat: String = "seat0", knobs: [KnobOptions] = []) -> [NodeReport] {
    guard let udev = Udev() else { return [] }
    let probe = NodeProbe(udev: udev)
    return udev.eventNodes().map { NodeReport($0, seat: seat, knobs: knobs, probe: probe) }
  }

  /// A report of a node of which no more is known than this.
  package init(node: String, name: String, classes: [String] = []) {
    self.node = node
    self.name = name
    self.classes = classes
    path = ""
    seat = "seat0"
    isFault = false
    ownership = ""
    slots = 0
    capabilities = []
    hasForceFeedback = false
  }

  init(
    _ device: UdevDevice, seat wantedSeat: String, knobs: [KnobOptions], probe: NodeProbe?
  ) {
    let facts = NodePolicy.Facts(device)
    node = device.node
    name = device.name
    path = device.property("ID_PATH") ?? ""
    seat = device.seat
    classes = Self.words.filter { device.flag("ID_INPUT_\($0.uppercased())") }
    ownership = NodeAccess(node: device.node)?.ownership ?? ""
    slots = 0
    calibration = device.property("LIBINPUT_CALIBRATION_MATRIX")
    group = device.property("LIBINPUT_DEVICE_GROUP")
    capabilities = []
    let types = CodeBits(sysfs: device.inputAttribute("capabilities/ev") ?? "")
    hasForceFeedback = types.contains(Int(EV_FF))
    isFault = false
    if let knob = knobs.first(where: { $0.device.matches(name: device.name, path: path) }),
      !facts.isSurface
    {
      look(atKnob: device, knob)
      return
    }
    switch NodePolicy.decide(facts) {
    case .refuse(let reason):
      refusal = reason
      isFault = !facts.isInput && !facts.isIgnored
    case .open:
      if device.seat != wantedSeat {
        refusal =
          "it belongs to \(device.seat), not to \(wantedSeat); "
          + "attach it with loginctl attach \(wantedSeat), or set seat in the configuration"
      } else if let probe {
        take(probe.look(at: device))
      }
    }
  }

  private static let words = [
    "touchscreen", "touchpad", "tablet", "tablet_pad", "mouse", "pointingstick", "trackball",
    "joystick", "keyboard", "key", "switch", "accelerometer",
  ]

  private mutating func look(atKnob device: UdevDevice, _ knob: KnobOptions) {
    guard KnobReader.axis(of: device, knob.axis) != nil else {
      refusal = "named as a knob, but it has no axis that turns"
      isFault = true
      return
    }
    do throws(Errno) {
      _ = try OwnedDescriptor(opening: node, flags: O_RDONLY | O_NONBLOCK)
      kind = .knob
    } catch {
      refusal = "\(NodeRefusal(error: error, node: node))"
      isFault = true
    }
  }

  /// Takes what libinput makes of the node.
  private mutating func take(_ finding: NodeProbe.Finding) {
    switch finding {
    case .refused(let reason):
      refusal = reason
      isFault = true
    case .used(let facts):
      kind = facts.kind
      widthMM = facts.widthMM
      heightMM = facts.heightMM
      slots = facts.slots
      capabilities = facts.capabilities
    }
  }

  /// Tries whether another process has the device alone, by taking it for an instant.
  ///
  /// Other readers may miss an event of that instant, so this is for those who ask for it. A device on
  /// which something is pressed is not tried.
  ///
  /// - Returns: nil where it could not be tried.
  package func isGrabbedByAnother() -> Bool? {
    guard
      let file = try? OwnedDescriptor(opening: node, flags: O_RDONLY | O_NONBLOCK),
      EvdevNode.isIdle(file.rawValue)
    else { return nil }
    do throws(Errno) {
      try EvdevNode.grab(file.rawValue, true)
      try EvdevNode.grab(file.rawValue, false)
      return false
    } catch {
      return error == .busy ? true : nil
    }
  }

  /// The processes that have the node open, as far as this process may see.
  package func holders() -> [(pid: Int32, command: String)] {
    DirectoryListing.names(in: "/proc").compactMap { Int32($0) }.sorted().compactMap { pid in
      let files = "/proc/\(pid)/fd"
      let holds = DirectoryListing.names(in: files).contains {
        DirectoryListing.linkTarget("\(files)/\($0)") == node
      }
      guard holds else { return nil }
      return (pid, PeerCredentials(pid: pid, uid: 0, gid: 0).command ?? "?")
    }
  }
}
