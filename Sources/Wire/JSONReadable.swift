// SPDX-License-Identifier: Apache-2.0

/// What can be read from JSON that the daemon sends.
///
/// Members that are not known are passed over, so that a newer daemon can say more.
public protocol JSONReadable {
  /// Reads the value.
  init(_ json: JSONValue) throws(JSONMismatch)
}

/// Why JSON is not what was expected.
public struct JSONMismatch: Error, Hashable, Sendable, CustomStringConvertible {
  /// The member, such as `glide.velocity`; empty for the value as a whole.
  public var member: String
  /// What was expected there.
  public var expected: String

  /// The member and what was expected, in a line.
  public var description: String {
    member.isEmpty ? "expected \(expected)" : "\(member): expected \(expected)"
  }
}

/// The members of an object, read by name.
struct JSONMembers {
  private let members: [String: JSONValue]

  init(_ json: JSONValue) throws(JSONMismatch) {
    guard case .object(let members) = json else {
      throw JSONMismatch(member: "", expected: "an object")
    }
    self.members = members
  }

  /// A member that may be missing or null.
  func optional<Result>(
    _ name: String, _ read: (JSONValue) throws(JSONMismatch) -> Result
  ) throws(JSONMismatch) -> Result? {
    guard let member = members[name], member != .null else { return nil }
    do throws(JSONMismatch) {
      return try read(member)
    } catch {
      let inner = error.member.isEmpty ? name : "\(name).\(error.member)"
      throw JSONMismatch(member: inner, expected: error.expected)
    }
  }

  /// A member that must be there.
  func required<Result>(
    _ name: String, _ read: (JSONValue) throws(JSONMismatch) -> Result
  ) throws(JSONMismatch) -> Result {
    guard let value = try optional(name, read) else {
      throw JSONMismatch(member: name, expected: "a member of this name")
    }
    return value
  }

  func string(_ name: String) throws(JSONMismatch) -> String { try required(name, Self.string) }

  func integer(_ name: String) throws(JSONMismatch) -> Int { try required(name, Self.integer) }

  /// Microseconds of CLOCK_MONOTONIC, from 0 on and few enough to be added and subtracted.
  func timeUs(_ name: String = "time_us") throws(JSONMismatch) -> Int64 {
    try Int64(required(name, Self.count))
  }

  /// A number of things.
  func count(_ name: String) throws(JSONMismatch) -> Int { try required(name, Self.count) }

  func number(_ name: String) throws(JSONMismatch) -> Double { try required(name, Self.number) }

  func bool(_ name: String) throws(JSONMismatch) -> Bool { try required(name, Self.bool) }

  func value(_ name: String) throws(JSONMismatch) -> Value { try required(name, Value.init) }

  /// A word of an enumeration; nil where it is none that this version knows.
  func word<Word: RawRepresentable<String>>(_ name: String) throws(JSONMismatch) -> Word? {
    Word(rawValue: try string(name))
  }

  /// A word of an enumeration; nil where it is none that this version knows, or left out.
  func optionalWord<Word: RawRepresentable<String>>(
    _ name: String
  ) throws(JSONMismatch) -> Word? {
    try optional(name, Self.string).flatMap { Word(rawValue: $0) }
  }

  func list<Element: JSONReadable>(_ name: String) throws(JSONMismatch) -> [Element] {
    try required(name) { json throws(JSONMismatch) in try Self.list(json) }
  }

  // MARK: Kinds of values

  static func string(_ json: JSONValue) throws(JSONMismatch) -> String {
    guard case .string(let string) = json else {
      throw JSONMismatch(member: "", expected: "a text")
    }
    return string
  }

  static func integer(_ json: JSONValue) throws(JSONMismatch) -> Int {
    guard let integer = Int(exactly: try long(json)) else {
      throw JSONMismatch(member: "", expected: "a smaller number")
    }
    return integer
  }

  /// A whole number from 0 to 2⁵³, up to which every JSON reader and every double is exact.
  static func count(_ json: JSONValue) throws(JSONMismatch) -> Int {
    let count = try integer(json)
    guard (0...1 << 53).contains(count) else {
      throw JSONMismatch(member: "", expected: "a whole number from 0 to 2⁵³")
    }
    return count
  }

  static func long(_ json: JSONValue) throws(JSONMismatch) -> Int64 {
    guard case .integer(let integer) = json else {
      throw JSONMismatch(member: "", expected: "a whole number")
    }
    return integer
  }

  static func number(_ json: JSONValue) throws(JSONMismatch) -> Double {
    switch json {
    case .integer(let integer): return Double(integer)
    case .number(let number): return number
    default: throw JSONMismatch(member: "", expected: "a number")
    }
  }

  static func bool(_ json: JSONValue) throws(JSONMismatch) -> Bool {
    guard case .bool(let bool) = json else {
      throw JSONMismatch(member: "", expected: "true or false")
    }
    return bool
  }

  static func list<Element: JSONReadable>(_ json: JSONValue) throws(JSONMismatch) -> [Element] {
    guard case .array(let elements) = json else {
      throw JSONMismatch(member: "", expected: "a list")
    }
    var list: [Element] = []
    list.reserveCapacity(elements.count)
    for element in elements { list.append(try Element(element)) }
    return list
  }
}

extension Value: JSONReadable {
  /// Reads a number or a text.
  public init(_ json: JSONValue) throws(JSONMismatch) {
    switch json {
    case .string(let text):
      self = .text(text)
      return
    case .integer(let integer):
      self = .number(DecimalNumber(integer))
      return
    case .number(let double):
      if let number = DecimalNumber(double) {
        self = .number(number)
        return
      }
    default: break
    }
    throw JSONMismatch(member: "", expected: "a number or a text")
  }
}
