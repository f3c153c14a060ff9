// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Wire

@Suite struct RequestLineTests {
  private func line(_ text: String) throws(RPCError) -> RequestLine {
    try RequestLine(Array(text.utf8))
  }

  private func ids(_ text: String) throws -> [RequestID?] {
    try line(text).calls.map { try $0.get().id }
  }

  @Test(arguments: [
    "12345678901234567890", "18446744073709551615", "-9223372036854775809", "1e300", "0.1",
    "123456789.12345678901234567890", "1.5", "2.5E-7",
  ])
  func `an id that no integer holds comes back as it was written`(number: String) throws {
    let call = #"{"id":\#(number),"jsonrpc":"2.0","method":"list"}"#
    #expect(try ids(call) == [.number(number)])
    var writer = JSONWriter()
    writer.reply(Array("{}".utf8), to: .number(number))
    #expect(String(decoding: writer.bytes, as: UTF8.self).contains("\"id\":\(number)}"))
  }

  @Test func `ids of a batch go to their own calls`() throws {
    let batch = #"""
      [{"jsonrpc":"2.0","method":"a","id":1e30,"params":{"id":7e77,"x":[{"id":8e88}]}},
       {"jsonrpc":"2.0","method":"b","params":{"id":9e99}},
       {"jsonrpc":"2.0","method":"c","id":3},
       {"params":{"id":5e55},"jsonrpc":"2.0","method":"d","id":2e20}]
      """#
    #expect(try ids(batch) == [.number("1e30"), nil, .integer(3), .number("2e20")])
  }

  @Test func `batches have a size`() throws {
    func batch(_ count: Int) -> String {
      let call = #"{"jsonrpc":"2.0","method":"list"}"#
      return "[" + Array(repeating: call, count: count).joined(separator: ",") + "]"
    }
    #expect(try line(batch(1)).isBatch)
    #expect(try line(batch(64)).calls.count == 64)
    #expect { try line(batch(65)) } throws: { ($0 as? RPCError)?.code == .overLimit }
    #expect { try line("[]") } throws: { ($0 as? RPCError)?.code == .invalidRequest }
  }

  @Test func `a batch tells its bad calls apart`() throws {
    let calls = try line(#"[1,{},{"jsonrpc":"2.0","method":"a","id":"x"},[]]"#).calls
    #expect(calls.count == 4)
    let codes = calls.map { call -> RPCError.Code? in
      if case .failure(let refusal) = call { refusal.error.code } else { nil }
    }
    #expect(codes == [.invalidRequest, .invalidRequest, nil, .invalidRequest])
  }

  @Test func `blank lines are no requests`() {
    #expect(RequestLine.isBlank([]))
    #expect(RequestLine.isBlank(Array(" \t\r".utf8)))
    #expect(!RequestLine.isBlank(Array(" x".utf8)))
  }
}
