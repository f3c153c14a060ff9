// SPDX-License-Identifier: Apache-2.0

/// What a client calls its request, to know the reply by.
public enum RequestID: Hashable, Sendable {
  /// `null`
  case null
  /// A text.
  case string(String)
  /// A whole number.
  case integer(Int64)
  /// Any other number, as the client wrote it.
  case number(String)

  /// The id that a JSON value is, or nil where it cannot be one.
  ///
  /// - Parameter text: How a number is written that no integer holds; nil for the shortest text.
  public init?(_ value: JSONValue, text: String? = nil) {
    switch value {
    case .null: self = .null
    case .string(let string): self = .string(string)
    case .integer(let integer): self = .integer(integer)
    case .number(let number): self = .number(text ?? number.description)
    default: return nil
    }
  }
}

/// A call, by the rules of JSON-RPC 2.0.
public struct Request: Hashable, Sendable {
  /// The name to reply to; nil for a notification, which gets no reply.
  public var id: RequestID?
  /// The method.
  public var method: String
  /// Its parameters, by name.
  public var params: [String: JSONValue]

  /// A request.
  public init(id: RequestID?, method: String, params: [String: JSONValue] = [:]) {
    self.id = id
    self.method = method
    self.params = params
  }

  /// Why a value is not a request, and the id to say so to; nil where it must not be said.
  public struct Refusal: Error, Hashable, Sendable {
    /// The id, or nil where the refused call was a notification.
    public var id: RequestID?
    /// What is wrong.
    public var error: RPCError
  }

  /// The request that a JSON value is.
  ///
  /// - Parameter idText: How the id is written where it is a number that no integer holds.
  public init(_ value: JSONValue, idText: String? = nil) throws(Refusal) {
    guard case .object(let members) = value else {
      throw Refusal(id: .null, error: RPCError(.invalidRequest, reason: "expected an object"))
    }
    var id: RequestID?
    if let member = members["id"] {
      guard let known = RequestID(member, text: idText) else {
        throw Refusal(
          id: .null,
          error: RPCError(
            .invalidRequest, field: "id", reason: "expected a string, a number or null"))
      }
      id = known
    }
    // Whether a call without an id is a notification is not known before it is a request at all.
    func invalid(_ field: String, _ reason: String) -> Refusal {
      Refusal(
        id: id ?? .null, error: RPCError(.invalidRequest, field: field, reason: reason))
    }
    guard members["jsonrpc"] == .string("2.0") else {
      throw invalid("jsonrpc", "expected \"2.0\"")
    }
    guard case .string(let method)? = members["method"] else {
      throw invalid("method", "expected the name of a method")
    }
    switch members["params"] {
    case nil: self.init(id: id, method: method)
    case .object(let params): self.init(id: id, method: method, params: params)
    case .array:
      throw Refusal(
        id: id,
        error: RPCError(
          .invalidParams, field: "params", reason: "expected params by name, found a list"))
    default: throw invalid("params", "expected an object")
    }
  }
}
