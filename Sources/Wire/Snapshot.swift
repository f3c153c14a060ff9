// SPDX-License-Identifier: Apache-2.0

/// How everything stands: what `subscribe` answers.
public struct Snapshot: Hashable, Sendable, JSONReadable {
  /// The pickers that were asked for.
  public var pickers: [PickerState]
  /// The displays.
  public var displays: [DisplayState]
  /// Input devices, knobs and motors.
  public var devices: [DeviceState]
  /// The picker that touchpads and knobs act on.
  public var focus: String?
  /// Whether touches are swallowed.
  public var isInhibited: Bool
  /// Whether somebody is there.
  public var isActive: Bool
  /// The daemon's time, in CLOCK_MONOTONIC microseconds.
  public var nowUs: Int64

  /// Reads a result of `subscribe`.
  public init(_ json: JSONValue) throws(JSONMismatch) {
    let members = try JSONMembers(json)
    pickers = try members.list("pickers")
    displays = try members.list("displays")
    devices = try members.list("devices")
    focus = try members.optional("focus", JSONMembers.string)
    isInhibited = try members.bool("inhibited")
    isActive = try members.bool("active")
    nowUs = try members.timeUs("now_us")
  }
}

/// A display.
public struct DisplayState: Hashable, Sendable, JSONReadable {
  /// Its name.
  public var display: String
  /// The application's width, in points.
  public var width: Double
  /// The application's height, in points.
  public var height: Double
  /// How the panel is turned, in degrees.
  public var rotation: Int

  /// Reads a display.
  public init(_ json: JSONValue) throws(JSONMismatch) {
    let members = try JSONMembers(json)
    display = try members.string("display")
    width = try members.number("width")
    height = try members.number("height")
    rotation = try members.integer("rotation")
  }
}

/// An input device, a knob or a motor.
public struct DeviceState: Hashable, Sendable, JSONReadable {
  /// The stable name.
  public var id: String
  /// `touchscreen`, `touchpad`, `knob`, `motor`, or something new.
  public var kind: String
  /// The kernel's name.
  public var name: String
  /// The device node.
  public var node: String
  /// The display that a touchscreen lies over.
  public var display: String?
  /// Everything that was said of it.
  public var members: [String: JSONValue]

  /// Reads a device.
  public init(_ json: JSONValue) throws(JSONMismatch) {
    let members = try JSONMembers(json)
    id = try members.string("id")
    kind = try members.string("kind")
    name = try members.string("name")
    node = try members.string("node")
    display = try members.optional("display", JSONMembers.string)
    self.members = if case .object(let members) = json { members } else { [:] }
  }
}
