// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import Testing
import Wire

@testable import SocketServer

/// Readers that are slow, stuck or gone, next to one that reads as it should.
@Suite(.serialized) struct ReaderTests {
  /// Publishes so much that no buffer between here and a client holds it.
  private func flood(_ bench: TestBench, _ witness: Witness, rounds: Int = 200) throws {
    for round in 0..<rounds {
      for step in 0..<50 { bench.daemon.select("a", round * 50 + step) }
      bench.daemon.motion("a", Double(round))
      try witness.look()
    }
  }

  @Test func `for comparison: all read`() throws {
    let bench = try TestBench()
    bench.daemon.pickers["a"] = 0
    let clients = try (0..<20).map { _ in try bench.client(subscribing: "{}") }
    let witness = try Witness(bench)
    for round in 0..<100 {
      for step in 0..<10 { bench.daemon.select("a", round * 10 + step) }
      try witness.look()
      for client in clients {
        client.receive(all: true)
        _ = client.takeAll()
      }
    }
    #expect(bench.server.counters.resyncs == 0)
    witness.tell("20 clients that read", memory: 64 << 20)
  }

  @Test func `who subscribes and never reads is closed, finds whole lines, and is told why`() throws
  {
    let bench = try TestBench(patienceUs: 400_000)
    bench.daemon.pickers["a"] = 0
    let stuck = try bench.client(subscribing: "{}")
    let witness = try Witness(bench)
    // Before patience ends the queue is full several times over.
    try flood(bench, witness, rounds: 400)
    let held = bench.server.clientDescriptions.map(\.queuedBytes).max() ?? 0
    #expect(held <= Limits.smallestQueue)
    try bench.turn { bench.server.counters.closedSlow == 1 }
    witness.tell("subscribes and never reads", memory: 64 << 20)

    let lines = try bench.end(of: stuck)
    #expect(stuck.unfinished.isEmpty)
    let last = try JSONParser.value(of: Array(try #require(lines.last).utf8))
    #expect(last["method"]?.text == "bye")
    #expect(last["params"]?["reason"]?.text == "slow")
    #expect(throws: Never.self) {
      for line in lines { _ = try JSONParser.value(of: Array(line.utf8)) }
    }
    let isReported = bench.daemon.reports.contains {
      if case .closedSlow(_, let peer) = $0 { peer.pid == getpid() } else { false }
    }
    #expect(isReported)
  }

  @Test func `twenty that never read hurt no more than one`() throws {
    let bench = try TestBench(patienceUs: 60_000_000)
    bench.daemon.pickers["a"] = 0
    let stuck = try (0..<20).map { _ in try bench.client(subscribing: #"{"motion_hz":1000}"#) }
    let witness = try Witness(bench)
    try flood(bench, witness)
    for client in bench.server.clientDescriptions {
      #expect(client.queuedBytes <= Limits.smallestQueue)
    }
    witness.tell("20 that subscribe and never read", memory: 128 << 20)
    withExtendedLifetime(stuck) {}
  }

  @Test func `a stopped process changes nothing for the others, and is named`() throws {
    let bench = try TestBench(patienceUs: 300_000)
    bench.daemon.pickers["a"] = 0
    let reader = try ReaderProcess(path: bench.path)
    defer { reader.end() }
    try bench.turn { bench.server.clientDescriptions.contains { $0.subscription != nil } }
    let witness = try Witness(bench)
    try flood(bench, witness, rounds: 20)
    reader.stop()
    try flood(bench, witness, rounds: 300)
    try bench.turn { bench.server.counters.closedSlow == 1 }
    witness.tell("stopped by SIGSTOP", memory: 64 << 20)
    let isReported = bench.daemon.reports.contains {
      if case .closedSlow(_, let peer) = $0 { peer.pid == reader.pid } else { false }
    }
    #expect(isReported)
  }

  @Test func `a killed process is gone at once`() throws {
    let bench = try TestBench()
    bench.daemon.pickers["a"] = 0
    let reader = try ReaderProcess(path: bench.path)
    try bench.turn { bench.server.clientDescriptions.contains { $0.subscription != nil } }
    reader.end()
    try bench.turn { bench.server.counters.clients == 0 }
    for step in 0..<100 { bench.daemon.select("a", step) }
    try bench.settle()
  }

  @Test func `a slow reader gets a resync instead of what it missed, and then the truth`() throws {
    let bench = try TestBench()
    bench.daemon.pickers["a"] = 0
    let slow = try bench.client(subscribing: "{}")
    let witness = try Witness(bench)
    var lines: [String] = []
    for round in 0..<400 {
      for step in 0..<50 { bench.daemon.select("a", round * 50 + step) }
      try witness.look()
      slow.receive(all: true, bytes: 300)
      lines += slow.takeAll()
    }
    bench.daemon.select("a", -1)
    try bench.turn {
      slow.receive(all: true)
      lines += slow.takeAll()
      return lines.last?.contains("\"index\":-1,") ?? false
    }
    witness.tell("reads 300 bytes now and then", memory: 64 << 20)
    #expect(bench.server.counters.resyncs > 0)
    #expect(bench.server.counters.closedSlow == 0)
    try check(lines.map { try JSONParser.value(of: Array($0.utf8)) }, bench, from: 0)
  }

  /// Plays a client that keeps state: nothing may be missing but what a resync makes up for.
  private func check(_ lines: [JSONValue], _ bench: TestBench, from revision: Int) throws {
    var revision = revision
    var index: Int?
    for line in lines {
      let params = line["params"]
      switch line["method"]?.text {
      case "selection" where params?["picker"]?.text == "a":
        #expect(params?["revision"]?.int == revision + 1)
        revision += 1
        index = params?["index"]?.int
      case "resync":
        #expect(params?["dropped"]?.int ?? 0 > 0)
        let state = params?["pickers"]?.list?.first { $0["picker"]?.text == "a" }
        let told = try #require(state?["revision"]?.int)
        #expect(told >= revision)
        revision = told
        index = state?["index"]?.int
      default: break
      }
    }
    #expect(revision == bench.daemon.revisions["a"])
    #expect(index == bench.daemon.pickers["a"])
  }

  @Test func `a snapshot and what follows it have no gap, whenever one joins`() throws {
    let seed = UInt64.random(in: .min ... .max)
    print("seed \(seed)")
    var random = SeededNumbers(state: seed | 1)
    let bench = try TestBench()
    bench.daemon.pickers["a"] = 0
    for _ in 0..<60 {
      let client = try bench.client()
      func happen() throws {
        for _ in 0..<Int.random(in: 0...5, using: &random) {
          bench.daemon.select("a", Int.random(in: 0..<100, using: &random))
          if Bool.random(using: &random) { try bench.turn() }
        }
      }
      try happen()
      try client.send(#"{"jsonrpc":"2.0","id":1,"method":"subscribe"}"#)
      try happen()
      try client.send(#"{"jsonrpc":"2.0","method":"move","params":{"picker":"a","by":1}}"#)
      try happen()
      try bench.settle()
      client.receive(all: true)
      let lines = try client.takeAll().map { try JSONParser.value(of: Array($0.utf8)) }
      let snapshot = try #require(lines.first?["result"]?["pickers"]?.list?.first)
      try check(
        Array(lines.dropFirst()), bench, from: try #require(snapshot["revision"]?.int),
        index: snapshot["index"]?.int)
    }
  }

  private func check(
    _ lines: [JSONValue], _ bench: TestBench, from revision: Int, index: Int?
  ) throws {
    guard lines.isEmpty else { return try check(lines, bench, from: revision) }
    #expect(revision == bench.daemon.revisions["a"] ?? 0)
    #expect(index == bench.daemon.pickers["a"])
  }

  @Test func `motion is thinned to the rate, and its last comes before the settle`() throws {
    let bench = try TestBench()
    bench.daemon.pickers["a"] = 0
    let thin = try bench.client(subscribing: #"{"motion_hz":20}"#)
    let all = try bench.client(subscribing: #"{"events":["motion"]}"#)
    let none = try bench.client(subscribing: "{}")
    #expect(bench.daemon.motionWishes == [true])
    var number = 0
    let endUs = EventLoop.clockUs() + 1_000_000
    while EventLoop.clockUs() < endUs {
      number += 1
      bench.daemon.motion("a", Double(number))
      try bench.turn(for: 0.004)
    }
    bench.daemon.publish(.settle, picker: "a")
    try bench.settle()
    for client in [thin, all, none] { client.receive(all: true) }
    let lines = thin.takeAll()
    #expect((17...24).contains(lines.count))
    #expect(lines.last?.contains("settle") ?? false)
    #expect(lines.dropLast().last?.contains("\"offset\":\(number)}") ?? false)
    #expect(all.takeAll().count == number)
    #expect(none.takeAll().count == 1)
    // A finger that rests: the last motion comes without anything that follows it.
    bench.daemon.motion("a", -1)
    bench.daemon.motion("a", -2)
    try bench.turn(for: 0.2)
    thin.receive(all: true)
    #expect(thin.takeAll().last?.contains("-2") ?? false)
    thin.vanish()
    all.vanish()
    try bench.turn { bench.server.counters.clients == 1 }
    #expect(bench.daemon.motionWishes == [true, false])
  }
}
