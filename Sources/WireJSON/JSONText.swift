// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
public import Wire

/// The one door to FoundationEssentials' JSON decoder.
///
/// Text is checked before it gets there: a decoder that builds trees by recursion must not see a line that nests
/// deeper than the protocol allows, nor bytes that are not UTF-8.
public struct JSONText: Sendable {
  /// The deepest nesting of objects and arrays.
  public static let deepestNesting = 32

  private let decoder = JSONDecoder()

  /// A door.
  ///
  /// Keep it: making a decoder costs more than using one.
  public init() {}

  /// The JSON value that the text is.
  public func value(_ text: some Collection<UInt8>) throws(JSONTextError) -> JSONValue {
    try decode(JSONValue.self, from: text)
  }

  /// The value of a type that the text is.
  public func decode<Result: Decodable>(
    _ type: Result.Type, from text: some Collection<UInt8>
  ) throws(JSONTextError) -> Result {
    try Self.check(text)
    do {
      return try decoder.decode(type, from: Data(text))
    } catch let error as DecodingError {
      if case .dataCorrupted(let context) = error, context.codingPath.isEmpty { throw .syntax }
      throw .mismatch(Self.describe(error))
    } catch let error as JSONTextError {
      throw error
    } catch {
      throw .mismatch("\(error)")
    }
  }

  private static func check(_ text: some Collection<UInt8>) throws(JSONTextError) {
    var depth = 0
    var isString = false
    var isEscaped = false
    for byte in text {
      if isEscaped {
        isEscaped = false
      } else if isString {
        if byte == UInt8(ascii: "\\") { isEscaped = true }
        if byte == UInt8(ascii: "\"") { isString = false }
      } else if byte == UInt8(ascii: "\"") {
        isString = true
      } else if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
        depth += 1
        if depth > deepestNesting { throw .tooDeep }
      } else if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") {
        depth -= 1
      }
    }
    guard String(validating: text, as: UTF8.self) != nil else { throw .invalidUTF8 }
  }

  private static func describe(_ error: DecodingError) -> String {
    func path(_ context: DecodingError.Context) -> String {
      context.codingPath.map(\.stringValue).joined(separator: ".")
    }
    return switch error {
    case .keyNotFound(let key, _): "\"\(key.stringValue)\" is missing"
    case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
      "\"\(path(context))\" should be \(name(of: type))"
    case .dataCorrupted(let context): "\"\(path(context))\" \(context.debugDescription)"
    @unknown default: "\(error)"
    }
  }

  private static func name(of type: any Any.Type) -> String {
    switch type {
    case is String.Type: "a text"
    case is Bool.Type: "true or false"
    case is Int64.Type, is Int.Type: "a whole number"
    case is Double.Type: "a number"
    default: "an object"
    }
  }
}

/// Why a text is not the JSON that was expected.
public enum JSONTextError: Error, Hashable, Sendable {
  /// It is not UTF-8.
  case invalidUTF8
  /// It nests deeper than allowed.
  case tooDeep
  /// It is not JSON.
  case syntax
  /// It is JSON, but something in it is missing or of another type; in words.
  case mismatch(String)
}
