// SPDX-License-Identifier: Apache-2.0

import Gestures
import Testing

@testable import DetentDaemon

/// What good recordings say, whatever their shape.
@Suite struct RecordingReadingTests {
  private static let header =
    #"{"recording":1,"devices":[{"id":"t","kind":"touchscreen","name":"panel","width_mm":160.5,"#
    + #""height_mm":90},{"id":"p","kind":"touchpad","name":""},{"id":"k","kind":"knob","name":"k"}]}"#

  private static func items(_ text: String) throws -> [RecordingReader.Item] {
    try Fixtures.withFile(text) { path in
      let reader = try RecordingReader(path: path)
      var items: [RecordingReader.Item] = []
      while let item = try reader.next() { items.append(item) }
      return items
    }
  }

  private static let lines: [(text: String, kind: InputEvent.Kind)] = [
    (#""t","event":"down","slot":0,"x":0.25,"y":1"#, .down(slot: 0, x: 0.25, y: 1)),
    (#""t","event":"move","slot":1023,"x":-0.5,"y":1e-3"#, .move(slot: 1023, x: -0.5, y: 0.001)),
    (#""t","event":"up","slot":0.0"#, .up(slot: 0)),
    (#""t","event":"cancel","slot":9"#, .cancel(slot: 9)),
    (#""p","event":"scroll","dx":-1.5,"dy":0"#, .scroll(dx: -1.5, dy: 0)),
    (#""p","event":"scroll_end""#, .scrollEnd),
    (#""p","event":"swipe_begin","fingers":3"#, .swipeBegin(fingers: 3)),
    (#""p","event":"swipe","fingers":3,"dx":1,"dy":2"#, .swipe(fingers: 3, dx: 1, dy: 2)),
    (#""p","event":"swipe_end","fingers":3"#, .swipeEnd(fingers: 3, cancelled: false)),
    (#""p","event":"pinch_begin","fingers":2"#, .pinchBegin(fingers: 2)),
    (
      #""p","event":"pinch","fingers":2,"dx":1,"dy":2,"scale":1.5,"angle":-3"#,
      .pinch(fingers: 2, dx: 1, dy: 2, scale: 1.5, angle: -3)
    ),
    (
      #""p","event":"pinch","fingers":2,"angle":3"#,
      .pinch(fingers: 2, dx: 0, dy: 0, scale: 1, angle: 3)
    ),
    (
      #""p","event":"pinch_end","fingers":2,"cancelled":true"#,
      .pinchEnd(fingers: 2, cancelled: true)
    ),
    (#""p","event":"hold_begin","fingers":1"#, .holdBegin(fingers: 1)),
    (
      #""p","event":"hold_end","fingers":1,"cancelled":false"#,
      .holdEnd(fingers: 1, cancelled: false)
    ),
    (#""p","event":"tap""#, .tap), (#""k","event":"turn","steps":-2"#, .turn(steps: -2)),
    (#""k","event":"press""#, .press),
  ]

  @Test func `every event is read`() throws {
    let text = Self.lines.enumerated().map {
      "{\"time_us\":\($0.offset),\"device\":\($0.element.text)}"
    }
    let items = try Self.items(([Self.header] + text).joined(separator: "\n"))
    #expect(items.map(\.timeUs) == Self.lines.indices.map(Int64.init))
    for (item, line) in zip(items, Self.lines) {
      guard case .event(let event) = item else {
        Issue.record("\(line.text) is no event")
        continue
      }
      #expect(event.kind == line.kind)
    }
    #expect(RecordingEvent.allCases.count == 19)
  }

  @Test func `the page has every event with its members`() throws {
    var written: [String: [String]] = [:]
    for line in try Fixtures.text("\(Fixtures.tree)/docs/recordings.md").split(separator: "\n") {
      guard line.hasPrefix("| `") else { continue }
      let cells = line.split(separator: "|").map { cell in
        cell.split(separator: "`").enumerated().filter { $0.offset % 2 == 1 }.map {
          String($0.element)
        }
      }
      for event in cells[0] { written[event] = cells[1] }
    }
    for event in RecordingEvent.allCases {
      #expect(written[event.rawValue].map { ["time_us", "device", "event"] + $0 } == event.members)
    }
    #expect(written.count == RecordingEvent.allCases.count)
  }

  @Test func `devices come and go`() throws {
    let items = try Self.items(
      Self.header + "\r\n" + #"{"device":"k","event":"removed","time_us":5}"# + "\r\n"
        + #"  {"event":"added","time_us":7,"device":"k"} "#)
    let knob = InputDevice(number: 2, id: "k", kind: .knob, name: "k")
    #expect(items == [.removed(2, timeUs: 5), .added(knob, timeUs: 7)])
  }

  @Test func `the longest line is read, and lines meet the pieces of the file anywhere`() throws {
    let event = #"{"time_us":1,"device":"p","event":"tap"}"#
    for padding in [65_536 - event.utf8.count, 0, 1, 1000, 65_000] {
      let line = event + String(repeating: " ", count: padding)
      let text = ([Self.header] + Array(repeating: line, count: 5)).joined(separator: "\n")
      #expect(try Self.items(text).count == 5)
      #expect(try Self.items(text + "\n").count == 5)
    }
  }

  @Test(arguments: Fixtures.names(in: Fixtures.shared + "/cases").filter { !$0.hasSuffix(".py") })
  func `published recordings are read, and their configurations`(name: String) throws {
    let folder = "\(Fixtures.shared)/cases/\(name)"
    #expect(try Configuration(file: "\(folder)/config.toml").warnings.isEmpty)
    let reader = try RecordingReader(path: "\(folder)/recording.jsonl")
    var count = 0
    while try reader.next() != nil { count += 1 }
    #expect(count > 0)
  }

  private static func extreme(_ random: inout SeededRandom) -> InputEvent.Kind {
    func pick<Element>(_ elements: [Element], or fallback: Element) -> Element {
      elements.randomElement(using: &random) ?? fallback
    }
    let places = [-1000, -1e-300, 0, 1e-300, 0.2, 0.5, 0.9999999999999999, 1, 1000.0]
    let far = [-1_000_000, -1e-300, 0, 1, 1_000_000.0]
    let slot = pick([0, 1, 1023], or: 0)
    let x = pick(places, or: 0)
    let y = pick(places, or: 0)
    let dx = pick(far, or: 0)
    let dy = pick(far, or: 0)
    let fingers = pick([1, 2, 3, 32], or: 1)
    let flag = Bool.random(using: &random)
    let kinds: [InputEvent.Kind] = [
      .down(slot: slot, x: x, y: y), .move(slot: slot, x: x, y: y), .move(slot: slot, x: y, y: x),
      .up(slot: slot), .cancel(slot: slot), .scroll(dx: dx, dy: dy), .scrollEnd,
      .swipeBegin(fingers: fingers), .swipe(fingers: fingers, dx: dx, dy: dy),
      .swipeEnd(fingers: fingers, cancelled: flag), .pinchBegin(fingers: fingers),
      .pinch(fingers: fingers, dx: dx, dy: dy, scale: abs(dx), angle: dy),
      .pinchEnd(fingers: fingers, cancelled: flag), .holdBegin(fingers: fingers),
      .holdEnd(fingers: fingers, cancelled: flag), .tap, .turn(steps: Int(dx)), .press,
    ]
    return pick(kinds, or: .tap)
  }

  /// Whatever the reader lets pass, the scene must bear.
  @Test(arguments: ["touchpad", "detent", "knob", "two-screens", "rotated-1080x1920"])
  func `the extremes that may be recorded are replayed to the end`(example: String) throws {
    let seed = UInt64.random(in: .min ... .max)
    print("seed \(seed)")
    var random = SeededRandom(state: seed | 1)
    let configuration = try Configuration(file: "\(Fixtures.tree)/examples/\(example).toml")
    let devices = [
      InputDevice(
        number: 0, id: "t", kind: .touchscreen, name: "Goodix", widthMM: 1e-9, heightMM: 1e6),
      InputDevice(number: 1, id: "p", kind: .touchpad, name: "p"),
      InputDevice(number: 2, id: "k", kind: .knob, name: "rotary@1"),
    ]
    let steps: [Int64] = [0, 0, 1, 1000, 8000, 16_000, 200_000, 10_000_000, 1 << 45]
    for _ in 0..<8 {
      var bytes: [UInt8] = []
      var writer = try RecordingWriter(devices: devices) { bytes += $0 }
      var timeUs: Int64 = Bool.random(using: &random) ? 0 : 1 << 52
      for _ in 0..<200 {
        timeUs = min(timeUs + (steps.randomElement(using: &random) ?? 0), 1 << 53)
        let event = InputEvent(
          timeUs: timeUs, device: Int.random(in: 0...2, using: &random), kind: Self.extreme(&random)
        )
        #expect(try writer.write(event))
      }
      try writer.flush()
      let lines = try Fixtures.withFile(bytes) { path in
        var lines: [String] = []
        var replay = try Replay(configuration: configuration, recording: path)
        try replay.run {
          lines.append(String(decoding: $0, as: UTF8.self))
        }
        return lines
      }
      // What is not finite is written as null, where a number belongs.
      let strange = lines.first { line in
        ["offset_from", "offset_to", "velocity", "degree"].contains {
          line.contains("\"\($0)\":null")
        }
      }
      #expect(strange == nil, "seed \(seed)")
    }
  }
}
