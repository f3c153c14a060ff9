// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Testing

@testable import Wire

@Suite struct JSONParserTests {
  private func value(_ text: String) throws(JSONParser.Failure) -> JSONValue {
    try JSONParser.value(of: Array(text.utf8))
  }

  @Test(arguments: [
    ("0", JSONValue.integer(0)), ("-0", .integer(0)), ("72", .integer(72)),
    ("72.0", .integer(72)), ("7.2e1", .integer(72)), ("1e3", .integer(1000)),
    ("1E+3", .integer(1000)), ("5e-1", .number(0.5)), ("-12.5", .number(-12.5)),
    ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
    ("9223372036854775808", .number(0x1p63)),
    ("12345678901234567890", .number(0x1.56a95319d63e1p63)),
    ("-9223372036854775809", .number(-0x1p63)), ("0.30000000000000004", .number(0.1 + 0.2)),
    ("1e-400", .integer(0)), ("12345678901234567890e-1", .number(0x1.12210f47de981p60)),
    ("1234567890123456789", .integer(1_234_567_890_123_456_789)),
    ("1.7976931348623157e308", .number(.greatestFiniteMagnitude)),
  ])
  func `numbers are read`(text: String, expected: JSONValue) throws {
    #expect(try value(text) == expected)
    #expect(try value(" [\(text)\t,\r\n\(text) ] ") == .array([expected, expected]))
  }

  @Test(arguments: [
    (#""""#, ""), (#""a""#, "a"), (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"),
    (#""\u0041\u00e9\u20AC""#, "Aé€"), (#""\ud83d\uDE00""#, "😀"), (#""\u0000""#, "\0"),
    (#""é€😀""#, "é€😀"), (#""[[[[{""#, "[[[[{"), ("\"\u{7F}\"", "\u{7F}"),
  ])
  func `texts are read`(text: String, expected: String) throws {
    #expect(try value(text) == .string(expected))
    #expect(try value("{\(text):\(text)}") == .object([expected: .string(expected)]))
  }

  @Test(arguments: [
    "", " ", "nul", "nulll", "True", "01", "-", "-01", "+1", "1.", ".5", "1e", "1e+", "1.e1",
    "0x10",
    "NaN", "Infinity", "-Infinity", "[", "]", "[1", "[1,", "[1,]", "[,1]", "[1 2]", "{", "}",
    "{\"a\"",
    "{\"a\":", "{\"a\":1", "{\"a\":1,}", "{a:1}", "{1:1}", "{\"a\" 1}", "{,}", "\"", "\"a", "'a'",
    "\"\\\"", "\"\\x41\"", "\"\\u12\"", "\"\\u12g4\"", "\"\\ud800\"", "\"\\udc00\"",
    "\"\\ud800\\n\"",
    "\"\\ud800\\u0041\"", "\"a\tb\"", "\"a\nb\"", "\"\0\"", "1 2", "{}{}", "[]x", "/**/1", "1//",
    "\u{FEFF}1", "\u{A0}1", "\u{B}1", "\u{C}1",
  ])
  func `what is not quite JSON is refused`(text: String) {
    #expect {
      try value(text)
    } throws: { error in
      guard case .syntax(let offset)? = error as? JSONParser.Failure else { return false }
      return (0...text.utf8.count).contains(offset)
    }
  }

  @Test func `what JSON leaves open is refused too`() {
    #expect(throws: JSONParser.Failure.duplicateName("a", offset: 10)) {
      try value(#"{"a":1,"a":2}"#)
    }
    #expect(throws: JSONParser.Failure.duplicateName("a", offset: 22)) {
      try value(#"[{"a":1,"b":2,"\u0061":2}]"#)
    }
    #expect(throws: JSONParser.Failure.numberTooLarge(offset: 6)) { try value("[1e400]") }
  }

  @Test func `nesting has an end, inside texts it has none`() throws {
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    #expect(throws: Never.self) { try value(nested(32)) }
    #expect(throws: JSONParser.Failure.tooDeep) { try value(nested(33)) }
    #expect(throws: JSONParser.Failure.tooDeep) {
      try value(String(repeating: "[", count: 65_536))
    }
    #expect(throws: JSONParser.Failure.tooDeep) {
      try value(String(repeating: #"{"a":"#, count: 10_000))
    }
    // One after the other is not one in the other.
    #expect(throws: Never.self) {
      try value("[" + Array(repeating: nested(31), count: 500).joined(separator: ",") + "]")
    }
  }

  @Test(arguments: [
    [0x22, 0xFF, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22],
    [0x22, 0xF5, 0x80, 0x80, 0x80, 0x22], [0x22, 0xE2, 0x82, 0x22], [0x80], [0x5B, 0xFE, 0x5D],
    [0x7B, 0x22, 0xFF, 0x22, 0x3A, 0x31, 0x7D],
  ])
  func `what is not UTF-8 is refused as such`(bytes: [UInt8]) {
    #expect(throws: JSONParser.Failure.invalidUTF8) { try JSONParser.value(of: bytes) }
  }

  /// Text that is nearly JSON: pieces of it in a random order.
  private func nearlyJSON(_ random: inout Xorshift) -> String {
    let pieces = [
      "{", "}", "[", "]", ",", ":", "\"a\"", "\"b\"", "\"\\u00e9\"", "\"", "\\", "1", "-", "0.5",
      "1e5", "e", ".", "null", "true", "false", " ", "\n", "é", "\"id\":", "12345678901234567890",
    ]
    return (0..<Int.random(in: 1...12, using: &random)).map { _ in
      pieces[Int.random(in: 0..<pieces.count, using: &random)]
    }.joined()
  }

  /// Whether two values are the same but for whole numbers beyond 2⁵³ that have a point or an exponent.
  ///
  /// Those are doubles here; Foundation computes a few of them with all their digits.
  private func same(_ found: JSONValue, _ expected: JSONValue) -> Bool {
    switch (found, expected) {
    case (.number(let double), .integer(let integer)): double == Double(integer)
    case (.array(let these), .array(let those)):
      these.count == those.count && zip(these, those).allSatisfy(same)
    case (.object(let these), .object(let those)):
      these.count == those.count
        && these.allSatisfy { name, value in those[name].map { same(value, $0) } ?? false }
    default: found == expected
    }
  }

  @Test func `what is accepted, Foundation reads the same`() throws {
    let seed = UInt64.random(in: .min ... .max)
    print("seed \(seed)")
    var random = Xorshift(state: seed | 1)
    let decoder = JSONDecoder()
    var accepted = 0
    for _ in 0..<30_000 {
      let text = nearlyJSON(&random)
      guard let found = try? value(text) else { continue }
      accepted += 1
      let expected = try? decoder.decode(JSONValue.self, from: Data(text.utf8))
      #expect(expected.map { same(found, $0) } ?? false, "seed \(seed): \(text)")
    }
    // A parser that accepts nothing would pass as well.
    #expect(accepted > 200)
  }

  @Test func `any bytes are survived`() {
    let seed = UInt64.random(in: .min ... .max)
    print("seed \(seed)")
    var random = Xorshift(state: seed | 1)
    let alphabet = Array("{}[]\",:\\u0d8e-+.tfn \n".utf8) + [0xC3, 0xA9, 0xFF, 0xF0]
    for _ in 0..<20_000 {
      let bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in
        alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
      }
      guard let value = try? JSONParser.value(of: bytes) else { continue }
      var writer = JSONWriter()
      writer.json(value)
      #expect((try? JSONParser.value(of: writer.bytes)) == value, "seed \(seed)")
    }
  }

  @Test func `a line of the greatest length takes a few milliseconds, whatever it holds`() throws {
    let lines = [
      "numbers": "[" + Array(repeating: "0", count: 32_000).joined(separator: ",") + "]",
      "arrays": "[" + Array(repeating: "[]", count: 21_000).joined(separator: ",") + "]",
      "objects": "[" + Array(repeating: #"{"a":1.5}"#, count: 6500).joined(separator: ",") + "]",
      "escapes": "\"" + String(repeating: #"\u00e9"#, count: 10_900) + "\"",
      "names": "{" + (0..<6000).map { "\"\($0)\":1" }.joined(separator: ",") + "}",
    ]
    for (name, line) in lines.sorted(by: { $0.key < $1.key }) {
      let bytes = Array(line.utf8)
      #expect(bytes.count <= Limits.longestLine)
      let time = try ContinuousClock().measure { _ = try JSONParser.value(of: bytes) }
      print("\(name): \(bytes.count) bytes in \(time)")
      // Far above what it takes without optimisation, far below what a quadratic parser takes.
      #expect(time < .seconds(1))
    }
  }
}
