// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import DetentDaemon

@Suite struct RecordingTests {
  private static let header =
    #"{"recording":1,"devices":[{"id":"t","kind":"touchscreen","name":"panel"}]}"#

  private static func problem(_ text: String) throws -> String {
    try Fixtures.withFile(text) { path in
      do throws(RecordingError) {
        let reader = try RecordingReader(path: path)
        while try reader.next() != nil {}
        return "fine"
      } catch {
        return String(error.description.dropFirst(path.utf8.count + 1))
      }
    }
  }

  private static let cases: [(text: String, expected: String)] = {
    var cases: [(text: String, expected: String)] = []
    cases.append(("", "0: is empty"))
    cases.append(("x", "1: is not JSON"))
    cases.append((#"{"recording":2,"devices":[]}"#, "1: the recording's version is 2; expected 1"))
    cases.append((#"{"recording":1}"#, "1: \"devices\" is missing"))
    cases.append(
      (
        #"{"recording":1,"devices":[{"id":"a","kind":"mouse","name":"b"}]}"#,
        "1: \"kind\": expected touchscreen, touchpad or knob"
      ))
    cases.append((header + "\n{}", "2: \"time_us\" is missing"))
    cases.append((header + "\n\n", "2: is empty"))
    cases.append(
      (line(#"{"time_us":1,"device":"t","event":"jump"}"#), "2: \"event\": expected one of down"))
    cases.append((line(#"{"time_us":1,"device":"u","event":"up","slot":0}"#), "2: no device \"u\""))
    cases.append((line(#"{"time_us":1,"device":"t","event":"up"}"#), "2: \"slot\" is missing"))
    cases.append(
      (
        line(#"{"time_us":1.5,"device":"t","event":"up","slot":0}"#),
        "2: \"time_us\": expected a whole number"
      ))
    cases.append(
      (
        line(#"{"time_us":1,"device":"t","event":"up","slot":-1}"#),
        "2: \"slot\": expected a whole number from 0 to 1023, found -1"
      ))
    cases.append(
      (line(#"{"time_us":1,"device":"t","event":"up","slot":0,"z":1}"#), "2: unknown member \"z\""))
    cases.append(
      (
        line(#"{"time_us":1,"device":"t","event":"down","slot":0,"x":"a","y":0}"#),
        "2: \"x\": expected a number"
      ))
    cases.append(
      (line(#"{"time_us":1,"device":"t","event":"down","slot":0,"x":NaN,"y":0}"#), "2: is not JSON")
    )
    cases.append((line(String(repeating: " ", count: 70_000)), "2: is longer than 65536 bytes"))
    cases.append((header, "fine"))
    cases.append((line(#"{"time_us":1,"device":"t","event":"up","slot":0}"#), "fine"))
    return cases
  }()

  private static func line(_ text: String) -> String { "\(header)\n\(text)" }

  @Test(arguments: cases)
  func `a bad line is told by its number and what is wrong`(
    text: String, expected: String
  ) throws {
    let found = try Self.problem(text)
    let plain = expected.hasPrefix("0: ") ? String(expected.dropFirst(3)) : expected
    #expect(found.trimmingPrefix(" ").hasPrefix(plain), "\(found)")
  }

  @Test func `no bytes crash the reader`() throws {
    let seed = UInt64.random(in: .min ... .max)
    print("seed \(seed)")
    var random = SeededRandom(state: seed | 1)
    let line = Array(
      (Self.header + "\n" + #"{"time_us":1,"device":"t","event":"down","slot":0,"x":0.5,"y":1}"#)
        .utf8)
    for _ in 0..<500 {
      var bytes = line
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(
          in: .min ... .max, using: &random)
      }
      try Fixtures.withFile(bytes) { path in
        do throws(RecordingError) {
          let reader = try RecordingReader(path: path)
          while try reader.next() != nil {}
        } catch {
          #expect(error.line > 0, "seed \(seed)")
        }
      }
    }
  }
}
