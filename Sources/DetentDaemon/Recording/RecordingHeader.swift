// SPDX-License-Identifier: Apache-2.0

import Gestures
import Wire

/// The first line of a recording: its version and its devices.
struct RecordingHeader {
  static let version: Int64 = 1

  let devices: [InputDevice]

  init(_ line: JSONValue) throws(RecordingProblem) {
    let fields: RecordingFields
    do throws(RecordingProblem) {
      fields = try RecordingFields(line)
      _ = try fields.integer("recording", in: .min ... .max)
    } catch {
      throw RecordingProblem(
        "is not the first line of a recording, such as {\"recording\":1,\"devices\":[…]}")
    }
    let version = try fields.integer("recording", in: .min ... .max)
    guard version == Self.version else {
      throw RecordingProblem("the recording's version is \(version); expected \(Self.version)")
    }
    try fields.refuseAll(but: ["recording", "devices"])
    var devices: [InputDevice] = []
    for value in try fields.array("devices") {
      let device = try Self.device(value, number: devices.count)
      guard !devices.contains(where: { $0.id == device.id }) else {
        throw RecordingProblem("the device \"\(device.id)\" is listed twice")
      }
      devices.append(device)
    }
    self.devices = devices
  }

  private static func device(
    _ value: JSONValue, number: Int
  ) throws(RecordingProblem) -> InputDevice {
    let fields = try RecordingFields(value)
    try fields.refuseAll(but: ["id", "kind", "name", "width_mm", "height_mm"])
    let id = try fields.string("id")
    guard !id.isEmpty else { throw fields.mismatch("id", "a name") }
    guard let kind = InputDevice.Kind(rawValue: try fields.string("kind")) else {
      throw fields.mismatch("kind", "touchscreen, touchpad or knob")
    }
    return InputDevice(
      number: number, id: id, kind: kind, name: try fields.string("name"),
      widthMM: try fields.millimetres("width_mm"), heightMM: try fields.millimetres("height_mm"))
  }
}
