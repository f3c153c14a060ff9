// SPDX-License-Identifier: Apache-2.0

public import Wire

/// A request with the type of its result.
///
/// Each method of the protocol has one, such as ``get(_:)``, that both `Connection` and `Client` carry out:
///
/// ```swift
/// let state = try await client.call(.select("weight", value: 72))
/// ```
public struct Call<Result: Sendable>: Sendable {
  /// The method's name.
  public var method: String
  /// Its params, by name.
  public var params: [String: JSONValue]

  let read: @Sendable (JSONValue) throws(JSONMismatch) -> Result

  /// A request.
  ///
  /// - Parameters:
  ///   - method: The method's name.
  ///   - params: Its params, by name.
  ///   - read: Reads the result.
  public init(
    _ method: String, _ params: [String: JSONValue] = [:],
    read: @escaping @Sendable (JSONValue) throws(JSONMismatch) -> Result
  ) {
    self.method = method
    self.params = params
    self.read = read
  }

  init(
    _ method: MethodName, _ params: [String: JSONValue] = [:],
    read: @escaping @Sendable (JSONValue) throws(JSONMismatch) -> Result
  ) {
    self.init(method.rawValue, params, read: read)
  }

  /// The result that JSON is.
  public func result(of json: JSONValue) throws(JSONMismatch) -> Result { try read(json) }

  /// The same request with its result as the daemon wrote it, members included that are not known here.
  public var json: Call<JSONValue> { Call<JSONValue>(method, params) { $0 } }

  /// The line to send, with its newline.
  func line(id: Int64) throws(RPCFailure) -> [UInt8] {
    try Self.line(method, params, id: id)
  }

  static func line(
    _ method: String, _ params: [String: JSONValue], id: Int64?
  ) throws(RPCFailure) -> [UInt8] {
    var members: [String: JSONValue] = [
      "jsonrpc": "2.0", "method": .string(method), "params": .object(params),
    ]
    if let id { members["id"] = .integer(id) }
    var writer = JSONWriter()
    writer.json(.object(members))
    writer.endLine()
    // The daemon's refusal of such a line would name no id, and nobody would know whose it is.
    guard writer.bytes.count <= Limits.longestLine + 1 else {
      throw RPCFailure(
        .overLimit, reason: "the request is longer than \(Limits.longestLine) bytes")
    }
    return writer.bytes
  }
}
