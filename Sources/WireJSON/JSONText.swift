// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
public import Wire

/// The one door to FoundationEssentials' JSON decoder.
///
/// Text is read strictly before it gets there: a decoder that builds trees by recursion must not see a line that nests
/// deeper than the protocol allows, nor bytes that are not UTF-8, and it lets pass what is not quite JSON.
public struct JSONText: Sendable {
  /// The deepest nesting of objects and arrays.
  public static let deepestNesting = JSONParser.deepestNesting

  private let decoder = JSONDecoder()

  /// A door.
  ///
  /// Keep it: making a decoder costs more than using one.
  public init() {}

  /// The JSON value that the text is.
  public func value(_ text: some Collection<UInt8>) throws(JSONTextError) -> JSONValue {
    do throws(JSONParser.Failure) {
      return try JSONParser.value(of: text)
    } catch {
      switch error {
      case .invalidUTF8: throw .invalidUTF8
      case .tooDeep: throw .tooDeep
      case .syntax, .duplicateName, .numberTooLarge: throw .syntax
      }
    }
  }

  /// The value of a type that the text is.
  public func decode<Result: Decodable>(
    _ type: Result.Type, from text: some Collection<UInt8>
  ) throws(JSONTextError) -> Result {
    let value = try value(text)
    do {
      if let value = value as? Result { return value }
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
