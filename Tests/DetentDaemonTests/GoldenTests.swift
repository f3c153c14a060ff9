// SPDX-License-Identifier: Apache-2.0

import Testing
import Wire

@testable import DetentDaemon

/// Scripts of input and what must come of it, each a file in Golden/ that a person can read and add to.
///
/// A script has three parts, with a line of dashes between them: a configuration; fingers, a line each, as
/// `milliseconds down|move|up|cancel slot x y` with x and y in points of a 1000 × 1000 display, or any other event
/// of a recording as `milliseconds event name=value …`; and what is said, as `milliseconds method …`. Lines that
/// begin with # are comments. DETENT_GOLDEN=print prints what is said instead of comparing it.
@Suite struct GoldenTests {
  @Test(arguments: Fixtures.names(in: Fixtures.here + "/Golden"))
  func `a script says what it should`(name: String) throws {
    let text = try Fixtures.text("\(Fixtures.here)/Golden/\(name)")
    let parts = Self.parts(of: text)
    try #require(parts.count == 3, "\(name) has \(parts.count) parts")
    let said = try Fixtures.withFile(parts[0].joined(separator: "\n")) { configuration in
      let recording = try parts[1].map(Self.recordingLine).joined(separator: "\n")
      return try Fixtures.withFile(Self.header + "\n" + recording + "\n") { recording in
        try Self.replay(configuration, recording)
      }
    }
    #expect(said == parts[2], "\(name) said\n\(said.joined(separator: "\n"))")
  }

  @Test func `there are scripts`() {
    #expect(Fixtures.names(in: Fixtures.here + "/Golden").count >= 10)
  }

  private static let header =
    #"{"recording":1,"devices":[{"id":"panel","kind":"touchscreen","name":"panel"},"#
    + #"{"id":"pad","kind":"touchpad","name":"pad"},{"id":"knob","kind":"knob","name":"knob"}]}"#

  private static func parts(of text: String) -> [[String]] {
    var parts: [[String]] = [[]]
    for line in text.split(separator: "\n") where !line.hasPrefix("#") {
      if line.hasPrefix("---") {
        parts.append([])
      } else {
        parts[parts.count - 1].append(String(line))
      }
    }
    return parts
  }

  private static func recordingLine(_ line: String) throws -> String {
    let words = line.split(separator: " ").map(String.init)
    let time = Int((try #require(Double(words[0])) * 1000).rounded())
    let head = "{\"time_us\":\(time),\"event\":\"\(words[1])\""
    switch words[1] {
    case "down", "move":
      let x = try #require(Double(words[3])) / 1000
      let y = try #require(Double(words[4])) / 1000
      return head + ",\"device\":\"panel\",\"slot\":\(words[2]),\"x\":\(x),\"y\":\(y)}"
    case "up", "cancel":
      return head + ",\"device\":\"panel\",\"slot\":\(words[2])}"
    default:
      let members = words.dropFirst(2).map { word in
        let pair = word.split(separator: "=", maxSplits: 1)
        return ",\"\(pair[0])\":\(pair[1])"
      }
      let device = ["turn", "press"].contains(words[1]) ? "knob" : "pad"
      let named =
        members.contains { $0.hasPrefix(",\"device\"") } ? "" : ",\"device\":\"\(device)\""
      return head + named + members.joined() + "}"
    }
  }

  private static func replay(_ configuration: String, _ recording: String) throws -> [String] {
    var replay = try Replay(
      configuration: try Configuration(file: configuration), recording: recording)
    var lines: [String] = []
    var problem: (any Error)?
    try replay.run { bytes in
      do {
        lines.append(Self.words(try JSONParser.value(of: bytes.dropLast())))
      } catch {
        problem = error
      }
    }
    if let problem { throw problem }
    return lines
  }

  /// A notification in words: time, method, picker and what matters of the rest.
  private static func words(_ notification: JSONValue) -> String {
    guard case .string(let method)? = notification["method"],
      let params = notification["params"], case .integer(let timeUs)? = params["time_us"]
    else { return "not a notification" }
    let order = [
      "picker", "index", "title", "cause", "pressed", "direction", "degree", "active",
      "resets_in_ms", "on", "cue", "offset_to", "velocity",
    ]
    let time = Double((Double(timeUs) / 100).rounded()) / 10
    var words = ["\(time)", method]
    for name in order {
      switch params[name] {
      case .string(let text)?: words.append(text.isEmpty ? "\"\"" : text)
      case .integer(let integer)?: words.append("\(integer)")
      case .number(let number)?: words.append("\((number * 10).rounded() / 10)")
      case .bool(let bool)?: words.append("\(name)=\(bool)")
      case .null?: words.append("null")
      default: break
      }
    }
    return words.joined(separator: " ")
  }
}
