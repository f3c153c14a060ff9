// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Wire

@Suite struct RequestTests {
  private func request(_ text: String) throws -> Request {
    try Request(JSONParser.value(of: Array(text.utf8)))
  }

  @Test func `ids of all kinds are kept`() throws {
    #expect(try request(#"{"jsonrpc":"2.0","id":7,"method":"list"}"#).id == .integer(7))
    #expect(try request(#"{"jsonrpc":"2.0","id":"a","method":"list"}"#).id == .string("a"))
    #expect(try request(#"{"jsonrpc":"2.0","id":null,"method":"list"}"#).id == .null)
    #expect(try request(#"{"jsonrpc":"2.0","id":1.5,"method":"list"}"#).id == .number("1.5"))
    #expect(try request(#"{"jsonrpc":"2.0","method":"list"}"#).id == nil)
  }

  @Test(arguments: [
    (#"1"#, -32600), (#"{}"#, -32600), (#"{"jsonrpc":"2.0","id":1}"#, -32600),
    (#"{"jsonrpc":"1.0","id":1,"method":"a"}"#, -32600),
    (#"{"jsonrpc":"2.0","id":{},"method":"a"}"#, -32600),
    (#"{"jsonrpc":"2.0","id":1,"method":5}"#, -32600),
    (#"{"jsonrpc":"2.0","id":1,"method":"a","params":3}"#, -32600),
    (#"{"jsonrpc":"2.0","id":1,"method":"a","params":[1]}"#, -32602),
  ])
  func `what is no request is refused by its code`(text: String, code: Int) throws {
    let error = try #require(throws: Request.Refusal.self) { try request(text) }
    #expect(error.error.code.rawValue == code)
    #expect(error.id != nil)
  }

  @Test func `a notification with positional params is refused in silence`() throws {
    let error = try #require(throws: Request.Refusal.self) {
      try request(#"{"jsonrpc":"2.0","method":"a","params":[1]}"#)
    }
    #expect(error.id == nil)
  }

  @Test func `nesting, encoding and syntax are told apart`() {
    let deep = Array(String(repeating: "[", count: 33).utf8)
    #expect(throws: JSONParser.Failure.tooDeep) { try JSONParser.value(of: deep) }
    #expect(throws: JSONParser.Failure.invalidUTF8) {
      try JSONParser.value(of: [0x22, 0xFF, 0x22])
    }
    #expect(throws: JSONParser.Failure.syntax(offset: 1)) {
      try JSONParser.value(of: Array("{".utf8))
    }
    #expect(throws: JSONParser.Failure.syntax(offset: 0)) { try JSONParser.value(of: []) }
    #expect(throws: Never.self) { try JSONParser.value(of: Array(#""[[[[""#.utf8)) }
  }

  @Test func `params that nobody reads are refused by name`() throws {
    var params = Params(["picker": .string("a"), "extra": .integer(1)])
    #expect(try params.string("picker") == "a")
    let error = try #require(throws: RPCError.self) { try params.finish() }
    #expect(error.field == "extra")
    #expect(error.code == .invalidParams)
  }
}
