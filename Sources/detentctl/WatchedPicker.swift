// SPDX-License-Identifier: Apache-2.0

import Wire

/// A picker as `watch` knows it: from the snapshot, and then from notifications alone.
struct WatchedPicker {
  let id: String
  let type: String
  let count: Int
  /// The distance of two values, in points or degrees; 0 where they do not lie on a line.
  let pitch: Double
  var title: String
  var index: Int?
  var liveIndex: Int
  /// The offset, or the degree of a wheel.
  var offset: Double
  var phase: String
  var pressed: Int?
  /// Values and titles by index, as far as they were asked for.
  var values: [Int: (value: String, title: String)] = [:]

  /// The picker of a state.
  init?(_ state: JSONValue) {
    guard case .string(let id)? = state["picker"], case .string(let type)? = state["type"],
      case .integer(let count)? = state["count"]
    else { return nil }
    self.id = id
    self.type = type
    self.count = Int(count)
    pitch = Self.number(state["pitch"]) ?? 0
    title = Command.title(state["title"])
    index = Self.integer(state["index"])
    liveIndex = Self.integer(state["live_index"]) ?? 0
    offset = Self.number(state["offset"]) ?? Self.number(state["degree"]) ?? 0
    phase = Command.text(state["phase"])
  }

  /// Takes over what a notification says of it.
  mutating func take(_ method: String, _ params: JSONValue) {
    switch method {
    case "selection":
      index = Self.integer(params["index"])
      title = Command.title(params["title"])
    case "motion":
      offset = Self.number(params["offset"]) ?? offset
      liveIndex = Self.integer(params["index"]) ?? liveIndex
      phase = Command.text(params["phase"])
    case "tick":
      liveIndex = Self.integer(params["index"]) ?? liveIndex
    case "settle":
      phase = "glide"
      goal = Self.number(params["offset_to"])
    case "rest":
      phase = "idle"
      offset = goal ?? offset
      liveIndex = Self.integer(params["index"]) ?? liveIndex
    case "press":
      pressed = params["pressed"] == .bool(true) ? Self.integer(params["index"]) : nil
    case "direction":
      offset = Self.number(params["degree"]) ?? offset
    default: break
    }
  }

  /// The index at the centre, between two values while it moves.
  var centre: Double {
    guard pitch > 0 else { return Double(liveIndex) }
    let origin = type == "ruler" ? Double(count - 1) / 2 : type == "radial" ? 90 / pitch : 0
    return origin - offset / pitch
  }

  private var goal: Double?

  private static func number(_ value: JSONValue?) -> Double? {
    switch value {
    case .integer(let integer): Double(integer)
    case .number(let number): number
    default: nil
    }
  }

  private static func integer(_ value: JSONValue?) -> Int? {
    if case .integer(let integer)? = value { Int(integer) } else { nil }
  }
}

extension Command {
  /// A title, or a dash where nothing is selected.
  static func title(_ value: JSONValue?) -> String {
    if case .string(let title)? = value { title } else { "–" }
  }
}
