// SPDX-License-Identifier: Apache-2.0

/// Reads JSON text by the letter of RFC 8259, in time proportional to its length.
///
/// A client may send whatever it likes, 64 KiB at a time. A decoder that tries one type after the other takes
/// 140 ms for such a line full of numbers, and every finger waits meanwhile; this one takes about a millisecond.
/// It is also stricter: no comma too many, no byte order mark, no name twice in one object, no half of a surrogate
/// pair.
public struct JSONParser {
  /// Why a text is not JSON that is taken.
  public enum Failure: Error, Hashable, Sendable {
    /// It is not UTF-8.
    case invalidUTF8
    /// It nests deeper than allowed.
    case tooDeep
    /// It is not JSON, from this byte on (counted from 0).
    case syntax(offset: Int)
    /// An object has two members of one name, the second of which ends at this byte.
    case duplicateName(String, offset: Int)
    /// A number is too large for a double, and ends at this byte.
    case numberTooLarge(offset: Int)
  }

  /// The deepest nesting of objects and arrays that the protocol allows.
  public static let deepestNesting = 32

  private let bytes: UnsafeBufferPointer<UInt8>
  private let deepest: Int
  private var position = 0
  private var depth = 0
  private var isBatch = false
  private var numberIDs: [String] = []

  private init(_ bytes: UnsafeBufferPointer<UInt8>, deepest: Int) {
    self.bytes = bytes
    self.deepest = deepest
  }

  /// The value that a text is.
  ///
  /// - Parameters:
  ///   - text: One JSON value in UTF-8, with white space around it or not.
  ///   - deepest: How deep objects and arrays may nest.
  public static func value(
    of text: some Collection<UInt8>, deepest: Int = deepestNesting
  ) throws(Failure) -> JSONValue {
    try message(text, deepest: deepest).value
  }

  /// The value that a text is, and how the numbers called `id` that a request may carry are written.
  ///
  /// Only those that no 64-bit integer holds are kept, in the order of the text: a client that counts beyond 2⁶³
  /// must get its own digits back, and a double has too few.
  static func message(
    _ text: some Collection<UInt8>, deepest: Int = deepestNesting
  ) throws(Failure) -> (value: JSONValue, numberIDs: [String]) {
    func parse(_ bytes: UnsafeBufferPointer<UInt8>) -> Result<(JSONValue, [String]), Failure> {
      var parser = JSONParser(bytes, deepest: deepest)
      return Result { () throws(Failure) in (try parser.wholeText(), parser.numberIDs) }
    }
    let outcome =
      text.withContiguousStorageIfAvailable(parse) ?? Array(text).withUnsafeBufferPointer(parse)
    let (value, numberIDs) = try outcome.get()
    return (value, numberIDs)
  }

  // MARK: Values

  private mutating func wholeText() throws(Failure) -> JSONValue {
    skipSpace()
    isBatch = peek == UInt8(ascii: "[")
    let value = try value(isID: false)
    skipSpace()
    guard position == bytes.count else { throw unexpected() }
    return value
  }

  private mutating func value(isID: Bool) throws(Failure) -> JSONValue {
    skipSpace()
    switch peek {
    case UInt8(ascii: "{"): return try object()
    case UInt8(ascii: "["): return try array()
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try literal("true", .bool(true))
    case UInt8(ascii: "f"): return try literal("false", .bool(false))
    case UInt8(ascii: "n"): return try literal("null", .null)
    default: return try number(isID: isID)
    }
  }

  private mutating func object() throws(Failure) -> JSONValue {
    try enter()
    let isRequest = depth == (isBatch ? 2 : 1)
    var members: [String: JSONValue] = [:]
    skipSpace()
    if take("}") { return leave(.object(members)) }
    repeat {
      skipSpace()
      guard peek == UInt8(ascii: "\"") else { throw unexpected() }
      let name = try string()
      let end = position
      skipSpace()
      guard take(":") else { throw unexpected() }
      let value = try value(isID: isRequest && name == "id")
      guard members.updateValue(value, forKey: name) == nil else {
        throw .duplicateName(name, offset: end)
      }
      skipSpace()
    } while take(",")
    guard take("}") else { throw unexpected() }
    return leave(.object(members))
  }

  private mutating func array() throws(Failure) -> JSONValue {
    try enter()
    var elements: [JSONValue] = []
    skipSpace()
    if take("]") { return leave(.array(elements)) }
    repeat {
      elements.append(try value(isID: false))
      skipSpace()
    } while take(",")
    guard take("]") else { throw unexpected() }
    return leave(.array(elements))
  }

  private mutating func enter() throws(Failure) {
    guard depth < deepest else { throw .tooDeep }
    depth += 1
    position += 1
  }

  private mutating func leave(_ value: JSONValue) -> JSONValue {
    depth -= 1
    return value
  }

  private mutating func literal(
    _ word: StaticString, _ value: JSONValue
  ) throws(Failure) -> JSONValue {
    let end = position + word.utf8CodeUnitCount
    guard end <= bytes.count else { throw .syntax(offset: bytes.count) }
    let matches = word.withUTF8Buffer { $0.elementsEqual(bytes[position..<end]) }
    guard matches else { throw unexpected() }
    position = end
    return value
  }

  // MARK: Numbers

  private mutating func number(isID: Bool) throws(Failure) -> JSONValue {
    let start = position
    let isNegative = take("-")
    var magnitude: UInt64 = 0
    var fits = true
    let first = position
    while let digit {
      let (product, overflow) = magnitude.multipliedReportingOverflow(by: 10)
      let (sum, carry) = product.addingReportingOverflow(UInt64(digit))
      if overflow || carry { fits = false }
      magnitude = sum
      position += 1
    }
    guard position > first else { throw unexpected() }
    // No zeros in front.
    if bytes[first] == UInt8(ascii: "0"), position > first + 1 {
      throw .syntax(offset: first + 1)
    }
    var isWhole = true
    if take(".") {
      isWhole = false
      try digits()
    }
    if take("e") || take("E") {
      isWhole = false
      _ = take("+") || take("-")
      try digits()
    }
    if isWhole, fits, let integer = Self.integer(magnitude, isNegative: isNegative) {
      return .integer(integer)
    }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    guard let double = Double(text), double.isFinite else {
      throw .numberTooLarge(offset: position)
    }
    // 72.0 and 7.2e1 are the number 72.
    if double.magnitude < 0x1p53, double == double.rounded(.towardZero) {
      return .integer(Int64(double))
    }
    if isID { numberIDs.append(text) }
    return .number(double)
  }

  private static func integer(_ magnitude: UInt64, isNegative: Bool) -> Int64? {
    guard isNegative else { return Int64(exactly: magnitude) }
    return magnitude <= UInt64(1) << 63 ? Int64(truncatingIfNeeded: 0 &- magnitude) : nil
  }

  private var digit: UInt8? {
    guard let byte = peek, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
    return byte - UInt8(ascii: "0")
  }

  private mutating func digits() throws(Failure) {
    guard digit != nil else { throw unexpected() }
    while digit != nil { position += 1 }
  }

  // MARK: Texts

  private mutating func string() throws(Failure) -> String {
    position += 1
    let start = position
    while let byte = peek, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20 {
      position += 1
    }
    if take("\"") { return try text(bytes[start..<(position - 1)]) }
    var utf8 = Array(bytes[start..<position])
    while let byte = peek {
      switch byte {
      case UInt8(ascii: "\""):
        position += 1
        return try text(utf8)
      case UInt8(ascii: "\\"):
        position += 1
        try escape(into: &utf8)
      case 0..<0x20:
        throw unexpected()
      default:
        utf8.append(byte)
        position += 1
      }
    }
    throw unexpected()
  }

  private func text(_ utf8: some Collection<UInt8>) throws(Failure) -> String {
    guard let text = String(validating: utf8, as: UTF8.self) else { throw .invalidUTF8 }
    return text
  }

  private mutating func escape(into utf8: inout [UInt8]) throws(Failure) {
    let byte = peek
    switch byte {
    case UInt8(ascii: "\"")?, UInt8(ascii: "\\")?, UInt8(ascii: "/")?: utf8.append(byte ?? 0)
    case UInt8(ascii: "b")?: utf8.append(0x08)
    case UInt8(ascii: "f")?: utf8.append(0x0C)
    case UInt8(ascii: "n")?: utf8.append(0x0A)
    case UInt8(ascii: "r")?: utf8.append(0x0D)
    case UInt8(ascii: "t")?: utf8.append(0x09)
    case UInt8(ascii: "u")?:
      position += 1
      utf8.append(contentsOf: UTF8.encode(try scalar()) ?? UTF8.encodedReplacementCharacter)
      return
    default: throw unexpected()
    }
    position += 1
  }

  private mutating func scalar() throws(Failure) -> Unicode.Scalar {
    let start = position
    let unit = try codeUnit()
    if let scalar = Unicode.Scalar(unit) { return scalar }
    guard UTF16.isLeadSurrogate(unit), take("\\"), take("u") else { throw .syntax(offset: start) }
    let trail = try codeUnit()
    guard UTF16.isTrailSurrogate(trail) else { throw .syntax(offset: start) }
    let value = 0x10000 + (UInt32(unit) & 0x3FF) << 10 + UInt32(trail) & 0x3FF
    guard let scalar = Unicode.Scalar(value) else { throw .syntax(offset: start) }
    return scalar
  }

  private mutating func codeUnit() throws(Failure) -> UInt16 {
    var unit: UInt16 = 0
    for _ in 0..<4 {
      let digit: UInt8
      switch peek {
      case let byte? where byte >= 0x30 && byte <= 0x39: digit = byte - 0x30
      case let byte? where byte >= 0x41 && byte <= 0x46: digit = byte - 0x41 + 10
      case let byte? where byte >= 0x61 && byte <= 0x66: digit = byte - 0x61 + 10
      default: throw unexpected()
      }
      unit = unit << 4 | UInt16(digit)
      position += 1
    }
    return unit
  }

  // MARK: Bytes

  private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func take(_ byte: Unicode.Scalar) -> Bool {
    guard peek == UInt8(ascii: byte) else { return false }
    position += 1
    return true
  }

  private mutating func skipSpace() {
    while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
      position += 1
    }
  }

  private func unexpected() -> Failure {
    // Bytes that are no UTF-8 are a mistake of another kind, wherever they stand.
    if let byte = peek, byte >= 0x80, String(validating: bytes[position...], as: UTF8.self) == nil {
      return .invalidUTF8
    }
    return .syntax(offset: position)
  }
}
