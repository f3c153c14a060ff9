// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Wire

@Suite struct JSONWriterTests {
  private func text(_ write: (inout JSONWriter) -> Void) -> String {
    var writer = JSONWriter()
    write(&writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  @Test func `objects and arrays have their commas`() {
    let text = text { writer in
      writer.beginObject()
      writer.name("a")
      writer.integer(1)
      writer.name("b")
      writer.beginArray()
      writer.bool(true)
      writer.null()
      writer.beginObject()
      writer.endObject()
      writer.string("x")
      writer.endArray()
      writer.endObject()
    }
    #expect(text == #"{"a":1,"b":[true,null,{},"x"]}"#)
  }

  @Test func `what is written reads back as it was`() throws {
    let seed = UInt64.random(in: .min ... .max)
    print("seed \(seed)")
    var random = Xorshift(state: seed | 1)
    for _ in 0..<2000 {
      let value = Self.value(&random, depth: 0)
      var writer = JSONWriter()
      writer.json(value)
      #expect(try JSONParser.value(of: writer.bytes) == Self.plain(value), "seed \(seed)")
    }
  }

  @Test func `numbers that are not finite are null`() {
    #expect(text { $0.number(Double.nan) } == "null")
    #expect(text { $0.number(-Double.infinity) } == "null")
    #expect(text { $0.number(0.1) } == "0.1")
    #expect(text { $0.number(-5.0) } == "-5")
    #expect(text { $0.integer(Int64.min) } == "-9223372036854775808")
  }

  /// Numbers without a fraction read back as integers.
  private static func plain(_ value: JSONValue) -> JSONValue {
    switch value {
    case .number(let number) where number == number.rounded() && abs(number) < 1e15:
      .integer(Int64(number))
    case .array(let elements): .array(elements.map(plain))
    case .object(let members): .object(members.mapValues(plain))
    default: value
    }
  }

  private static func value(_ random: inout Xorshift, depth: Int) -> JSONValue {
    switch Int.random(in: 0..<(depth < 4 ? 8 : 6), using: &random) {
    case 0: return .null
    case 1: return .bool(.random(using: &random))
    case 2: return .integer(.random(in: .min ... .max, using: &random))
    case 3: return .number(.random(in: -1e6...1e6, using: &random))
    case 4: return .number(Double.random(in: -1...1, using: &random) * 1e-9)
    case 5:
      let scalars = (0..<Int.random(in: 0...12, using: &random)).compactMap { _ in
        Unicode.Scalar(UInt32.random(in: 0...0x10FFFF, using: &random))
      }
      return .string(String(String.UnicodeScalarView(scalars)))
    case 6:
      return .array(
        (0..<Int.random(in: 0...4, using: &random)).map { _ in
          value(&random, depth: depth + 1)
        })
    default:
      var members: [String: JSONValue] = [:]
      for index in 0..<Int.random(in: 0...4, using: &random) {
        members["m\(index)\"\\"] = value(&random, depth: depth + 1)
      }
      return .object(members)
    }
  }
}

/// Random numbers that a seed brings back.
struct Xorshift: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state
  }
}
