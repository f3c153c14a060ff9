// SPDX-License-Identifier: Apache-2.0

import Gestures
import Haptics
import InputDevices
import LinuxIO
import Scene
import Wire

extension Service {
  func deviceAdded(_ device: InputDevice, timeUs: Int64) {
    statistics.devicesAdded += 1
    devices.append(device)
    scene.deviceAdded(device)
    let display = scene.display(of: device.number)
    let place = display.map { " on display \($0.id)" } ?? ""
    log.info("\(device.kind.rawValue) \(device.name)\(place)", ["DEVICE": device.node])
    if device.kind == .touchscreen, display == nil {
      log.warning(
        "\(device.name) lies over no display; name it under [[display]] touchscreen",
        ["DEVICE": device.node])
    }
    if display?.grabs ?? false { inputs?.grab(device: device.number, true) }
    if !device.node.isEmpty {
      haptics?.inputDeviceAdded(node: device.node, display: display?.id)
    }
    tellDevice(device, change: "added", timeUs: timeUs)
  }

  func deviceRemoved(_ device: InputDevice, timeUs: Int64) {
    statistics.devicesRemoved += 1
    haptics?.stopAll()
    scene.deviceRemoved(device.number, timeUs: timeUs)
    settle()
    devices.removeAll { $0.number == device.number }
    if !device.node.isEmpty { haptics?.inputDeviceRemoved(node: device.node) }
    log.info("\(device.kind.rawValue) \(device.name) is gone", ["DEVICE": device.node])
    tellDevice(device, change: "removed", timeUs: timeUs)
  }

  private func tellDevice(_ device: InputDevice, change: String, timeUs: Int64) {
    let display = scene.display(of: device.number)?.id
    tell(.device, timeUs: timeUs) { writer in
      writer.name("change")
      writer.string(change)
      writer.name("device")
      writer.device(device, display: display)
    }
  }

  // MARK: Motors

  func hapticsChanged(_ report: HapticsReport) {
    switch report {
    case .ready(let motor):
      log.info(
        "motor \(motor.name) by \(motor.method ?? "unknown")", ["DEVICE": motor.node])
      tellMotor(motor, change: "added")
    case .problem(let motor):
      log.warning("motor \(motor.name): \(motor.problem ?? "unusable")", ["DEVICE": motor.node])
      tellMotor(motor, change: "updated")
    case .removed(let motor):
      log.info("motor \(motor.name) is gone", ["DEVICE": motor.node])
      tellMotor(motor, change: "removed")
    }
  }

  private func tellMotor(_ motor: MotorDescription, change: String) {
    tell(.device, timeUs: loop.nowUs) { writer in
      writer.name("change")
      writer.string(change)
      writer.name("device")
      writer.motor(motor)
    }
  }
}

extension JSONWriter {
  mutating func device(_ device: InputDevice, display: String?) {
    beginObject()
    name("id")
    string(device.id)
    name("kind")
    string(device.kind.rawValue)
    name("name")
    string(device.name)
    name("node")
    string(device.node)
    name("path")
    string(device.path)
    name("display")
    if let display { string(display) } else { null() }
    name("width_mm")
    if let width = device.widthMM { number(width) } else { null() }
    name("height_mm")
    if let height = device.heightMM { number(height) } else { null() }
    endObject()
  }

  mutating func motor(_ motor: MotorDescription) {
    beginObject()
    name("id")
    string(motor.node.split(separator: "/").last.map(String.init) ?? motor.node)
    name("kind")
    string("motor")
    name("name")
    string(motor.name)
    name("node")
    string(motor.node)
    name("path")
    string(motor.path)
    name("class")
    if let motorClass = motor.motorClass { string(motorClass.rawValue) } else { null() }
    name("method")
    if let method = motor.method { string(method) } else { null() }
    name("slots")
    if let slots = motor.slots { integer(slots) } else { null() }
    name("cues")
    beginArray()
    for cue in Cue.allCases where motor.effects[cue] != nil { string(cue.rawValue) }
    endArray()
    name("state")
    string(motor.state.rawValue)
    name("problem")
    if let problem = motor.problem { string(problem) } else { null() }
    endObject()
  }
}
