// SPDX-License-Identifier: Apache-2.0

import CLinux
import Gestures
import LinuxIO

/// Knobs: exactly the nodes that the configuration names, read beside libinput.
extension InputDevices {
  /// Takes other knobs from now on, as after a new configuration; those that did not change stay open.
  package func setKnobs(_ knobs: [KnobOptions]) {
    guard knobs != settings.knobs else { return }
    settings.knobs = knobs
    guard isEnumerated, !isSuspended else { return }
    for reader in knobReaders where self.knob(for: reader.node) != reader.options {
      removeKnob(reader.node.node)
    }
    addKnobs()
  }

  /// Whether a node is the configuration's knob, and so not libinput's.
  func isKnob(_ device: UdevDevice) -> Bool { knob(for: device) != nil }

  /// The options of a node; nil where it is no knob.
  func knob(for device: UdevDevice) -> KnobOptions? {
    guard !settings.knobs.isEmpty, isOfOurSeat(device) else { return nil }
    // A pattern that is too wide must not take the panels away.
    if NodePolicy.Facts(device).isSurface { return nil }
    let (name, path) = (device.name, device.property("ID_PATH") ?? "")
    return settings.knobs.first { $0.device.matches(name: name, path: path) }
  }

  private func isOfOurSeat(_ device: UdevDevice) -> Bool {
    if case .seat(let seat) = source { return device.seat == seat }
    return true
  }

  /// Opens the knobs that are there and not open yet.
  func addKnobs() {
    guard !settings.knobs.isEmpty else { return }
    for device in udev.eventNodes() where device.isInitialized { addKnob(device) }
    tellRefusals()
  }

  /// Opens a node where it is a knob and not open yet.
  func addKnob(_ device: UdevDevice) {
    guard let options = knob(for: device),
      !knobReaders.contains(where: { $0.node.node == device.node })
    else { return }
    let name = device.name
    guard let axis = KnobReader.axis(of: device, options.axis) else {
      let what =
        options.axis == .auto ? "no axis that turns" : "no axis \"\(options.axis.rawValue)\""
      waitingRefusals.append((device.node, name, "named as a knob, but it has \(what)"))
      return
    }
    let described = InputDevice(
      number: takeNumber(), id: device.sysname, kind: .knob, name: name,
      path: device.property("ID_PATH") ?? "", node: device.node)
    do throws(Errno) {
      let node = device.node
      let reader = try KnobReader(
        described, device, options: options, axis: axis, loop: loop,
        emit: { [handler] in handler(.event($0)) },
        lost: { [unowned self] in removeKnob(node) })
      knobReaders.append(OpenKnob(node: device, options: options, reader: reader))
      toldRefusals[node] = nil
      handler(.added(described))
    } catch {
      waitingRefusals.append(
        (device.node, name, "\(NodeRefusal(error: error, node: device.node))"))
    }
  }

  /// Closes a knob and tells it; nothing where the node is none.
  func removeKnob(_ node: String) {
    guard let index = knobReaders.firstIndex(where: { $0.node.node == node }) else { return }
    let knob = knobReaders.remove(at: index)
    handler(.removed(knob.reader.device))
  }

  /// Closes all knobs.
  func removeKnobs() {
    for knob in knobReaders { removeKnob(knob.node.node) }
  }
}

/// A knob that is open.
struct OpenKnob {
  var node: UdevDevice
  var options: KnobOptions
  var reader: KnobReader
}
