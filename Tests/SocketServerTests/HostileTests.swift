// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import Testing
import Wire

@testable import SocketServer

/// Clients that send what they should not, or more than they should.
@Suite(.serialized) struct HostileTests {
  private let request = #"{"jsonrpc":"2.0","id":1,"method":"get","params":{"picker":"a"}}"#

  private func bench() throws -> TestBench {
    let bench = try TestBench()
    bench.daemon.pickers["a"] = 0
    return bench
  }

  /// Sends everything while the loop turns.
  private func pour(_ bytes: [UInt8], from client: TestClient, _ bench: TestBench) throws {
    var rest = bytes[...]
    try bench.turn {
      rest = rest.dropFirst(try client.sendSome(rest))
      return rest.isEmpty
    }
    try bench.settle()
  }

  @Test func `half a line and the end is nothing`() throws {
    let bench = try bench()
    let client = try bench.client()
    try client.send(bytes: Array(request.utf8.dropLast()))
    client.endInput()
    #expect(try bench.end(of: client) == [])
    #expect(bench.server.counters.requests == 0)
    #expect(bench.server.counters.clients == 0)
  }

  @Test func `whoever has said all still hears`() throws {
    let bench = try bench()
    let client = try bench.connect()
    try client.send(#"{"jsonrpc":"2.0","id":1,"method":"subscribe"}"#)
    client.endInput()
    #expect(try bench.line(for: client)["method"]?.text == "hello")
    #expect(try bench.line(for: client)["result"] != nil)
    bench.daemon.select("a", 5)
    #expect(try bench.line(for: client)["params"]?["index"]?.int == 5)
    try bench.settle()
    client.vanish()
    try bench.turn { bench.server.counters.clients == 0 }
  }

  @Test func `whoever has said all and does not listen is let go with its replies`() throws {
    let bench = try bench()
    let client = try bench.connect()
    try client.send(request)
    client.endInput()
    let lines = try bench.end(of: client)
    #expect(lines.count == 2)
    #expect(!client.isReset)
  }

  @Test func `what somebody said before it went is carried out`() throws {
    let bench = try bench()
    for number in 1...20 {
      let client = try bench.connect()
      for _ in 0..<100 {
        try client.send(#"{"jsonrpc":"2.0","id":1,"method":"move","params":{"picker":"a","by":1}}"#)
      }
      if number.isMultiple(of: 2) { try bench.settle() }
      client.vanish()
      try bench.turn { bench.server.counters.accepted == number && bench.server.clients.isEmpty }
    }
    #expect(bench.daemon.pickers["a"] == 2000)
    #expect(bench.daemon.disconnected.count == 20)
  }

  @Test func `a megabyte without an end is refused once, and then all is well`() throws {
    let bench = try bench()
    let client = try bench.client()
    let witness = try Witness(bench)
    let megabyte = [UInt8](repeating: 0x78, count: 1 << 20)
    for _ in 0..<3 {
      for part in stride(from: 0, to: megabyte.count, by: 32_768) {
        try pour(Array(megabyte[part..<(part + 32_768)]), from: client, bench)
        try witness.look()
      }
    }
    client.receive()
    #expect(try JSONParser.value(of: Array(try #require(client.next()).utf8)).code == -32002)
    #expect(client.next() == nil)
    #expect(try bench.reply("\n" + request, for: client)["result"] != nil)
    witness.tell("three megabytes without newline", memory: 16 << 20)
  }

  @Test func `eight lines over a limit in a row end it`() throws {
    let bench = try bench()
    let long = String(repeating: "x", count: 65_537)
    let deep = String(repeating: "[", count: 33)
    let batch = "[" + Array(repeating: "0", count: 65).joined(separator: ",") + "]"
    let patient = try bench.client()
    for line in [long, deep, batch, long, deep, batch, deep, request, deep, "{", deep] {
      let code: Int? = line == request ? nil : line == "{" ? -32700 : -32002
      try pour(Array((line + "\n").utf8), from: patient, bench)
      #expect(try bench.line(for: patient).code == code)
    }
    let client = try bench.client()
    for line in [long, deep, batch, long, deep, batch, deep, deep] {
      try pour(Array((line + "\n").utf8), from: client, bench)
    }
    let lines = try bench.end(of: client)
    #expect(lines.count == 9)
    #expect(lines.last?.contains(#""reason":"protocol""#) ?? false)
    #expect(bench.server.counters.clients == 1)
  }

  @Test func `a line of the greatest length is taken, one byte more is not`() throws {
    let bench = try bench()
    let client = try bench.client()
    let padding = String(repeating: " ", count: 65_536 - request.utf8.count)
    try pour(Array((request + padding + "\n").utf8), from: client, bench)
    #expect(try bench.line(for: client)["result"] != nil)
    try pour(Array((request + padding + " \n").utf8), from: client, bench)
    #expect(try bench.line(for: client).code == -32002)
  }

  @Test func `what is not UTF-8 is a parse error, as often as one likes`() throws {
    let bench = try bench()
    let client = try bench.client()
    for _ in 0..<20 {
      try client.send(bytes: [0x22, 0xFF, 0xFE, 0x22, 0x0A])
      let reply = try bench.line(for: client)
      #expect(reply.code == -32700)
      #expect(reply["id"] == .null)
    }
  }

  @Test func `lines full of work leave others their turn`() throws {
    let bench = try bench()
    let clients = try (0..<8).map { _ in try bench.client() }
    let witness = try Witness(bench)
    let lines = [
      "[" + Array(repeating: "0", count: 32_000).joined(separator: ",") + "]",
      "[" + Array(repeating: #"{"a":1.5}"#, count: 6500).joined(separator: ",") + "]",
      "\"" + String(repeating: #"\u00e9"#, count: 10_900) + "\"",
      "{" + (0..<6000).map { "\"\($0)\":1" }.joined(separator: ",") + "}",
    ]
    var rests = clients.indices.map { index in
      let line = lines[index % lines.count]
      // Offences in a row would end the connection.
      return Array(((0..<3).map { _ in line + "\n" + request + "\n" }).joined().utf8)[...]
    }
    // One request is the witness's own.
    while bench.server.counters.requests < 8 * 6 + 1 {
      for (index, client) in clients.enumerated() {
        rests[index] = rests[index].dropFirst(try client.sendSome(rests[index]))
        client.receive(all: true)
      }
      try witness.look()
    }
    let isAllSent = rests.allSatisfy { $0.isEmpty }
    #expect(isAllSent)
    witness.tell("8 clients that send lines of 64 KiB full of values", memory: 32 << 20)
  }

  @Test func `small questions with large answers, and nobody who reads them`() throws {
    let bench = try bench()
    for number in 0..<200 { bench.daemon.pickers["p\(number)"] = number }
    bench.daemon.padding = 650
    let clients = try (0..<8).map { _ in try bench.client() }
    let witness = try Witness(bench)
    let list = Array((#"{"jsonrpc":"2.0","id":1,"method":"list"}"# + "\n").utf8)
    let many = [UInt8]((0..<60).map { _ in list }.joined())
    var rests = clients.map { _ in many[...] }
    for _ in 0..<40 {
      for (index, client) in clients.enumerated() {
        rests[index] = rests[index].dropFirst(try client.sendSome(rests[index]))
      }
      try witness.look()
    }
    // What waits is bounded by the limit and one reply more.
    for client in bench.server.clientDescriptions {
      #expect(client.queuedBytes <= Limits.smallestQueue + 200_000)
    }
    witness.tell(
      "8 clients that ask for 140 KB again and again, and read nothing", memory: 64 << 20)
    // Whoever reads on gets all of it.
    let client = clients[0]
    var replies = 0
    try bench.turn(seconds: 60) {
      rests[0] = rests[0].dropFirst(try client.sendSome(rests[0]))
      client.receive(all: true)
      replies += client.takeAll().count
      return replies == 60
    }
  }

  @Test func `the answer to a batch has an end`() throws {
    let bench = try bench()
    for number in 0..<200 { bench.daemon.pickers["p\(number)"] = number }
    bench.daemon.padding = 650
    let client = try bench.client()
    let call = #"{"jsonrpc":"2.0","id":1,"method":"list"}"#
    let batch = "[" + Array(repeating: call, count: 64).joined(separator: ",") + "]"
    try client.send(batch)
    let replies = try #require(try bench.line(for: client).list)
    #expect(replies.count == 64)
    #expect(replies.first?["result"] != nil)
    #expect(replies.last?.code == -32002)
  }

  @Test func `ten thousand connections in a row leave nothing behind`() throws {
    let bench = try bench()
    let witness = try Witness(bench)
    for number in 0..<10_000 {
      let client = try bench.connect()
      switch number % 4 {
      case 0: try client.send(request)
      case 1: try client.send(#"{"jsonrpc":"2.0","id":1,"method":"subscribe"}"#)
      case 2: try bench.settle()
      default: break
      }
      client.vanish()
      if number.isMultiple(of: 50) { try witness.look() }
    }
    try bench.turn { bench.server.counters.accepted == 10_001 && bench.server.clients.count == 1 }
    witness.tell("10000 connections in a row", memory: 16 << 20)
    #expect(bench.daemon.disconnected.count == 10_000)
    #expect(bench.server.counters.acceptPauses == 0)
  }

  @Test func `a thousand connections at once are told that there are too many`() throws {
    let bench = try bench()
    let witness = try Witness(bench)
    var clients: [TestClient] = []
    for number in 0..<1000 {
      clients.append(try bench.connect())
      if number.isMultiple(of: 10) { try witness.look() }
    }
    try bench.settle()
    var served = 0
    for (number, client) in clients.enumerated() {
      client.receive(all: true)
      let line = client.next() ?? ""
      if line.contains("hello") { served += 1 }
      // One is the witness.
      #expect(line.contains(number < 63 ? "hello" : #""reason":"limit""#))
    }
    #expect(served == 63)
    #expect(bench.server.counters.turnedAway == 1000 - 63)
    let told = bench.daemon.reports.count { if case .turnedAway = $0 { true } else { false } }
    #expect(told == 1000 - 63)
    witness.tell("1000 connections at once of one user", memory: 16 << 20)
    // A place that is free is taken again.
    clients[0].vanish()
    try bench.turn { bench.server.counters.clients == 63 }
    #expect(try bench.client().descriptor >= 0)
  }
}
