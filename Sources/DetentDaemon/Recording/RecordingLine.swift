// SPDX-License-Identifier: Apache-2.0

import Gestures

/// The first line of a recording.
struct RecordingHeader: Decodable {
  struct Device: Decodable {
    var id: String
    var kind: String
    var name: String
    var width: Double?
    var height: Double?

    init(from decoder: any Decoder) throws {
      let fields = try StrictFields(
        decoder, allowed: ["id", "kind", "name", "width_mm", "height_mm"])
      id = try fields.required("id")
      kind = try fields.required("kind")
      name = try fields.required("name")
      width = try fields.optional("width_mm")
      height = try fields.optional("height_mm")
    }
  }

  var version: Int64
  var devices: [Device]

  init(from decoder: any Decoder) throws {
    let fields = try StrictFields(decoder, allowed: ["recording", "devices"])
    version = try fields.required("recording")
    devices = try fields.required("devices")
  }
}

/// Any other line of a recording.
struct RecordingLine: Decodable {
  /// What happened: a device said something, or came or went.
  enum Content {
    case input(InputEvent.Kind)
    case added
    case removed
  }

  var timeUs: Int64
  var device: String
  var content: Content

  init(from decoder: any Decoder) throws {
    let fields = try StrictFields(decoder, allowed: nil)
    timeUs = try fields.required("time_us")
    device = try fields.required("device")
    let event: String = try fields.required("event")
    guard let members = Self.members[event] else {
      throw StrictFields.Problem("unknown event \"\(event)\"")
    }
    try fields.refuseAll(but: ["time_us", "device", "event"] + members)
    content = try Self.content(event, fields)
  }

  private static let members: [String: [String]] = [
    "down": ["slot", "x", "y"], "move": ["slot", "x", "y"], "up": ["slot"], "cancel": ["slot"],
    "scroll": ["dx", "dy"], "scroll_end": [],
    "swipe_begin": ["fingers"], "swipe": ["fingers", "dx", "dy"],
    "swipe_end": ["fingers", "cancelled"],
    "pinch_begin": ["fingers"], "pinch": ["fingers", "dx", "dy", "scale", "angle"],
    "pinch_end": ["fingers", "cancelled"],
    "hold_begin": ["fingers"], "hold_end": ["fingers", "cancelled"],
    "tap": [], "turn": ["steps"], "press": [], "added": [], "removed": [],
  ]

  private static func content(_ event: String, _ fields: StrictFields) throws -> Content {
    func number(_ name: String) throws -> Double { try fields.required(name) }
    func fingers() throws -> Int { try fields.bounded("fingers", 1...32) }
    func slot() throws -> Int { try fields.bounded("slot", 0...1023) }
    func isCancelled() throws -> Bool { try fields.optional("cancelled") ?? false }
    switch event {
    case "down": return .input(.down(slot: try slot(), x: try number("x"), y: try number("y")))
    case "move": return .input(.move(slot: try slot(), x: try number("x"), y: try number("y")))
    case "up": return .input(.up(slot: try slot()))
    case "cancel": return .input(.cancel(slot: try slot()))
    case "scroll": return .input(.scroll(dx: try number("dx"), dy: try number("dy")))
    case "scroll_end": return .input(.scrollEnd)
    case "swipe_begin": return .input(.swipeBegin(fingers: try fingers()))
    case "swipe":
      return .input(.swipe(fingers: try fingers(), dx: try number("dx"), dy: try number("dy")))
    case "swipe_end":
      return .input(.swipeEnd(fingers: try fingers(), cancelled: try isCancelled()))
    case "pinch_begin": return .input(.pinchBegin(fingers: try fingers()))
    case "pinch":
      return .input(
        .pinch(
          fingers: try fingers(), dx: try fields.optional("dx") ?? 0,
          dy: try fields.optional("dy") ?? 0, scale: try fields.optional("scale") ?? 1,
          angle: try fields.optional("angle") ?? 0))
    case "pinch_end":
      return .input(.pinchEnd(fingers: try fingers(), cancelled: try isCancelled()))
    case "hold_begin": return .input(.holdBegin(fingers: try fingers()))
    case "hold_end":
      return .input(.holdEnd(fingers: try fingers(), cancelled: try isCancelled()))
    case "tap": return .input(.tap)
    case "turn": return .input(.turn(steps: try fields.bounded("steps", -1_000_000...1_000_000)))
    case "press": return .input(.press)
    case "added": return .added
    default: return .removed
    }
  }
}

/// The members of an object of which none may be there that is not expected.
struct StrictFields {
  /// What is wrong, in words.
  struct Problem: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
  }

  private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  private let container: KeyedDecodingContainer<Name>

  init(_ decoder: any Decoder, allowed: [String]?) throws {
    do {
      container = try decoder.container(keyedBy: Name.self)
    } catch {
      throw Problem("expected an object")
    }
    if let allowed { try refuseAll(but: allowed) }
  }

  func refuseAll(but allowed: [String]) throws {
    for key in container.allKeys where !allowed.contains(key.stringValue) {
      throw Problem(
        "unknown member \"\(key.stringValue)\"; expected \(allowed.joined(separator: ", "))")
    }
  }

  func required<Value: Decodable>(_ name: String) throws -> Value {
    guard let value: Value = try optional(name) else { throw Problem("\"\(name)\" is missing") }
    return value
  }

  func optional<Value: Decodable>(_ name: String) throws -> Value? {
    let key = Name(name)
    guard container.contains(key) else { return nil }
    do {
      return try container.decode(Value.self, forKey: key)
    } catch let problem as Problem {
      throw problem
    } catch {
      throw Problem("\"\(name)\" should be \(Self.name(of: Value.self))")
    }
  }

  func bounded(_ name: String, _ range: ClosedRange<Int>) throws -> Int {
    let value: Int64 = try required(name)
    guard range.contains(Int(value)) else {
      throw Problem("\"\(name)\" is \(value); expected \(range.lowerBound) to \(range.upperBound)")
    }
    return Int(value)
  }

  private static func name(of type: any Any.Type) -> String {
    switch type {
    case is String.Type: "a text"
    case is Bool.Type: "true or false"
    case is Int64.Type: "a whole number"
    case is Double.Type: "a finite number"
    default: "a list"
    }
  }
}
