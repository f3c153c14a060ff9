// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing
import Wire

@testable import DetentClient

/// The client against the daemon itself, which plays a recording.
@Suite(.serialized, .enabled(if: DaemonProcess.isBuilt, "\(DaemonProcess.needsBinary)"))
struct ConnectionTests {
  private static let tree = String(
    #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" })
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

  private func start(_ arguments: [String] = []) throws -> DaemonProcess {
    try DaemonProcess(configuration: Self.configuration, arguments: arguments)
  }

  @Test func `requests get their replies, and what they cause comes behind`() throws {
    let daemon = try start(["--play", "\(Self.tree)/examples/demo.jsonl"])
    let connection = try Connection(path: daemon.socket)
    #expect(connection.hello.protocolVersion == 1)
    let snapshot = try connection.call(.subscribe(Subscription(events: [.selection])))
    #expect(snapshot.pickers.first?.title == "72 kg")
    let state = try connection.call(.select("weight", value: 80))
    #expect(state.value == 80)
    let chosen = try selection(connection.next())
    #expect(chosen.cause == .select && chosen.previous == 72)
    // Then the fingers of the recording.
    #expect(try selection(connection.next()).cause == .drag)
  }

  private func selection(_ notification: ServerNotification?) throws -> SelectionChanged {
    guard case .selection(let change) = notification else {
      throw TestFailure("\(String(describing: notification)) is no selection")
    }
    return change
  }

  @Test func `a refusal names the field`() throws {
    let daemon = try start(["--play", "\(Self.tree)/examples/demo.jsonl"])
    let connection = try Connection(path: daemon.socket)
    let failure = try #require(throws: RPCFailure.self) {
      try connection.call(.select("weight", value: 5000))
    }
    #expect(failure.code == -32602 && failure.kind == .invalidParams && failure.field == "value")
    let unknown = try #require(throws: RPCFailure.self) {
      try connection.call(.get("nobody"))
    }
    #expect(unknown.code == -32000)
  }

  @Test func `the end of the daemon is the end of the stream`() throws {
    let daemon = try start(["--play", "\(Self.tree)/examples/demo.jsonl"])
    let connection = try Connection(path: daemon.socket)
    #expect(try daemon.stop() == .exited(0))
    guard case .bye(let bye) = try connection.next() else {
      Issue.record("no bye")
      return
    }
    #expect(bye.reason == .shutdown)
    #expect(try connection.next() == nil)
  }

  @Test func `nobody there is told with the cure`() throws {
    let error = try #require(throws: ConnectionError.self) {
      try Connection(path: "/nowhere/detent.sock")
    }
    #expect(error.reason == .notRunning)
    #expect(error.description.contains("systemctl status detent"))
  }
}

/// The client against a daemon that hangs.
@Suite(.timeLimit(.minutes(5)))
struct SilentDaemonTests {
  private static let limit = Duration.milliseconds(200)

  private func expectSilence(_ script: [ScriptedServer.Step]) throws {
    let server = try ScriptedServer([script])
    defer { server.stop() }
    let error = try #require(throws: ConnectionError.self) {
      try Connection(path: server.socket, timeLimit: Self.limit).call(.list)
    }
    #expect(error.reason == .silent)
    #expect(error.description.hasPrefix("\(server.socket): "))
    #expect(error.description.contains("systemctl restart detent"))
  }

  @Test func `no greeting, no reply and half a reply end in time`() throws {
    try expectSilence([.waitForEnd])
    try expectSilence([ScriptedServer.hello(), .waitForEnd])
    let half = ScriptedServer.Step.sayRaw(#"{"jsonrpc":"2.0","id":1"#)
    try expectSilence([ScriptedServer.hello(), .hear("list"), half, .waitForEnd])
  }
}
