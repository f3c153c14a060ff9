// SPDX-License-Identifier: Apache-2.0

/// The calls of a client's line, by the rules of JSON-RPC 2.0 and the limits of the protocol.
public struct RequestLine: Sendable {
  /// The calls: requests, and what is none with the reason why.
  public var calls: [Result<Request, Request.Refusal>]
  /// Whether the calls came as a batch, whose replies make a list.
  public var isBatch: Bool

  /// Reads a line.
  ///
  /// - Parameter line: The bytes without the newline.
  /// - Throws: What is wrong with the line as a whole; the answer goes to the id `null`.
  public init(_ line: some Collection<UInt8>) throws(RPCError) {
    let value: JSONValue
    var numberIDs: ArraySlice<String>
    do throws(JSONParser.Failure) {
      let message = try JSONParser.message(line)
      value = message.value
      numberIDs = message.numberIDs[...]
    } catch {
      throw RPCError(error)
    }
    func call(_ value: JSONValue) -> Result<Request, Request.Refusal> {
      // Those ids are listed in the order of the calls that carry them.
      let text: String? = if case .number? = value["id"] { numberIDs.popFirst() } else { nil }
      return Result { () throws(Request.Refusal) in try Request(value, idText: text) }
    }
    guard case .array(let values) = value else {
      isBatch = false
      calls = [call(value)]
      return
    }
    guard !values.isEmpty else { throw RPCError(.invalidRequest, reason: "an empty batch") }
    guard values.count <= Limits.largestBatch else {
      throw RPCError(
        .overLimit,
        reason: "a batch of \(values.count) calls; at most \(Limits.largestBatch) are taken")
    }
    isBatch = true
    calls = values.map { call($0) }
  }

  /// Whether a line holds nothing but white space, which needs no answer.
  public static func isBlank(_ line: some Collection<UInt8>) -> Bool {
    line.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
  }
}

extension RPCError {
  /// The refusal of a text that is not JSON.
  init(_ failure: JSONParser.Failure) {
    switch failure {
    case .invalidUTF8:
      self.init(.parseError, reason: "not UTF-8")
    case .tooDeep:
      self.init(.overLimit, reason: "nests deeper than \(JSONParser.deepestNesting)")
    case .syntax(let offset):
      self.init(.parseError, reason: "not JSON from byte \(offset) on")
    case .duplicateName(let name, let offset):
      self.init(
        .parseError, field: name,
        reason: "two members of one name; the second ends at byte \(offset)")
    case .numberTooLarge(let offset):
      self.init(.parseError, reason: "the number that ends at byte \(offset) is too large")
    }
  }
}
