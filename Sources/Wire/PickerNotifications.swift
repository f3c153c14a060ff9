// SPDX-License-Identifier: Apache-2.0

/// A selection changed: what an application acts on.
public struct SelectionChanged: Hashable, Sendable, JSONReadable {
  /// The picker.
  public var picker: String
  /// The index that is selected now; nil for none.
  public var index: Int?
  /// The value that is selected now; nil for none.
  public var value: Value?
  /// Its title; nil for none.
  public var title: String?
  /// The value that was selected before; nil for none.
  public var previous: Value?
  /// Why; nil for a cause that is new.
  public var cause: Cause?
  /// How often the selection has changed, this time included.
  public var revision: Int
  /// When, in CLOCK_MONOTONIC microseconds.
  public var timeUs: Int64

  /// Reads the params.
  public init(_ json: JSONValue) throws(JSONMismatch) {
    let members = try JSONMembers(json)
    picker = try members.string("picker")
    index = try members.optional("index", JSONMembers.count)
    value = try members.optional("value", Value.init)
    title = try members.optional("title", JSONMembers.string)
    previous = try members.optional("previous", Value.init)
    cause = try members.word("cause")
    revision = try members.integer("revision")
    timeUs = try members.timeUs()
  }
}

/// A finger or a glide carried a picker to another value.
public struct PickerTick: Hashable, Sendable, JSONReadable {
  /// The picker.
  public var picker: String
  /// The index that is nearest the centre now.
  public var index: Int
  /// Its value.
  public var value: Value
  /// When, in CLOCK_MONOTONIC microseconds.
  public var timeUs: Int64

  /// Reads the params.
  public init(_ json: JSONValue) throws(JSONMismatch) {
    let members = try JSONMembers(json)
    picker = try members.string("picker")
    index = try members.count("index")
    value = try members.value("value")
    timeUs = try members.timeUs()
  }
}

/// A picker moved.
public struct PickerMotion: Hashable, Sendable, JSONReadable {
  /// The picker.
  public var picker: String
  /// What moves it; nil for something new.
  public var phase: PickerPhase?
  /// Where it is, in points, or in degrees for a wheel.
  public var offset: Double
  /// How far the finger is from where it came down.
  public var translation: Double
  /// How fast it moves, per second.
  public var velocity: Double
  /// How far the finger would have carried it, were it lifted now.
  public var predictedEndTranslation: Double
  /// The index nearest the centre.
  public var index: Int
  /// When, in CLOCK_MONOTONIC microseconds.
  public var timeUs: Int64

  /// Reads the params.
  public init(_ json: JSONValue) throws(JSONMismatch) {
    let members = try JSONMembers(json)
    picker = try members.string("picker")
    phase = try members.word("phase")
    offset = try members.number("offset")
    translation = try members.number("translation")
    velocity = try members.number("velocity")
    predictedEndTranslation = try members.number("predicted_end_translation")
    index = try members.count("index")
    timeUs = try members.timeUs()
  }
}

/// A finger let go, and the picker glides to where it will rest.
public struct PickerSettle: Hashable, Sendable, JSONReadable {
  /// The picker.
  public var picker: String
  /// The index that it glides to.
  public var index: Int
  /// Its value.
  public var value: Value
  /// The glide, which begins now.
  public var glide: PickerGlide
  /// When, in CLOCK_MONOTONIC microseconds.
  public var timeUs: Int64

  /// Reads the params.
  public init(_ json: JSONValue) throws(JSONMismatch) {
    let members = try JSONMembers(json)
    picker = try members.string("picker")
    index = try members.count("index")
    value = try members.value("value")
    timeUs = try members.timeUs()
    glide = PickerGlide(
      from: try members.number("offset_from"), to: try members.number("offset_to"),
      velocity: try members.number("velocity"), startedUs: timeUs,
      durationMS: try members.number("duration_ms"))
  }
}

/// A picker came to rest.
public struct PickerRest: Hashable, Sendable, JSONReadable {
  /// The picker.
  public var picker: String
  /// The index that it rests on.
  public var index: Int
  /// When, in CLOCK_MONOTONIC microseconds.
  public var timeUs: Int64

  /// Reads the params.
  public init(_ json: JSONValue) throws(JSONMismatch) {
    let members = try JSONMembers(json)
    picker = try members.string("picker")
    index = try members.count("index")
    timeUs = try members.timeUs()
  }
}

/// A finger pressed a swatch, or left it.
public struct SwatchPress: Hashable, Sendable, JSONReadable {
  /// The picker.
  public var picker: String
  /// The swatch.
  public var index: Int
  /// Whether it is pressed now.
  public var isPressed: Bool
  /// When, in CLOCK_MONOTONIC microseconds.
  public var timeUs: Int64

  /// Reads the params.
  public init(_ json: JSONValue) throws(JSONMismatch) {
    let members = try JSONMembers(json)
    picker = try members.string("picker")
    index = try members.count("index")
    isPressed = try members.bool("pressed")
    timeUs = try members.timeUs()
  }
}

/// A swipe turned a wheel.
public struct WheelTurn: Hashable, Sendable, JSONReadable {
  /// The way of a swipe.
  public enum Direction: String, Sendable, CaseIterable {
    /// To the value before.
    case left
    /// To the value after.
    case right
  }

  /// The picker.
  public var picker: String
  /// The way of the swipe; nil for a new one.
  public var direction: Direction?
  /// The turn of the wheel in degrees, not wrapped.
  public var degree: Double
  /// When, in CLOCK_MONOTONIC microseconds.
  public var timeUs: Int64

  /// Reads the params.
  public init(_ json: JSONValue) throws(JSONMismatch) {
    let members = try JSONMembers(json)
    picker = try members.string("picker")
    direction = try members.word("direction")
    degree = try members.number("degree")
    timeUs = try members.timeUs()
  }
}
