// SPDX-License-Identifier: Apache-2.0

/// Appends JSON text to bytes that are reused from line to line.
///
/// It writes what is sent for every touch frame, at a fraction of what an encoder that builds a tree costs.
/// Commas are its own business; the caller opens, names, writes and closes. Numbers that are not finite become
/// `null`: JSON has no word for them, and nothing in Detent may produce one.
public struct JSONWriter: Sendable {
  // The text and room for more: each call checks the room once and then writes without asking again.
  private var storage: [UInt8] = []
  /// How many bytes the text has so far.
  public private(set) var count = 0
  private var needsComma = false

  /// An empty text.
  public init() {}

  /// A copy of the text so far, UTF-8.
  public var bytes: [UInt8] { Array(storage[..<count]) }

  /// Calls `body` with the text so far, which is valid only meanwhile.
  public func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    storage.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
  }

  /// Forgets the text and keeps its memory.
  public mutating func removeAll() {
    count = 0
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
    append(name, in: UInt8(ascii: "\""), then: UInt8(ascii: ":"))
    needsComma = false
  }

  /// Names the member whose value is written next, with escapes where needed.
  public mutating func name(escaping name: String) {
    string(name)
    needsComma = false
    append(UInt8(ascii: ":"))
    needsComma = false
  }

  /// Writes `null`.
  public mutating func null() { literal("null") }

  /// Writes `true` or `false`.
  public mutating func bool(_ value: Bool) { literal(value ? "true" : "false") }

  /// Writes an integer.
  public mutating func integer(_ value: Int64) {
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
    append(value.description)
  }

  /// Writes an exact decimal.
  public mutating func number(_ value: DecimalNumber) {
    if value.exponent == 0 { return integer(value.significand) }
    append(value.description)
  }

  /// Writes a text, with the escapes that JSON demands.
  public mutating func string(_ value: String) {
    var text = value
    text.withUTF8 { utf8 in
      append(atMost: Self.longestEscape * utf8.count + 3) { place in
        place.put(UInt8(ascii: "\""))
        // Most texts need no escapes, and all of them have long stretches that need none.
        var start = 0
        for index in 0..<utf8.count where Self.needsEscape(utf8[index]) {
          place.put(UnsafeBufferPointer(rebasing: utf8[start..<index]))
          Self.escape(utf8[index], to: &place)
          start = index + 1
        }
        place.put(UnsafeBufferPointer(rebasing: utf8[start...]))
        place.put(UInt8(ascii: "\""))
      }
    }
    needsComma = true
  }

  /// Writes a text of the protocol's own, which needs no escapes.
  public mutating func word(_ value: StaticString) {
    append(value, in: UInt8(ascii: "\""))
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
        self.name(escaping: name)
        json(member)
      }
      endObject()
    }
  }

  /// Puts in the beginning of something, in JSON: what is written next belongs to it.
  public mutating func begin(_ json: StaticString) {
    append(json)
    needsComma = false
  }

  /// Puts in text that is JSON already.
  public mutating func raw(_ json: some Sequence<UInt8>) {
    let whole: Void? = json.withContiguousStorageIfAvailable { json in
      append(atMost: json.count) { $0.put(json) }
    }
    if whole == nil {
      for byte in json { append(byte) }
    }
    needsComma = true
  }

  /// Ends a line.
  public mutating func endLine() {
    needsComma = false
    append(UInt8(ascii: "\n"))
  }

  private mutating func open(_ bracket: UInt8) {
    append(bracket)
  }

  private mutating func close(_ bracket: UInt8) {
    needsComma = false
    append(bracket)
    needsComma = true
  }

  private mutating func literal(_ text: StaticString) {
    append(text)
    needsComma = true
  }

  // MARK: Bytes

  /// Where the next byte goes.
  private struct Place {
    var next: UnsafeMutablePointer<UInt8>

    mutating func put(_ byte: UInt8) {
      next.pointee = byte
      next += 1
    }

    mutating func put(_ bytes: UnsafeBufferPointer<UInt8>) {
      guard let first = bytes.baseAddress else { return }
      next.update(from: first, count: bytes.count)
      next += bytes.count
    }
  }

  /// Appends what `write` writes, at most so many bytes, after the comma where one is needed.
  private mutating func append(atMost most: Int, _ write: (inout Place) -> Void) {
    let room = count + most + 1
    if storage.count < room {
      storage += [UInt8](repeating: 0, count: max(room, 2 * storage.count, 256) - storage.count)
    }
    count = storage.withUnsafeMutableBufferPointer { storage in
      guard let first = storage.baseAddress else { return 0 }
      var place = Place(next: first + count)
      if needsComma { place.put(UInt8(ascii: ",")) }
      write(&place)
      return place.next - first
    }
    needsComma = false
  }

  private mutating func append(_ byte: UInt8) {
    append(atMost: 1) { $0.put(byte) }
  }

  private mutating func append(
    _ text: StaticString, in quote: UInt8? = nil, then last: UInt8? = nil
  ) {
    text.withUTF8Buffer { text in
      append(atMost: text.count + 3) { place in
        if let quote { place.put(quote) }
        place.put(text)
        if let quote { place.put(quote) }
        if let last { place.put(last) }
      }
    }
  }

  /// Appends a text of a number.
  private mutating func append(_ digits: String) {
    var digits = digits
    digits.withUTF8 { digits in append(atMost: digits.count) { $0.put(digits) } }
    needsComma = true
  }

  private mutating func appendInteger(_ value: Int64) {
    append(atMost: 20) { place in
      if value < 0 { place.put(UInt8(ascii: "-")) }
      var magnitude = value.magnitude
      var digits = 1
      var next = magnitude / 10
      while next > 0 {
        digits += 1
        next /= 10
      }
      place.next += digits
      for index in 1...digits {
        place.next[-index] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: magnitude % 10)
        magnitude /= 10
      }
    }
  }

  /// The bytes of `\u001f`.
  private static let longestEscape = 6

  private static func needsEscape(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  private static func escape(_ byte: UInt8, to place: inout Place) {
    place.put(UInt8(ascii: "\\"))
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): place.put(byte)
    case 0x0A: place.put(UInt8(ascii: "n"))
    case 0x0D: place.put(UInt8(ascii: "r"))
    case 0x09: place.put(UInt8(ascii: "t"))
    default:
      for letter in [UInt8(ascii: "u"), UInt8(ascii: "0"), UInt8(ascii: "0")] { place.put(letter) }
      place.put(UInt8(ascii: "0") + (byte >> 4))
      let low = byte & 15
      place.put(low < 10 ? UInt8(ascii: "0") + low : UInt8(ascii: "a") + low - 10)
    }
  }
}
