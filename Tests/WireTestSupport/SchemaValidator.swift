// SPDX-License-Identifier: Apache-2.0

package import Wire

/// Holds JSON values against a JSON Schema, as far as the protocol's schema uses the language.
///
/// A keyword that it does not know is a problem too: a schema must not pass for what nobody checked.
package struct SchemaValidator {
  /// Whether a member that the schema does not name is a problem, even where the schema is open.
  ///
  /// Clients must pass over such members; our own lines should not have any.
  package var flagsUnknownMembers: Bool

  private let root: JSONValue
  private static let annotations: Set<String> = [
    "$schema", "$defs", "title", "description", "protocol", "methods", "notifications", "errors",
    "limits",
  ]

  /// A validator for a schema.
  package init(_ schema: JSONValue = ProtocolSchema.json, flagsUnknownMembers: Bool = true) {
    root = schema
    self.flagsUnknownMembers = flagsUnknownMembers
  }

  /// What is wrong with a line that the server sends; empty where it is right.
  package func problems(ofLine line: JSONValue) -> [String] {
    // The branch that the line means tells more than "none of these".
    if case .string(let method)? = line["method"] {
      guard self["notification.\(method)"] != nil else { return ["unknown method \(method)"] }
      return problems(of: line["params"] ?? .null, as: "notification.\(method)")
        + (line["jsonrpc"] == .string("2.0") ? [] : ["no jsonrpc"])
    }
    return problems(of: line, against: root, at: "")
  }

  /// What is wrong with a value that should be what `definition` says.
  ///
  /// - Parameter definition: A name under `$defs`, such as `state` or `result.list`.
  package func problems(of value: JSONValue, as definition: String) -> [String] {
    guard let schema = self[definition] else { return ["there is no definition \(definition)"] }
    return problems(of: value, against: schema, at: "")
  }

  private subscript(definition: String) -> JSONValue? { root["$defs"]?[definition] }

  private func problems(of value: JSONValue, against schema: JSONValue, at path: String) -> [String]
  {
    switch schema {
    case .bool(true): return []
    case .bool(false): return ["\(path): nothing is allowed here"]
    case .object(let keywords):
      var problems: [String] = []
      for (keyword, argument) in keywords {
        problems += check(value, keyword, argument, at: path)
      }
      return problems + unknownMembers(of: value, keywords, at: path)
    default: return ["\(path): the schema is no schema"]
    }
  }

  private func unknownMembers(
    of value: JSONValue, _ keywords: [String: JSONValue], at path: String
  ) -> [String] {
    guard case .object(let members) = value else { return [] }
    let rest = keywords["additionalProperties"]
    let isClosed = rest == .bool(false)
    let known: [String: JSONValue]
    if case .object(let properties)? = keywords["properties"] {
      if let rest, !isClosed {
        return members.filter { properties[$0.key] == nil }.flatMap { name, member in
          problems(of: member, against: rest, at: "\(path).\(name)")
        }
      }
      guard isClosed || flagsUnknownMembers else { return [] }
      known = properties
    } else {
      guard isClosed else { return [] }
      known = [:]
    }
    return members.keys.filter { known[$0] == nil }.map {
      "\(path).\($0): the schema does not name it"
    }
  }

  private func check(
    _ value: JSONValue, _ keyword: String, _ argument: JSONValue, at path: String
  ) -> [String] {
    if Self.annotations.contains(keyword) { return [] }
    func fails(_ isRight: Bool) -> [String] {
      isRight ? [] : ["\(path): \(value) is not \(keyword) \(argument)"]
    }
    switch (keyword, argument) {
    case ("$ref", .string(let reference)):
      guard reference.hasPrefix("#/$defs/"), let target = self[String(reference.dropFirst(8))]
      else { return ["\(path): \(reference) leads nowhere"] }
      return problems(of: value, against: target, at: path)
    case ("type", .string(let type)): return fails(Self.has(value, type: type))
    case ("type", .array(let types)):
      return fails(
        types.contains {
          if case .string(let type) = $0 { Self.has(value, type: type) } else { false }
        })
    case ("const", _): return fails(value == argument)
    case ("enum", .array(let values)): return fails(values.contains(value))
    case ("anyOf", .array(let schemas)):
      let outcomes = schemas.map { problems(of: value, against: $0, at: path) }
      if outcomes.contains([]) { return [] }
      // The one with the fewest problems is most likely the one that was meant.
      return outcomes.min { $0.count < $1.count } ?? fails(false)
    case ("oneOf", .array(let schemas)):
      let outcomes = schemas.map { problems(of: value, against: $0, at: path) }
      switch outcomes.count(where: \.isEmpty) {
      case 1: return []
      case 0: return outcomes.min { $0.count < $1.count } ?? fails(false)
      default: return ["\(path): more than one of the schemas fit"]
      }
    default: return checkParts(value, keyword, argument, at: path) ?? fails(false)
    }
  }

  /// Nil where the keyword is one of the simple ones and not met.
  private func checkParts(
    _ value: JSONValue, _ keyword: String, _ argument: JSONValue, at path: String
  ) -> [String]? {
    func holds(_ isRight: Bool) -> [String]? { isRight ? [] : nil }
    switch (keyword, argument, value) {
    case ("properties", .object(let schemas), .object(let members)):
      return members.flatMap { name, member in
        schemas[name].map { problems(of: member, against: $0, at: "\(path).\(name)") } ?? []
      }
    case ("required", .array(let names), .object(let members)):
      return names.flatMap { name -> [String] in
        guard case .string(let name) = name, members[name] == nil else { return [] }
        return ["\(path).\(name): is missing"]
      }
    case ("additionalProperties", _, .object): return []
    case ("items", _, .array(let elements)):
      return elements.enumerated().flatMap { index, element in
        problems(of: element, against: argument, at: "\(path)[\(index)]")
      }
    case ("minItems", .integer(let least), .array(let elements)):
      return holds(elements.count >= Int(least))
    case ("minLength", .integer(let least), .string(let text)):
      return holds(text.unicodeScalars.count >= Int(least))
    case ("maxLength", .integer(let most), .string(let text)):
      return holds(text.unicodeScalars.count <= Int(most))
    case ("pattern", .string(#"\{\}"#), .string(let text)): return holds(text.contains("{}"))
    case ("minimum", let bound, _), ("maximum", let bound, _), ("exclusiveMinimum", let bound, _),
      ("exclusiveMaximum", let bound, _):
      return checkBound(value, keyword, bound)
    case ("properties", _, _), ("required", _, _), ("additionalProperties", _, _), ("items", _, _),
      ("minItems", _, _), ("minLength", _, _), ("maxLength", _, _),
      ("pattern", .string(#"\{\}"#), _):
      // Keywords that say nothing about values of other types.
      return []
    default: return ["\(path): the validator does not know \(keyword)"]
    }
  }

  private func checkBound(_ value: JSONValue, _ keyword: String, _ bound: JSONValue) -> [String]? {
    guard let number = Self.number(value), let bound = Self.number(bound) else { return [] }
    let isRight =
      switch keyword {
      case "minimum": number >= bound
      case "maximum": number <= bound
      case "exclusiveMinimum": number > bound
      default: number < bound
      }
    return isRight ? [] : nil
  }

  private static func has(_ value: JSONValue, type: String) -> Bool {
    switch value {
    case .null: type == "null"
    case .bool: type == "boolean"
    case .integer: type == "integer" || type == "number"
    case .number: type == "number"
    case .string: type == "string"
    case .array: type == "array"
    case .object: type == "object"
    }
  }

  private static func number(_ value: JSONValue) -> Double? {
    switch value {
    case .integer(let integer): Double(integer)
    case .number(let number): number
    default: nil
    }
  }
}
