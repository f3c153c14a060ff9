// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing
import Wire

@testable import DetentClient

/// The client that lasts, against the daemon and against what a daemon never does.
@Suite(.serialized, .timeLimit(.minutes(1))) struct ClientTests {
  private static let configuration = """
    [[display]]
    width = 1080
    height = 1920
    [[picker]]
    id = "weight"
    type = "ruler"
    region = { x = 0, y = 200, width = 1080, height = 160 }
    values = { from = 40, through = 120, step = 1 }
    title = "{} kg"
    selection = 72
    """
  /// No finger for a long time.
  private static let quiet = SharedFixtures.tree + "/Tests/Tables/quiet.jsonl"

  private func start(socket: String? = nil) throws -> DaemonProcess {
    try DaemonProcess(
      configuration: Self.configuration, arguments: ["--play", Self.quiet], socket: socket)
  }

  /// The next update that `find` gives something for.
  private func next<Result>(
    _ updates: inout Updates.Iterator, _ find: (Update) -> Result?
  ) async throws -> Result {
    while let update = await updates.next() {
      if let result = find(update) { return result }
    }
    throw TestFailure("the updates ended")
  }

  private func state(_ update: Update) -> PickerStore? {
    if case .state(let store) = update { store } else { nil }
  }

  private func selection(_ update: Update) -> SelectionChanged? {
    if case .notification(.selection(let change)) = update { change } else { nil }
  }

  private func loss(_ update: Update) -> ConnectionError? {
    if case .disconnected(let error) = update { error } else { nil }
  }

  @Test(.enabled(if: DaemonProcess.isBuilt, "\(DaemonProcess.needsBinary)"))
  func `first comes how things stand, then every change`() async throws {
    let daemon = try start()
    let client = try Client(path: daemon.socket)
    var updates = client.updates().makeAsyncIterator()
    let store = try await next(&updates, state)
    #expect(store["weight"]?.state.title == "72 kg" && store.isConnected)
    #expect(store.hello?.instance == client.state.hello?.instance)
    #expect(try await client.call(.select("weight", value: 80)).title == "80 kg")
    #expect(try await next(&updates, selection).previous == 72)
    #expect(client.state["weight"]?.state.value == 80)
    let glide = try #require(client.state["weight"]?.state.glide)
    #expect(client.state["weight"]?.offset(atUs: glide.restUs) == 0)
  }

  @Test(.enabled(if: DaemonProcess.isBuilt, "\(DaemonProcess.needsBinary)"))
  func `each method has its typed request`() async throws {
    let daemon = try start()
    let client = try Client(path: daemon.socket)
    #expect(try await client.call(.list).map(\.picker) == ["weight"])
    #expect(try await client.call(.get("weight")).count == 81)
    #expect(try await client.call(.move("weight", by: -2)).value == 70)
    #expect(try await client.call(.select("weight", index: 0)).value == 40)
    #expect(try await client.call(.select("weight", value: nil)).value == nil)
    #expect(
      try await client.call(.values("weight", from: 79)).map(\.title) == ["119 kg", "120 kg"])
    let size: [String: JSONValue] = [
      "id": "size", "type": "radial", "values": ["S", "M", "L"], "selection": "M",
      "region": ["x": 0, "y": 900, "width": 200, "height": 200.5],
    ]
    #expect(try await client.call(.add(size)).value == "M")
    var larger = size
    larger["values"] = ["S", "M", "L", "XL"]
    #expect(try await client.call(.update(larger)).count == 4)
    try await client.call(.focus("size"))
    #expect(try await client.call(.replace([size])).first?.value == "M")
    try await client.call(.remove("size"))
    try await client.call(.focus(nil))
    try await client.call(.display("main", width: 540, height: 960))
    try await client.call(.inhibit(true, guardMS: 10, forMS: 10_000))
    try await client.call(.inhibit(false))
    #expect(try await client.call(.play(.tick)) == false)
    #expect(try await client.call(.devices).isEmpty == false)
    let stats = try await client.call(.stats)
    #expect(stats["request_time"]?["count"] != 0)
    #expect(try await client.call(.describe)["methods"] != nil)
    try await client.call(.reload)
    try await client.call(.unsubscribe)
    // Not one of the methods is left out here.
    #expect(MethodName.allCases.count == 19)
  }

  @Test(.enabled(if: DaemonProcess.isBuilt, "\(DaemonProcess.needsBinary)"))
  func `a refusal is an RPCFailure, and too long a request is one too`() async throws {
    let daemon = try start()
    let client = try Client(path: daemon.socket)
    let failure = await #expect(throws: RPCFailure.self) {
      try await client.call(.get("nobody"))
    }
    #expect(failure?.kind == .unknownPicker && failure?.field == "picker")
    let long = String(repeating: "x", count: Limits.longestLine)
    let tooLong = await #expect(throws: RPCFailure.self) { try await client.call(.get(long)) }
    #expect(tooLong?.kind == .overLimit)
    let connection = try Connection(path: daemon.socket)
    #expect(throws: RPCFailure.self) { try connection.call(.get(long)) }
    #expect(try connection.call(.list).count == 1)
  }

  @Test(.enabled(if: DaemonProcess.isBuilt, "\(DaemonProcess.needsBinary)"))
  func `it comes back when the daemon does`() async throws {
    let first = try start()
    let client = try Client(path: first.socket)
    var updates = client.updates().makeAsyncIterator()
    let before = try await next(&updates, state)
    try first.kill()
    #expect(try await next(&updates, loss).reason == .closed)
    #expect(!client.state.isConnected)
    // There is nobody: what is asked for now must not happen later.
    let failure = await #expect(throws: ConnectionError.self) {
      try await client.call(.select("weight", value: 99))
    }
    #expect(failure?.reason == .closed || failure?.reason == .notRunning)
    let second = try start(socket: first.socket)
    let after = try await next(&updates, state)
    #expect(after.hello?.instance != before.hello?.instance && after.isConnected)
    #expect(after["weight"]?.state.value == 72)
    try second.stop()
  }

  @Test func `it waits for a daemon that is not there yet, and says why`() async throws {
    let client = try Client(path: "/nowhere/detent.sock")
    var updates = client.updates().makeAsyncIterator()
    #expect(try await next(&updates, loss).reason == .notRunning)
    client.close()
    #expect(await updates.next() == nil)
    await #expect(throws: ConnectionError.self) { try await client.call(.list) }
    var late = client.updates().makeAsyncIterator()
    #expect(await late.next() == nil)
  }

  @Test func `what it does not know it passes over, and half a line is none`() async throws {
    let server = try ScriptedServer(ScriptedServer.fromTheFuture)
    defer { server.stop() }
    let client = try Client(path: server.socket)
    var updates = client.updates().makeAsyncIterator()
    var titles: [String?] = []
    var causes: [Cause?] = []
    while titles.last != "second" {
      let change = try await next(&updates, selection)
      titles.append(change.title)
      causes.append(change.cause)
    }
    #expect(titles == [nil, "first", "second"])
    #expect(causes == [nil, nil, .drag])
    #expect(server.connections == 3)
    #expect(client.state.pickers.map(\.id) == ["weight"])
    // The daemon that greets and goes has said nothing of the pickers.
    server.stop()
    _ = try await next(&updates, loss)
    let weight = try #require(client.state["weight"])
    #expect(weight.state.title == "72 kg" && weight.state.axis == .horizontal)
  }

  @Test func `a reader that is too slow gets how things stand`() async throws {
    func change(_ revision: Int) -> ScriptedServer.Step {
      .say(
        #"{"jsonrpc":"2.0","method":"selection","params":{"picker":"weight","index":1,"value":\#(revision),"title":"\#(revision)","previous":null,"cause":"drag","revision":\#(revision),"time_us":5}}"#
      )
    }
    let script = ScriptedServer.fromTheFuture[2].dropLast()
    let last = UpdateQueue.limit * 3
    let server = try ScriptedServer([script + (1...last).map(change) + [.waitForEnd]])
    defer { server.stop() }
    let client = try Client(path: server.socket)
    var updates = client.updates().makeAsyncIterator()
    _ = try await next(&updates, state)
    // It reads on while nobody takes.
    while client.state["weight"]?.state.revision != last { await Task.yield() }
    var store = PickerStore()
    var count = 0
    while store["weight"]?.state.revision != last, let update = await updates.next() {
      store.apply(update)
      count += 1
    }
    #expect(count <= UpdateQueue.limit + 1)
    #expect(store["weight"]?.state.title == "\(last)")
  }

  @Test func `cancelled tasks do not wait`() async throws {
    let server = try ScriptedServer([[ScriptedServer.hello(), .waitForEnd]])
    defer { server.stop() }
    let client = try Client(path: server.socket)
    let call = Task { try await client.call(.list) }
    let taking = Task {
      var updates = client.updates().makeAsyncIterator()
      return await updates.next()
    }
    try Waiting.until("the request") { server.heard.contains { $0.contains("\"list\"") } }
    call.cancel()
    taking.cancel()
    await #expect(throws: CancellationError.self) { try await call.value }
    #expect(await taking.value == nil)
  }

  @Test func `a second subscription replaces the first`() async throws {
    let server = try ScriptedServer([[ScriptedServer.hello(), .waitForEnd]])
    defer { server.stop() }
    let client = try Client(path: server.socket)
    var first = client.updates().makeAsyncIterator()
    let second = client.updates(
      Subscription(pickers: ["weight"], events: [.selection], motionHz: 5000))
    #expect(await first.next() == nil)
    try Waiting.until("the subscription") { server.heard.contains { $0.contains("1000") } }
    withExtendedLifetime(second) {}
  }

  @Test func `a client nobody holds is gone`() async throws {
    let server = try ScriptedServer([[ScriptedServer.hello(), .waitForEnd], [.waitForEnd]])
    defer { server.stop() }
    weak var gone: Client?
    do {
      let client = try Client(path: server.socket)
      gone = client
      let updates = client.updates()
      try Waiting.until("the subscription") { !server.heard.isEmpty }
      withExtendedLifetime(updates) {}
    }
    #expect(gone == nil)
    // Its connection went with it: the server is free for the next.
    let next = try LineConnection(path: server.socket)
    try Waiting.until("the next connection") { server.connections == 2 }
    withExtendedLifetime(next) {}
  }
}
