// SPDX-License-Identifier: Apache-2.0

/// Reads the params of a request one by one; what nobody read is refused at the end.
public struct Params {
  private var rest: [String: JSONValue]

  /// The params of a request.
  public init(_ params: [String: JSONValue]) { rest = params }

  /// A param of any kind, or nil where it is not there.
  public mutating func value(_ name: String) -> JSONValue? { rest.removeValue(forKey: name) }

  /// A text.
  public mutating func string(_ name: String) throws(RPCError) -> String {
    guard let string = try optionalString(name) else { throw missing(name) }
    return string
  }

  /// A text, or nil where it is not there.
  public mutating func optionalString(_ name: String) throws(RPCError) -> String? {
    switch value(name) {
    case nil: return nil
    case .string(let string): return string
    default: throw Self.mismatch(name, expected: "a text")
    }
  }

  /// A text, or nil for null; a member that is not there is an error.
  public mutating func nullableString(_ name: String) throws(RPCError) -> String? {
    switch value(name) {
    case nil: throw missing(name)
    case .null: return nil
    case .string(let string): return string
    default: throw Self.mismatch(name, expected: "a text or null")
    }
  }

  /// A whole number.
  public mutating func integer(_ name: String) throws(RPCError) -> Int {
    switch value(name) {
    case nil: throw missing(name)
    case .integer(let integer): return Int(integer)
    default: throw Self.mismatch(name, expected: "a whole number")
    }
  }

  /// A whole number in a range, or nil where it is not there.
  public mutating func optionalInteger(
    _ name: String, in range: ClosedRange<Int>
  ) throws(RPCError) -> Int? {
    guard let value = value(name) else { return nil }
    guard case .integer(let integer) = value, let number = Int(exactly: integer),
      range.contains(number)
    else {
      throw Self.mismatch(
        name, expected: "a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// A finite number in a range, or nil where it is not there.
  public mutating func number(
    _ name: String, in range: ClosedRange<Double>
  ) throws(RPCError) -> Double? {
    let number: Double
    switch value(name) {
    case nil: return nil
    case .integer(let integer): number = Double(integer)
    case .number(let double): number = double
    default: throw Self.mismatch(name, expected: "a number")
    }
    guard range.contains(number) else {
      throw Self.mismatch(name, expected: "\(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// `true` or `false`, or nil where it is not there.
  public mutating func bool(_ name: String) throws(RPCError) -> Bool? {
    switch value(name) {
    case nil: return nil
    case .bool(let bool): return bool
    default: throw Self.mismatch(name, expected: "true or false")
    }
  }

  /// A list of texts, or nil where it is not there.
  public mutating func strings(_ name: String) throws(RPCError) -> [String]? {
    guard let value = value(name) else { return nil }
    guard case .array(let elements) = value else {
      throw Self.mismatch(name, expected: "a list of texts")
    }
    var strings: [String] = []
    for element in elements {
      guard case .string(let string) = element else {
        throw Self.mismatch(name, expected: "a list of texts")
      }
      strings.append(string)
    }
    return strings
  }

  /// Everything that was not read yet.
  public mutating func takeRest() -> [String: JSONValue] {
    defer { rest = [:] }
    return rest
  }

  /// Refuses what nobody read.
  public func finish() throws(RPCError) {
    guard let unknown = rest.keys.min() else { return }
    throw RPCError(.invalidParams, field: unknown, reason: "unknown param")
  }

  /// The refusal of a param that is not there.
  public func missing(_ name: String) -> RPCError {
    RPCError(.invalidParams, field: name, reason: "is missing")
  }

  /// The refusal of a param of the wrong kind.
  public static func mismatch(_ name: String, expected: String) -> RPCError {
    RPCError(.invalidParams, field: name, reason: "expected \(expected)")
  }
}
