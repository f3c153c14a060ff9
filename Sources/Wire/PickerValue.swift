// SPDX-License-Identifier: Apache-2.0

/// One of the values that a picker offers.
public struct PickerValue: Hashable, Sendable, JSONReadable {
  /// Its place, from 0.
  public var index: Int
  /// The value.
  public var value: Value
  /// How it is shown.
  public var title: String

  /// Reads a value with its place and title.
  public init(_ json: JSONValue) throws(JSONMismatch) {
    let members = try JSONMembers(json)
    index = try members.count("index")
    value = try members.value("value")
    title = try members.string("title")
  }
}

extension Value: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral {
  /// A whole number.
  public init(integerLiteral value: Int64) { self = .number(DecimalNumber(value)) }

  /// A text.
  public init(stringLiteral value: String) { self = .text(value) }

  /// The value as JSON.
  public var json: JSONValue {
    switch self {
    case .text(let text): .string(text)
    case .number(let number):
      number.significand(at: 0).map { .integer($0) } ?? .number(number.doubleValue)
    }
  }
}

extension JSONReadable {
  /// Reads a list.
  public static func list(_ json: JSONValue) throws(JSONMismatch) -> [Self] {
    try JSONMembers.list(json)
  }
}
