// SPDX-License-Identifier: Apache-2.0

/// Why a request was refused, in JSON-RPC's words.
public struct RPCError: Error, Hashable, Sendable {
  /// The codes that Detent uses.
  public enum Code: Int, Sendable, CaseIterable {
    /// The line is not JSON, or not UTF-8.
    case parseError = -32700
    /// The JSON is not a request.
    case invalidRequest = -32600
    /// There is no such method.
    case methodNotFound = -32601
    /// The params are wrong, or the picker has not what they name.
    case invalidParams = -32602
    /// A fault of the daemon.
    case internalError = -32603
    /// There is no such picker.
    case unknownPicker = -32000
    /// The client may not do this.
    case notPermitted = -32001
    /// The request is over a limit.
    case overLimit = -32002

    /// What JSON-RPC calls the error.
    public var message: StaticString {
      switch self {
      case .parseError: "Parse error"
      case .invalidRequest: "Invalid Request"
      case .methodNotFound: "Method not found"
      case .invalidParams: "Invalid params"
      case .internalError: "Internal error"
      case .unknownPicker: "Unknown picker"
      case .notPermitted: "Not permitted"
      case .overLimit: "Over a limit"
      }
    }
  }

  /// The code.
  public var code: Code
  /// The field that is wrong, where it is one.
  public var field: String?
  /// What is wrong and what was expected.
  public var reason: String

  /// A refusal.
  public init(_ code: Code, field: String? = nil, reason: String) {
    self.code = code
    self.field = field
    self.reason = reason
  }
}

extension JSONWriter {
  /// Writes a reply that carries an error.
  public mutating func reply(_ error: RPCError, to id: RequestID) {
    beginObject()
    name("jsonrpc")
    string("2.0")
    name("error")
    beginObject()
    name("code")
    integer(error.code.rawValue)
    name("message")
    word(error.code.message)
    name("data")
    beginObject()
    name("field")
    if let field = error.field { string(field) } else { null() }
    name("reason")
    string(error.reason)
    endObject()
    endObject()
    name("id")
    self.id(id)
    endObject()
  }

  /// Writes a reply that carries a result, which is JSON already.
  public mutating func reply(_ result: [UInt8], to id: RequestID) {
    beginObject()
    name("jsonrpc")
    string("2.0")
    name("result")
    raw(result)
    name("id")
    self.id(id)
    endObject()
  }

  private mutating func id(_ id: RequestID) {
    switch id {
    case .null: null()
    case .string(let string): self.string(string)
    case .integer(let integer): self.integer(integer)
    case .number(let text): raw(text.utf8)
    }
  }
}
