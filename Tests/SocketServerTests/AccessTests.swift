// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import Testing
import Wire
import WireTestSupport

@testable import SocketServer

/// Who may do what, and how connections begin and end.
@Suite struct AccessTests {
  private func bench(allowControl: [String] = []) throws -> TestBench {
    let bench = try TestBench(allowControl: allowControl)
    bench.daemon.pickers["a"] = 0
    return bench
  }

  private func call(_ method: String, _ params: String = "{}") -> String {
    #"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":\#(params)}"#
  }

  @Test func `only those of allow_control change things, and a refusal is reported once`() throws {
    let bench = try bench(allowControl: ["no-such-name"])
    let client = try bench.client()
    for method in MethodName.allCases where method.needsControl {
      #expect(try bench.reply(call(method.rawValue), for: client).code == -32001)
    }
    #expect(bench.daemon.pickers["a"] == 0)
    // Looking and asking for what is not there is free.
    #expect(try bench.reply(call("list"), for: client)["result"] != nil)
    #expect(try bench.reply(call("subscribe"), for: client)["result"] != nil)
    #expect(try bench.reply(call("describe"), for: client)["result"] != nil)
    #expect(try bench.reply(call("nothing"), for: client).code == -32601)
    let refusals = bench.daemon.reports.compactMap {
      if case .refused(_, let peer, let method) = $0 { (peer.pid, method) } else { nil }
    }
    #expect(refusals.count == 1)
    #expect(refusals.first?.0 == getpid())
    #expect(refusals.first?.1 == "select")

    // A new configuration counts for connections that stand.
    bench.server.allowControl([Accounts.userName(getuid())])
    #expect(
      try bench.reply(call("move", #"{"picker":"a","by":2}"#), for: client)["result"] != nil)
    #expect(bench.daemon.pickers["a"] == 2)
  }

  @Test func `what the server says by itself is as the schema says`() throws {
    let bench = try bench()
    let client = try bench.connect()
    let validator = SchemaValidator()
    var lines = [try bench.line(for: client)]
    for line in ["{", call("nothing"), "[\(call("unsubscribe"))]"] {
      lines.append(try bench.reply(line, for: client))
    }
    let hello = lines[0]["params"]
    #expect(hello?["server"]?.text == "detentd")
    #expect(hello?["version"]?.text == "0.0.1")
    #expect(hello?["instance"]?.text == "test")
    #expect(hello?["protocol"]?.int == 1)
    #expect(abs((hello?["now_us"]?.int ?? 0) - Int(EventLoop.clockUs())) < 60_000_000)
    #expect(try bench.reply(call("describe"), for: client)["result"] == ProtocolSchema.json)
    bench.server.shutDown()
    client.receive(all: true)
    lines.append(try JSONParser.value(of: Array(try #require(client.next()).utf8)))
    for line in lines { #expect(validator.problems(ofLine: line) == []) }
  }

  @Test func `nothing is said before one asks, nor after unsubscribing`() throws {
    let bench = try bench()
    let client = try bench.client()
    bench.daemon.select("a", 1)
    try bench.settle()
    #expect(!client.receive())
    #expect(try bench.reply(call("subscribe"), for: client)["result"] != nil)
    bench.daemon.select("a", 2)
    #expect(try bench.line(for: client)["params"]?["index"]?.int == 2)
    #expect(try bench.reply(call("unsubscribe"), for: client)["result"] == .object([:]))
    bench.daemon.select("a", 3)
    try bench.settle()
    #expect(!client.receive())
  }

  @Test func `a second subscription replaces the first`() throws {
    let bench = try bench()
    bench.daemon.pickers["b"] = 0
    let client = try bench.client(subscribing: #"{"pickers":["a"]}"#)
    let snapshot = try bench.reply(call("subscribe", #"{"pickers":["b","c"]}"#), for: client)
    #expect(snapshot["result"]?["pickers"]?.list?.count == 1)
    bench.daemon.select("a", 1)
    bench.daemon.select("b", 2)
    #expect(try bench.line(for: client)["params"]?["picker"]?.text == "b")
    // One that came later is heard of, since it was named.
    let other = try bench.client()
    #expect(try bench.reply(call("add", #"{"picker":"c"}"#), for: other)["result"] != nil)
    #expect(try bench.line(for: client)["params"]?["picker"]?.text == "c")
    // It goes with its connection.
    other.vanish()
    #expect(try bench.line(for: client)["params"]?["picker"]?.text == "c")
    #expect(bench.daemon.pickers["c"] == nil)
    #expect(bench.daemon.reentries == 0)
  }

  @Test func `others hear at once what a client does, itself behind its reply`() throws {
    let bench = try bench()
    let one = try bench.client(subscribing: "{}")
    let other = try bench.client(subscribing: "{}")
    let batch = (1...5).map { call("select", #"{"picker":"a","index":\#($0)}"#) }
    try one.send("[" + batch.joined(separator: ",") + "]")
    #expect(try bench.line(for: one).list?.count == 5)
    for client in [one, other] {
      for index in 1...5 {
        #expect(try bench.line(for: client)["params"]?["index"]?.int == index)
      }
    }
  }

  @Test func `at the end all are told, and nothing comes after`() throws {
    let bench = try bench()
    let clients = try (0..<3).map { _ in try bench.client(subscribing: "{}") }
    #expect(try bench.reply(call("add", #"{"picker":"mine"}"#), for: clients[0])["result"] != nil)
    try bench.settle()
    for client in clients {
      client.receive(all: true)
      _ = client.takeAll()
    }
    bench.daemon.select("a", 7)
    bench.server.shutDown()
    for client in clients {
      client.receive(all: true)
      let lines = client.takeAll()
      #expect(lines.count == 2)
      #expect(lines.first?.contains("\"index\":7") ?? false)
      #expect(lines.last?.contains(#""reason":"shutdown""#) ?? false)
      #expect(client.isClosed && !client.isReset)
    }
    #expect(bench.server.counters.clients == 0)
    #expect(bench.daemon.pickers["mine"] == nil)
  }

  @Test func `what one missed before it subscribed anew is not made up for twice`() throws {
    let bench = try bench()
    let client = try bench.client(subscribing: "{}")
    for step in 0..<20_000 { bench.daemon.select("a", step) }
    try bench.settle()
    try client.send(call("subscribe"))
    var lines: [String] = []
    try bench.turn {
      client.receive(all: true)
      lines += client.takeAll()
      return lines.last?.contains("\"result\"") ?? false
    }
    try bench.settle()
    client.receive(all: true)
    lines += client.takeAll()
    #expect(lines.count { $0.contains("resync") } <= 1)
    #expect(lines.last?.contains("\"revision\":20000") ?? false)
  }
}

/// What needs a process of its own: limits of the system, and other users.
@Suite struct LimitTests {
  @Test func `without descriptors it stops accepting, says so, and goes on`() async {
    await #expect(processExitsWith: .success) {
      let bench = try TestBench()
      bench.daemon.pickers["a"] = 0
      let witness = try Witness(bench)
      var limit = rlimit(rlim_cur: 64, rlim_max: 64)
      #expect(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
      // They wait in the listener's queue, and take all there are.
      var clients: [TestClient] = []
      while let client = try? bench.connect() { clients.append(client) }
      #expect(clients.count > 20)
      for _ in 0..<200 { try witness.look() }
      #expect(bench.server.counters.accepted == 1)
      #expect(bench.server.counters.acceptPauses == 1)
      let isPaused = bench.daemon.reports.contains {
        if case .acceptPaused(let error) = $0 { error == .tooManyDescriptors } else { false }
      }
      #expect(isPaused)
      // It does not spin while it waits.
      let beganUs = processorUs()
      _ = try bench.loop.runOnce(timeoutUs: 300_000)
      #expect(processorUs() - beganUs < 100_000)

      // So many go that there is room for each of the others, be their number odd or even.
      let gone = clients.count / 2 + 1
      for client in clients[..<gone] { client.vanish() }
      try bench.turn { bench.server.counters.accepted == clients.count + 1 }
      let isResumed = bench.daemon.reports.contains {
        if case .acceptResumed = $0 { true } else { false }
      }
      #expect(isResumed)
      try bench.turn {
        bench.server.counters.clients == 1 + clients.count - gone
      }
      witness.tell("no descriptors left", memory: 16 << 20)
      // Not one that waited was lost.
      for client in clients[gone...] {
        #expect(try bench.line(for: client)["method"]?.text == "hello")
      }
    }
  }

  @Test(.enabled(if: getuid() == 0, "only root can be several users"))
  func `256 clients are served, of as many users as it takes`() async {
    await #expect(processExitsWith: .success) {
      var limit = rlimit(rlim_cur: 4096, rlim_max: 4096)
      #expect(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
      let bench = try TestBench()
      chmod(bench.directory, 0o755)
      chmod(bench.path, 0o666)
      var clients: [TestClient] = []
      func connect(_ count: Int, as user: uid_t) throws {
        #expect(seteuid(user) == 0)
        for _ in 0..<count { clients.append(try bench.connect()) }
        #expect(seteuid(0) == 0)
        try bench.settle()
      }
      for user in 1...4 { try connect(65, as: uid_t(60_000 + user)) }
      #expect(bench.server.counters.clients == 256)
      #expect(bench.server.counters.turnedAway == 4)
      try connect(1, as: 60_005)
      #expect(bench.server.counters.turnedAway == 5)
      let client = try #require(clients.last)
      #expect(try bench.end(of: client).last?.contains(#""reason":"limit""#) ?? false)
      let users = Set(bench.server.clientDescriptions.map(\.peer.uid))
      #expect(users == [60_001, 60_002, 60_003, 60_004])
    }
  }
}
