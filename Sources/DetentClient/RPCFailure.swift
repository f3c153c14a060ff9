// SPDX-License-Identifier: Apache-2.0

public import Wire

/// A request that the daemon refused.
public struct RPCFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The code of the refusal, such as −32602.
  public var code: Int
  /// The field that is wrong, where it is one.
  public var field: String?
  /// What is wrong.
  public var reason: String

  /// What kind of refusal it is; nil for a code that is new.
  public var kind: RPCError.Code? { RPCError.Code(rawValue: code) }

  init(_ error: JSONValue) {
    code = if case .integer(let code)? = error["code"] { Int(truncatingIfNeeded: code) } else { 0 }
    field = if case .string(let field)? = error["data"]?["field"] { field } else { nil }
    if case .string(let reason)? = error["data"]?["reason"] {
      self.reason = reason
    } else if case .string(let message)? = error["message"] {
      reason = message
    } else {
      reason = "refused without a reason"
    }
  }

  init(_ kind: RPCError.Code, reason: String) {
    code = kind.rawValue
    self.reason = reason
  }

  /// What is wrong, with the field.
  public var description: String { field.map { "\($0): \(reason)" } ?? reason }
}
