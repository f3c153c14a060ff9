// SPDX-License-Identifier: Apache-2.0

import Gestures
import Wire

/// Any line of a recording but the first.
struct RecordingLine {
  /// What happened: a device said something, or came or went.
  enum Content {
    case input(InputEvent.Kind)
    case added
    case removed
  }

  /// As far as integers are exact in every JSON reader: 285 years of uptime.
  private static let latestUs: Int64 = 1 << 53
  /// A place is 0…1 of the surface; a finger may leave it, but not for another town.
  private static let places = -1000.0...1000.0
  private static let distances = -1_000_000.0...1_000_000.0

  let timeUs: Int64
  let device: String
  let content: Content

  init(_ line: JSONValue) throws(RecordingProblem) {
    let fields = try RecordingFields(line)
    timeUs = try fields.integer("time_us", in: 0...Self.latestUs)
    device = try fields.string("device")
    guard let event = RecordingEvent(rawValue: try fields.string("event")) else {
      throw fields.mismatch(
        "event", "one of \(RecordingEvent.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    try fields.refuseAll(but: event.members)
    content = try Self.content(event, fields)
  }

  private static func content(
    _ event: RecordingEvent, _ fields: RecordingFields
  ) throws(RecordingProblem) -> Content {
    switch event {
    case .down:
      .input(.down(slot: try slot(fields), x: try place("x", fields), y: try place("y", fields)))
    case .move:
      .input(.move(slot: try slot(fields), x: try place("x", fields), y: try place("y", fields)))
    case .up: .input(.up(slot: try slot(fields)))
    case .cancel: .input(.cancel(slot: try slot(fields)))
    case .turn: .input(.turn(steps: Int(try fields.integer("steps", in: -1_000_000...1_000_000))))
    case .press: .input(.press)
    case .added: .added
    case .removed: .removed
    default: .input(try touchpad(event, fields))
    }
  }

  private static func touchpad(
    _ event: RecordingEvent, _ fields: RecordingFields
  ) throws(RecordingProblem) -> InputEvent.Kind {
    switch event {
    case .scroll:
      .scroll(
        dx: try fields.number("dx", in: distances), dy: try fields.number("dy", in: distances))
    case .scrollEnd: .scrollEnd
    case .swipeBegin: .swipeBegin(fingers: try fingers(fields))
    case .swipe:
      .swipe(
        fingers: try fingers(fields), dx: try fields.number("dx", in: distances),
        dy: try fields.number("dy", in: distances))
    case .swipeEnd: .swipeEnd(fingers: try fingers(fields), cancelled: try isCancelled(fields))
    case .pinchBegin: .pinchBegin(fingers: try fingers(fields))
    case .pinch:
      .pinch(
        fingers: try fingers(fields), dx: try fields.number("dx", default: 0, in: distances),
        dy: try fields.number("dy", default: 0, in: distances),
        scale: try fields.number("scale", default: 1, in: 0...1_000_000),
        angle: try fields.number("angle", default: 0, in: distances))
    case .pinchEnd: .pinchEnd(fingers: try fingers(fields), cancelled: try isCancelled(fields))
    case .holdBegin: .holdBegin(fingers: try fingers(fields))
    case .holdEnd: .holdEnd(fingers: try fingers(fields), cancelled: try isCancelled(fields))
    default: .tap
    }
  }

  private static func slot(_ fields: RecordingFields) throws(RecordingProblem) -> Int {
    Int(try fields.integer("slot", in: 0...1023))
  }

  private static func place(
    _ name: String, _ fields: RecordingFields
  ) throws(RecordingProblem) -> Double {
    try fields.number(name, in: places)
  }

  private static func fingers(_ fields: RecordingFields) throws(RecordingProblem) -> Int {
    Int(try fields.integer("fingers", in: 1...32))
  }

  private static func isCancelled(_ fields: RecordingFields) throws(RecordingProblem) -> Bool {
    try fields.bool("cancelled", default: false)
  }
}
