// SPDX-License-Identifier: Apache-2.0

/// Appends JSON text to bytes that are reused from line to line.
///
/// It writes what is sent for every touch frame, at a fraction of what an encoder that builds a tree costs.
/// Commas are its own business; the caller opens, names, writes and closes. Numbers that are not finite become
/// `null`: JSON has no word for them, and nothing in Detent may produce one.
public struct JSONWriter: Sendable {
  /// The text so far, UTF-8.
  public private(set) var bytes: [UInt8] = []
  private var needsComma = false

  /// An empty text.
  public init() {}

  /// Forgets the text and keeps its memory.
  public mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    needsComma = false
  }

  /// Opens an object.
  public mutating func beginObject() { open(UInt8(ascii: "{")) }
  /// Closes an object.
  public mutating func endObject() { close(UInt8(ascii: "}")) }
  /// Opens an array.
  public mutating func beginArray() { open(UInt8(ascii: "[")) }
  /// Closes an array.
  public mutating func endArray() { close(UInt8(ascii: "]")) }

  /// Names the member whose value is written next.
  ///
  /// `name` needs no escapes: all names are the protocol's own.
  public mutating func name(_ name: StaticString) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    name.withUTF8Buffer { bytes.append(contentsOf: $0) }
    bytes.append(UInt8(ascii: "\""))
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  /// Names the member whose value is written next, with escapes where needed.
  public mutating func name(_ name: String) {
    string(name)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  /// Writes `null`.
  public mutating func null() { literal("null") }

  /// Writes `true` or `false`.
  public mutating func bool(_ value: Bool) { literal(value ? "true" : "false") }

  /// Writes an integer.
  public mutating func integer(_ value: Int64) {
    separate()
    appendInteger(value)
    needsComma = true
  }

  /// Writes an integer.
  public mutating func integer(_ value: Int) { integer(Int64(value)) }

  /// Writes the shortest text that reads back as `value`.
  public mutating func number(_ value: Double) {
    guard value.isFinite else { return null() }
    if value.magnitude < 1e15, value == value.rounded(.towardZero) {
      return integer(Int64(value))
    }
    separate()
    bytes.append(contentsOf: value.description.utf8)
    needsComma = true
  }

  /// Writes an exact decimal.
  public mutating func number(_ value: DecimalNumber) {
    if value.exponent == 0 { return integer(value.significand) }
    separate()
    bytes.append(contentsOf: value.description.utf8)
    needsComma = true
  }

  /// Writes a text, with the escapes that JSON demands.
  public mutating func string(_ value: String) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    var text = value
    text.withUTF8 { utf8 in
      // Most texts need no escapes, and all of them have long stretches that need none.
      var start = 0
      for (index, byte) in utf8.enumerated() where Self.needsEscape(byte) {
        bytes.append(contentsOf: utf8[start..<index])
        appendEscaped(byte)
        start = index + 1
      }
      bytes.append(contentsOf: utf8[start...])
    }
    bytes.append(UInt8(ascii: "\""))
    needsComma = true
  }

  /// Writes a text that needs no escapes.
  public mutating func string(_ value: StaticString) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    value.withUTF8Buffer { bytes.append(contentsOf: $0) }
    bytes.append(UInt8(ascii: "\""))
    needsComma = true
  }

  /// Writes a picker's value.
  public mutating func value(_ value: Value?) {
    switch value {
    case .number(let number): self.number(number)
    case .text(let text): string(text)
    case nil: null()
    }
  }

  /// Writes any JSON value, the members of objects in the order of their names.
  public mutating func json(_ value: JSONValue) {
    switch value {
    case .null: null()
    case .bool(let bool): self.bool(bool)
    case .integer(let integer): self.integer(integer)
    case .number(let number): self.number(number)
    case .string(let string): self.string(string)
    case .array(let elements):
      beginArray()
      for element in elements { json(element) }
      endArray()
    case .object(let members):
      beginObject()
      for (name, member) in members.sorted(by: { $0.key < $1.key }) {
        self.name(name)
        json(member)
      }
      endObject()
    }
  }

  /// Puts in text that is JSON already.
  public mutating func raw(_ json: some Sequence<UInt8>) {
    separate()
    bytes.append(contentsOf: json)
    needsComma = true
  }

  /// Ends a line.
  public mutating func endLine() {
    bytes.append(UInt8(ascii: "\n"))
    needsComma = false
  }

  private mutating func open(_ bracket: UInt8) {
    separate()
    bytes.append(bracket)
    needsComma = false
  }

  private mutating func close(_ bracket: UInt8) {
    bytes.append(bracket)
    needsComma = true
  }

  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = false
  }

  private mutating func literal(_ text: StaticString) {
    separate()
    text.withUTF8Buffer { bytes.append(contentsOf: $0) }
    needsComma = true
  }

  private mutating func appendInteger(_ value: Int64) {
    var magnitude = value.magnitude
    if value < 0 { bytes.append(UInt8(ascii: "-")) }
    let start = bytes.count
    repeat {
      bytes.append(UInt8(ascii: "0") + UInt8(magnitude % 10))
      magnitude /= 10
    } while magnitude > 0
    bytes[start...].reverse()
  }

  private static func needsEscape(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  private mutating func appendEscaped(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""): bytes.append(contentsOf: [UInt8(ascii: "\\"), byte])
    case UInt8(ascii: "\\"): bytes.append(contentsOf: [byte, byte])
    case 0x0A: bytes.append(contentsOf: [UInt8(ascii: "\\"), UInt8(ascii: "n")])
    case 0x0D: bytes.append(contentsOf: [UInt8(ascii: "\\"), UInt8(ascii: "r")])
    case 0x09: bytes.append(contentsOf: [UInt8(ascii: "\\"), UInt8(ascii: "t")])
    case 0..<0x20:
      let digits = Array("0123456789abcdef".utf8)
      bytes.append(contentsOf: "\\u00".utf8)
      bytes.append(digits[Int(byte >> 4)])
      bytes.append(digits[Int(byte & 15)])
    default: bytes.append(byte)
    }
  }
}
