// SPDX-License-Identifier: Apache-2.0

import Gestures
import Haptics
import Pickers
import Scene
import Testing
import Wire

@testable import DetentDaemon

/// What a configuration comes to, and what files of a strange shape come to.
@Suite struct ConfigurationReadingTests {
  private static let display = "[[display]]\nwidth = 1000\nheight = 1000\n"

  private static func read(_ text: String) throws -> Configuration {
    try Fixtures.withFile(text) { try Configuration(file: $0) }
  }

  private static func problems(_ text: some Collection<UInt8>) throws -> [OptionProblem] {
    try Fixtures.withFile(text) { path in
      do throws(ConfigurationError) {
        return try Configuration(file: path).warnings
      } catch {
        return error.problems
      }
    }
  }

  private static func picker(_ values: String, _ rest: String = "") throws -> PickerBase {
    let text = """
      \(display)
      [[picker]]
      id = "a"
      type = "ruler"
      region = { x = 0, y = 0, width = 100, height = 100 }
      values = \(values)
      \(rest)
      """
    return try #require(try read(text).pickers.first).model.base
  }

  @Test func `the reference example sets every key`() throws {
    let configuration = try Configuration(file: "\(Fixtures.tree)/examples/detent.toml")
    let scene = configuration.scene
    #expect(scene.idleAfterUs == 60_000_000)
    #expect(scene.idleResetUs == 90_000_000)
    #expect(scene.stopAfterUs == 50_000)
    #expect(scene.displays.map(\.id) == ["main"])
    #expect(scene.displays[0].deadZones == [Region(x: 0, y: 0, width: 40, height: 40)])
    #expect(scene.displays[0].touchscreen?.matches(name: "Goodix Capacitive", path: "x") == true)
    #expect(scene.displays[0].touchscreen?.matches(name: "ILITEK", path: "x") == false)
    #expect(scene.knobs.count == 1)
    #expect(configuration.haptics.device?.name?.pattern == "drv260x*")
    #expect(configuration.haptics.displayDevices["main"]?.name?.pattern == "*vibrator*")
    #expect(configuration.pickers.map(\.id) == ["weight", "language", "accent", "strength"])
    #expect(configuration.pickers.map { $0.model.base.opening } == [32, 1, nil, 4])
    #expect(configuration.pickers[0].model.base.values.title(at: 32) == "72 kg")
    #expect(configuration.pickers[3].model.base.values.title(at: 4) == "2.5")
  }

  @Test func `decimals are exact and shown as the file writes them`() throws {
    let quarter = try Self.picker("{ from = 0, through = 4.00, step = 0.25 }").values
    #expect(quarter.count == 17)
    #expect(quarter.title(at: 2) == "0.50")
    #expect(
      try Self.picker("{ from = 0.1, through = 0.9, step = 0.1 }").values[2].description == "0.3")
    #expect(
      try Self.picker("{ from = 1.50, through = 2, step = 0.1 }").values.title(at: 0) == "1.50")
    #expect(try Self.picker("{ from = 1e1, through = 1_0.5, step = +5e-1 }").values.count == 2)
    #expect(try Self.picker("{ from = 0x10, through = 0o20, step = 1 }").values.count == 1)
    #expect(try Self.picker("[4.50, 72.0]", "selection = 72").opening == 1)
    #expect(try Self.picker("[72, \"72\"]", "selection = \"72\"").opening == 1)
  }

  @Test func `places count letters, whatever stands before them`() throws {
    func place(_ text: String) throws -> [[Int]] {
      try Self.problems(Array(text.utf8)).map { [$0.line, $0.column] }
    }
    let body = "[daemon]\nseat = \"größer\"\nx = 1\n\(Self.display)"
    #expect(try place(body) == [[3, 1]])
    #expect(try place("\u{FEFF}" + body) == [[3, 1]])
    #expect(try place(body.split(separator: "\n").joined(separator: "\r\n")) == [[3, 1]])
    let wide = "[daemon]\nallow_control = [\"größer\", \"e\u{301}\", 5]\n\(Self.display)"
    #expect(try place(wide) == [[2, 34]])
    let float = "[haptics]\ndevice = { name = \"größer\", path = 1.50 }\n\(Self.display)"
    #expect(try place(float) == [[2, 36]])
    #expect(try Self.problems(Array(float.utf8))[0].message.hasSuffix("found 1.50"))
  }

  @Test(arguments: [
    "[" + String(repeating: "a.", count: 100_000) + "a]",
    String(repeating: "a.", count: 100_000) + "a = 1",
    "a = " + String(repeating: "[", count: 100_000),
    "a = " + String(repeating: "{ a = ", count: 100_000),
    String(repeating: "\"", count: 100_001), "a = \"\"\"\\\n\u{FDFD}\"\"\"", "[\u{FE79}]", "[&]",
    "a = \"\\\u{FE79}\"", "\u{0}", "a = \u{2028}",
  ])
  func `a text that is hard on the parser is one error with its place`(text: String) throws {
    let problems = try Self.problems(Array(text.utf8))
    #expect(problems.count == 1)
    #expect(problems.first?.line ?? 0 > 0)
    #expect(problems.first?.message.hasPrefix("not TOML") == true)
  }

  @Test func `a large file is read in good time`() throws {
    let floats = Array(repeating: "1.5", count: 20_000).joined(separator: ",")
    let start = ContinuousClock.now
    _ = try Self.problems(Array("x = [\(floats)]\n\(Self.display)".utf8))
    _ = try Self.problems(Array(String(repeating: "[[display]]\n", count: 8000).utf8))
    #expect(start.duration(to: .now) < .seconds(60))
  }

  @Test func `there may be 4096 pickers and no more`() throws {
    func text(_ count: Int) -> String {
      let pickers = (0..<count).map { number in
        "[[picker]]\nid=\"\(number)\"\ntype=\"ruler\"\nregion={x=0,y=0,width=9,height=9}\nvalues=[1]\n"
      }
      return Self.display + pickers.joined()
    }
    #expect(try Self.read(text(4096)).pickers.count == 4096)
    let problems = try Self.problems(Array(text(4097).utf8))
    #expect(problems.map(\.message) == ["stands there 4097 times; expected at most 4096"])
  }

  @Test func `values lie one apart where no step is given`() throws {
    let values = try Self.picker("{ from = 0.5, through = 4 }").values
    #expect(values == (try Self.picker("{ from = 0.5, through = 4, step = 1 }").values))
    #expect(values.count == 4)
  }

  @Test func `a picker from JSON is the picker of a file`() throws {
    let json: [String: JSONValue] = [
      "id": .string("a"), "type": .string("ruler"),
      "region": .object([
        "x": .integer(0), "y": .number(0.5), "width": .integer(100), "height": .integer(100),
      ]),
      "values": .object(["from": .integer(0), "through": .integer(2), "step": .number(0.1)]),
      "selection": .number(0.3),
    ]
    let displays = try Self.read(Self.display).scene.displays
    let picker = try PickerParams.picker(json, displays: displays)
    let file = try Self.picker("{ from = 0, through = 2, step = 0.1 }", "selection = 0.3")
    #expect(picker.model.base.values == file.values)
    #expect(picker.model.base.opening == 3)
    #expect(picker.model.base.region.y == 0.5)

    var wrong = json
    wrong["region"] = .object(["x": .integer(0), "y": .null, "width": .integer(1)])
    do throws(RPCError) {
      _ = try PickerParams.picker(wrong, displays: displays)
      Issue.record("a picker with a broken region was taken")
    } catch {
      #expect(error.field == "region.height" || error.field == "region.y")
    }
  }

  @Test func `random tables of the right words never crash the reader`() throws {
    let seed = UInt64.random(in: .min ... .max)
    print("seed \(seed)")
    var random = SeededRandom(state: seed | 1)
    let keys = [
      "id", "type", "region", "values", "items", "colors", "selection", "title", "haptic", "axis",
      "item_width", "padding", "spacing", "columns", "size", "mode", "display", "width", "height",
      "rotation", "edge_margin", "dead_zones", "touchscreen", "device", "picker", "seat",
    ]
    let values = [
      "1", "-1", "0", "1e300", "-1e-300", "nan", "true", "\"\"", "\"a\"", "\"ruler\"",
      "\"carousel\"",
      "\"swatches\"", "\"radial\"", "[]", "[1, \"a\"]", "{}", "{ value = 1 }", "\"{}\"",
      "\"vertical\"",
      "{ x = 0, y = 0, width = 10, height = 10 }", "{ from = 0, through = 9, step = 1 }",
      "{ from = -1e17, through = 9e17, step = 1e-17 }", "{ name = \"[\" }", "9223372036854775807",
    ]
    let headers = ["[daemon]", "[haptics]", "[gesture]", "[[display]]", "[[picker]]", "[[knob]]"]
    for _ in 0..<300 {
      var text = ""
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        text += (headers.randomElement(using: &random) ?? "") + "\n"
        for key in keys.shuffled(using: &random).prefix(Int.random(in: 0...9, using: &random)) {
          text += "\(key) = \(values.randomElement(using: &random) ?? "")\n"
        }
      }
      let problems = try Self.problems(Array(text.utf8))
      let places = problems.map { $0.line * 10_000 + $0.column }
      #expect(places == places.sorted(), "seed \(seed)")
    }
  }
}
