// SPDX-License-Identifier: Apache-2.0

import Wire

/// What is wrong with a line of a recording, in words.
struct RecordingProblem: Error {
  let reason: String

  init(_ reason: String) { self.reason = reason }
}

/// The members of an object, each of one type and in its range, and none that is not expected.
struct RecordingFields {
  private let members: [String: JSONValue]

  init(_ value: JSONValue) throws(RecordingProblem) {
    guard case .object(let members) = value else {
      throw RecordingProblem("expected an object, found \(value.summary)")
    }
    self.members = members
  }

  func refuseAll(but names: [String]) throws(RecordingProblem) {
    guard let stranger = members.keys.filter({ !names.contains($0) }).min() else { return }
    throw RecordingProblem(
      "unknown member \(JSONValue.string(stranger).summary); expected \(names.joined(separator: ", "))"
    )
  }

  func string(_ name: String) throws(RecordingProblem) -> String {
    guard case .string(let text) = try required(name) else { throw mismatch(name, "a text") }
    return text
  }

  func bool(_ name: String, default fallback: Bool) throws(RecordingProblem) -> Bool {
    switch members[name] {
    case nil: return fallback
    case .bool(let bool)?: return bool
    default: throw mismatch(name, "true or false")
    }
  }

  func integer(_ name: String, in range: ClosedRange<Int64>) throws(RecordingProblem) -> Int64 {
    guard case .integer(let integer) = try required(name), range.contains(integer) else {
      throw mismatch(name, "a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return integer
  }

  func number(_ name: String, in range: ClosedRange<Double>) throws(RecordingProblem) -> Double {
    let value: Double? =
      switch try required(name) {
      case .integer(let integer): Double(integer)
      case .number(let number): number
      default: nil
      }
    guard let value, range.contains(value) else {
      throw mismatch(
        name, "a number from \(Int64(range.lowerBound)) to \(Int64(range.upperBound))")
    }
    return value
  }

  func number(
    _ name: String, default fallback: Double, in range: ClosedRange<Double>
  ) throws(RecordingProblem) -> Double {
    members[name] == nil ? fallback : try number(name, in: range)
  }

  /// A length in millimetres, or nil where it is not known.
  func millimetres(_ name: String) throws(RecordingProblem) -> Double? {
    guard members[name] != nil else { return nil }
    let length = try number(name, in: 0...1_000_000)
    guard length > 0 else { throw mismatch(name, "more than 0 mm") }
    return length
  }

  func array(_ name: String) throws(RecordingProblem) -> [JSONValue] {
    guard case .array(let elements) = try required(name) else { throw mismatch(name, "a list") }
    return elements
  }

  func mismatch(_ name: String, _ expected: String) -> RecordingProblem {
    let found = members[name]?.summary ?? "nothing"
    return RecordingProblem("\"\(name)\": expected \(expected), found \(found)")
  }

  private func required(_ name: String) throws(RecordingProblem) -> JSONValue {
    guard let value = members[name] else { throw RecordingProblem("\"\(name)\" is missing") }
    return value
  }
}

extension JSONValue {
  /// The value itself where it is short, else its kind.
  fileprivate var summary: String {
    switch self {
    case .null: "null"
    case .bool(let bool): "\(bool)"
    case .integer(let integer): "\(integer)"
    case .number(let number): "\(number)"
    case .string(let text):
      text.utf8.count <= 60 ? "\"\(text.escapingControls)\"" : "a long text"
    case .array: "a list"
    case .object: "an object"
    }
  }
}
