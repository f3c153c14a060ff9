// SPDX-License-Identifier: Apache-2.0

/// A JSON value of any shape.
public enum JSONValue: Hashable, Sendable {
  /// `null`
  case null
  /// `true` or `false`
  case bool(Bool)
  /// A number without a fraction that fits 64 bits.
  case integer(Int64)
  /// Any other number.
  case number(Double)
  /// A text.
  case string(String)
  /// A list.
  case array([JSONValue])
  /// Names with values; the order is not kept.
  case object([String: JSONValue])

  /// The member called `name`, where this is an object that has it.
  public subscript(name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members[name]
  }
}

extension JSONValue: Codable {
  private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  /// Reads any JSON value.
  public init(from decoder: any Decoder) throws {
    if let container = try? decoder.container(keyedBy: Name.self) {
      var members: [String: JSONValue] = [:]
      for name in container.allKeys {
        members[name.stringValue] = try container.decode(JSONValue.self, forKey: name)
      }
      self = .object(members)
      return
    }
    if var container = try? decoder.unkeyedContainer() {
      var elements: [JSONValue] = []
      while !container.isAtEnd { elements.append(try container.decode(JSONValue.self)) }
      self = .array(elements)
      return
    }
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let string = try? container.decode(String.self) {
      self = .string(string)
    } else if let bool = try? container.decode(Bool.self) {
      self = .bool(bool)
    } else if let integer = try? container.decode(Int64.self) {
      self = .integer(integer)
    } else {
      self = .number(try container.decode(Double.self))
    }
  }

  /// Writes the value as JSON.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .object(let members):
      var container = encoder.container(keyedBy: Name.self)
      for (name, value) in members {
        try container.encode(value, forKey: Name(stringValue: name))
      }
    case .array(let elements):
      var container = encoder.unkeyedContainer()
      for element in elements { try container.encode(element) }
    default:
      var container = encoder.singleValueContainer()
      switch self {
      case .bool(let bool): try container.encode(bool)
      case .integer(let integer): try container.encode(integer)
      case .number(let number): try container.encode(number)
      case .string(let string): try container.encode(string)
      default: try container.encodeNil()
      }
    }
  }
}
