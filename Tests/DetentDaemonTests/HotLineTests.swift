// SPDX-License-Identifier: Apache-2.0

import DetentDaemon
import FoundationEssentials
import Gestures
import Scene
import Testing
import Wire

@testable import Pickers

/// The lines that are written for every frame, held against what an encoder makes of the same.
@Suite struct HotLineTests {
  private struct Notification<Params: Encodable>: Encodable {
    var jsonrpc = "2.0"
    var method: String
    var params: Params
  }

  private struct MotionParams: Encodable {
    var picker: String
    var index: Int
    var phase: String
    var offset: Double
    var translation: Double
    var velocity: Double
    var predicted_end_translation: Double
    var time_us: Int64
  }

  private struct TickParams: Encodable {
    var picker: String
    var index: Int
    var value: Double
    var time_us: Int64
  }

  private struct SelectionParams: Encodable {
    var picker: String
    var index: Int
    var value: Double
    var title: String
    var previous: Double
    var cause: String
    var revision: Int
    var time_us: Int64
  }

  private func expectSame(
    _ event: SceneEvent, _ method: String, _ params: some Encodable, _ comment: Comment
  ) throws {
    var encoder = EventEncoder()
    encoder.write(event)
    let line = encoder.line.bytes
    #expect(line.last == 10, comment)
    let theirs = try JSONEncoder().encode(Notification(method: method, params: params))
    #expect(
      try JSONParser.value(of: line.dropLast()) == JSONParser.value(of: Array(theirs)), comment)
  }

  @Test func `hot lines say what an encoder would`() throws {
    let values = try ValueList(
      from: DecimalNumber(0), through: DecimalNumber(50), step: DecimalNumber(5, exponent: -1),
      decimals: 1)
    var random = SystemRandomNumberGenerator()
    for id in ["ruler", "\"\\\n\u{1}", "größe 🎛", ""] {
      for _ in 0..<200 {
        let number = { Double.random(in: -1e6...1e6, using: &random) }
        let index = Int.random(in: 0...100, using: &random)
        let timeUs = Int64.random(in: 0...Int64.max / 2, using: &random)
        let comment: Comment = "\(id) \(index) \(timeUs)"
        let motion = Motion(
          phase: .drag, offset: number(), translation: number().rounded(), velocity: number(),
          predictedEndTranslation: number() * 1e-9, index: index)
        try expectSame(
          .picker(id, values, PickerEvent(timeUs: timeUs, kind: .motion(motion))), "motion",
          MotionParams(
            picker: id, index: index, phase: "drag", offset: motion.offset,
            translation: motion.translation, velocity: motion.velocity,
            predicted_end_translation: motion.predictedEndTranslation, time_us: timeUs), comment)
        try expectSame(
          .picker(id, values, PickerEvent(timeUs: timeUs, kind: .tick(index: index))), "tick",
          TickParams(picker: id, index: index, value: Double(index) / 2, time_us: timeUs), comment)
        let change = SelectionChange(
          picker: id, values: values, index: index, previous: values[0], cause: .drag,
          revision: index, timeUs: timeUs)
        try expectSame(
          .selection(change), "selection",
          SelectionParams(
            picker: id, index: index, value: Double(index) / 2, title: values.title(at: index),
            previous: 0, cause: "drag", revision: index, time_us: timeUs), comment)
      }
    }
  }
}
