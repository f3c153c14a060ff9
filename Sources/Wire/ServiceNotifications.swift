// SPDX-License-Identifier: Apache-2.0

/// What the daemon says first.
public struct Hello: Hashable, Sendable, JSONReadable {
  /// The program.
  public var server: String
  /// Its version.
  public var version: String
  /// The version of the protocol.
  public var protocolVersion: Int
  /// A text that no other run has: if it differs after a reconnect, revisions have begun anew.
  public var instance: String
  /// The daemon's time, in CLOCK_MONOTONIC microseconds.
  public var nowUs: Int64

  /// Reads the params.
  public init(_ json: JSONValue) throws(JSONMismatch) {
    let members = try JSONMembers(json)
    server = try members.string("server")
    version = try members.string("version")
    protocolVersion = try members.integer("protocol")
    instance = try members.string("instance")
    nowUs = try members.timeUs("now_us")
  }
}

/// Touchpads and knobs act on another picker now.
public struct FocusChanged: Hashable, Sendable, JSONReadable {
  /// The picker; nil for none.
  public var picker: String?
  /// When, in CLOCK_MONOTONIC microseconds.
  public var timeUs: Int64

  /// Reads the params.
  public init(_ json: JSONValue) throws(JSONMismatch) {
    let members = try JSONMembers(json)
    picker = try members.optional("picker", JSONMembers.string)
    timeUs = try members.timeUs()
  }
}

/// Somebody is there, or nobody any more.
public struct ActivityChanged: Hashable, Sendable, JSONReadable {
  /// Whether somebody is there.
  public var isActive: Bool
  /// How long until the pickers go back to how they opened, in milliseconds; nil where they do not.
  public var resetsInMS: Double?
  /// When, in CLOCK_MONOTONIC microseconds.
  public var timeUs: Int64

  /// Reads the params.
  public init(_ json: JSONValue) throws(JSONMismatch) {
    let members = try JSONMembers(json)
    isActive = try members.bool("active")
    resetsInMS = try members.optional("resets_in_ms", JSONMembers.number)
    timeUs = try members.timeUs()
  }
}

/// Touches are swallowed from now on, or no longer.
public struct InhibitChanged: Hashable, Sendable, JSONReadable {
  /// Whether touches are swallowed.
  public var isOn: Bool
  /// When, in CLOCK_MONOTONIC microseconds.
  public var timeUs: Int64

  /// Reads the params.
  public init(_ json: JSONValue) throws(JSONMismatch) {
    let members = try JSONMembers(json)
    isOn = try members.bool("on")
    timeUs = try members.timeUs()
  }
}

/// What happened to a picker or a device.
public enum Change: String, Sendable, CaseIterable {
  /// It is new.
  case added
  /// It is another than before.
  case updated
  /// It is gone.
  case removed
}

/// A picker came, changed or went.
public struct PickerChanged: Hashable, Sendable, JSONReadable {
  /// What happened; nil for something new.
  public var change: Change?
  /// How it stands now, or stood at the end.
  public var state: PickerState
  /// When, in CLOCK_MONOTONIC microseconds.
  public var timeUs: Int64

  /// Reads the params.
  public init(_ json: JSONValue) throws(JSONMismatch) {
    let members = try JSONMembers(json)
    change = try members.word("change")
    state = try members.required("state", PickerState.init)
    timeUs = try members.timeUs()
  }
}

/// An input device, a knob or a motor came, changed or went.
public struct DeviceChanged: Hashable, Sendable, JSONReadable {
  /// What happened; nil for something new.
  public var change: Change?
  /// The device.
  public var device: DeviceState
  /// When, in CLOCK_MONOTONIC microseconds.
  public var timeUs: Int64

  /// Reads the params.
  public init(_ json: JSONValue) throws(JSONMismatch) {
    let members = try JSONMembers(json)
    change = try members.word("change")
    device = try members.required("device", DeviceState.init)
    timeUs = try members.timeUs()
  }
}

/// The application's layout size of a display changed.
public struct DisplayChanged: Hashable, Sendable, JSONReadable {
  /// The display as it is now.
  public var display: DisplayState
  /// When, in CLOCK_MONOTONIC microseconds.
  public var timeUs: Int64

  /// Reads the params.
  public init(_ json: JSONValue) throws(JSONMismatch) {
    let members = try JSONMembers(json)
    display = try members.required("display", DisplayState.init)
    timeUs = try members.timeUs()
  }
}

/// A haptic cue was due.
public struct HapticPlayed: Hashable, Sendable, JSONReadable {
  /// The picker that it speaks for; nil for none.
  public var picker: String?
  /// The cue; nil for a new one.
  public var cue: Cue?
  /// Whether a motor played it: if not, the application may click a speaker.
  public var wasPlayed: Bool
  /// When, in CLOCK_MONOTONIC microseconds.
  public var timeUs: Int64

  /// Reads the params.
  public init(_ json: JSONValue) throws(JSONMismatch) {
    let members = try JSONMembers(json)
    picker = try members.optional("picker", JSONMembers.string)
    cue = try members.word("cue")
    wasPlayed = try members.bool("played")
    timeUs = try members.timeUs()
  }
}

/// How things stand, instead of what this reader was too slow for.
public struct Resync: Hashable, Sendable, JSONReadable {
  /// How many notifications were left out.
  public var dropped: Int
  /// The pickers of the subscription; others that were known before are gone.
  public var pickers: [PickerState]
  /// The picker that touchpads and knobs act on.
  public var focus: String?
  /// Whether touches are swallowed.
  public var isInhibited: Bool
  /// Whether somebody is there.
  public var isActive: Bool
  /// When, in CLOCK_MONOTONIC microseconds.
  public var timeUs: Int64

  /// Reads the params.
  public init(_ json: JSONValue) throws(JSONMismatch) {
    let members = try JSONMembers(json)
    dropped = try members.integer("dropped")
    pickers = try members.list("pickers")
    focus = try members.optional("focus", JSONMembers.string)
    isInhibited = try members.bool("inhibited")
    isActive = try members.bool("active")
    timeUs = try members.timeUs()
  }
}

/// The daemon ends the connection.
public struct Bye: Hashable, Sendable, JSONReadable {
  /// Why the daemon ends a connection.
  public enum Reason: String, Sendable, CaseIterable {
    /// The daemon ends.
    case shutdown
    /// There are too many clients, in all or of this user.
    case limit
    /// The client took nothing for too long.
    case slow
    /// The client sent too much that is over the limits.
    case `protocol`
  }

  /// Why; nil for a new reason.
  public var reason: Reason?
  /// When, in CLOCK_MONOTONIC microseconds.
  public var timeUs: Int64

  /// Reads the params.
  public init(_ json: JSONValue) throws(JSONMismatch) {
    let members = try JSONMembers(json)
    reason = try members.word("reason")
    timeUs = try members.timeUs()
  }
}
