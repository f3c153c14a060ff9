// SPDX-License-Identifier: Apache-2.0

/// How a picker stands at one moment.
public struct PickerState: Hashable, Sendable, JSONReadable {
  /// Its name.
  public var picker: String
  /// Its type: `ruler`, `swatches`, `carousel`, `radial`, or one that is new.
  public var type: String
  /// The display that it lies on.
  public var display: String
  /// Where it takes fingers.
  public var region: PickerRegion
  /// Whether it takes fingers at all.
  public var isEnabled: Bool
  /// How many values it has.
  public var count: Int
  /// The index of the selection; nil where nothing is selected.
  public var index: Int?
  /// The value of the selection; nil where nothing is selected.
  public var value: Value?
  /// The title of the selection; nil where nothing is selected.
  public var title: String?
  /// The index nearest the centre.
  public var liveIndex: Int
  /// A strip's offset in points; nil for other types.
  public var offset: Double?
  /// A wheel's turn in degrees, not wrapped; nil for other types.
  public var degree: Double?
  /// The wheel's turn within 0..<360; nil for other types.
  public var hue: Double?
  /// The swatch that a finger presses; nil for none and for other types.
  public var pressed: Int?
  /// The direction in which a strip lies; nil for other types, or something new.
  public var axis: PickerAxis?
  /// How fingers turn a wheel; nil for other types, or something new.
  public var mode: WheelMode?
  /// How many swatches a row has; nil for other types.
  public var columns: Int?
  /// The diameter of a swatch, in points; nil for other types.
  public var size: Double?
  /// The gap between two cards, or between columns and between rows of swatches, in points; nil for other types.
  public var spacing: Double?
  /// From one value to the next, in points or degrees; nil where values do not lie on a line.
  public var pitch: Double?
  /// What it is doing; nil for something new.
  public var phase: PickerPhase?
  /// The glide that it is in.
  public var glide: PickerGlide?
  /// How often its selection has changed.
  public var revision: Int

  /// Reads a state.
  public init(_ json: JSONValue) throws(JSONMismatch) {
    let members = try JSONMembers(json)
    picker = try members.string("picker")
    type = try members.string("type")
    display = try members.string("display")
    region = try members.required("region", PickerRegion.init)
    isEnabled = try members.bool("enabled")
    count = try members.count("count")
    index = try members.optional("index", JSONMembers.count)
    value = try members.optional("value", Value.init)
    title = try members.optional("title", JSONMembers.string)
    liveIndex = try members.count("live_index")
    offset = try members.optional("offset", JSONMembers.number)
    degree = try members.optional("degree", JSONMembers.number)
    hue = try members.optional("hue", JSONMembers.number)
    pressed = try members.optional("pressed", JSONMembers.count)
    axis = try members.optionalWord("axis")
    mode = try members.optionalWord("mode")
    columns = try members.optional("columns", JSONMembers.count)
    size = try members.optional("size", JSONMembers.number)
    spacing = try members.optional("spacing", JSONMembers.number)
    pitch = try members.optional("pitch", JSONMembers.number)
    phase = try members.word("phase")
    glide = try members.optional("glide", PickerGlide.init)
    revision = try members.integer("revision")
  }
}

/// What a picker is doing.
public enum PickerPhase: String, Sendable, CaseIterable {
  /// Nothing.
  case idle
  /// A finger holds it.
  case drag
  /// It moves to where it will rest.
  case glide
}

/// The direction in which a strip lies.
public enum PickerAxis: String, Sendable, CaseIterable {
  /// Along x.
  case horizontal
  /// Along y.
  case vertical
}

/// How fingers turn a wheel.
public enum WheelMode: String, Sendable, CaseIterable {
  /// By one value at each swipe.
  case swipe
  /// With the finger.
  case rotate
}

/// Where a picker lies, in points of its display.
public struct PickerRegion: Hashable, Sendable, JSONReadable {
  /// The left edge.
  public var x: Double
  /// The top edge.
  public var y: Double
  /// The width, above 0.
  public var width: Double
  /// The height, above 0.
  public var height: Double

  /// Reads a region.
  public init(_ json: JSONValue) throws(JSONMismatch) {
    let members = try JSONMembers(json)
    x = try members.number("x")
    y = try members.number("y")
    width = try members.number("width")
    height = try members.number("height")
  }
}

/// A motion by itself, from where a finger let go to where the picker rests.
///
/// A critically damped spring of half a second: at t seconds after its start it is at
/// `to + e^(−λt)·((from − to) + (velocity + λ(from − to))·t)` with λ = 2π / 0.5.
public struct PickerGlide: Hashable, Sendable, JSONReadable {
  /// Where it began, in points or degrees.
  public var from: Double
  /// Where it ends, in points or degrees.
  public var to: Double
  /// How fast it was at the start, in points or degrees per second.
  public var velocity: Double
  /// When it began, in CLOCK_MONOTONIC microseconds.
  public var startedUs: Int64
  /// How long it lasts, in milliseconds.
  public var durationMS: Double

  /// Reads a glide.
  public init(_ json: JSONValue) throws(JSONMismatch) {
    let members = try JSONMembers(json)
    from = try members.number("offset_from")
    to = try members.number("offset_to")
    velocity = try members.number("velocity")
    startedUs = try members.timeUs("started_us")
    durationMS = try members.number("duration_ms")
  }

  /// A glide.
  public init(from: Double, to: Double, velocity: Double, startedUs: Int64, durationMS: Double) {
    self.from = from
    self.to = to
    self.velocity = velocity
    self.startedUs = startedUs
    self.durationMS = durationMS
  }
}
