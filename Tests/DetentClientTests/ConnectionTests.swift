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
    #expect(connection.hello["protocol"] == .integer(1))
    let snapshot = try connection.call("subscribe", ["events": .array([.string("selection")])])
    guard case .array(let pickers)? = snapshot["pickers"] else {
      Issue.record("no pickers")
      return
    }
    #expect(pickers.first?["title"] == .string("72 kg"))
    let state = try connection.call(
      "select", ["picker": .string("weight"), "value": .integer(80)])
    #expect(state["value"] == .integer(80))
    let notification = try #require(try connection.next())
    #expect(notification["params"]?["cause"] == .string("select"))
    #expect(notification["params"]?["previous"] == .integer(72))
    // Then the fingers of the recording.
    let dragged = try #require(try connection.next())
    #expect(dragged["params"]?["cause"] == .string("drag"))
  }

  @Test func `a refusal names the field`() throws {
    let daemon = try start(["--play", "\(Self.tree)/examples/demo.jsonl"])
    let connection = try Connection(path: daemon.socket)
    let failure = try #require(throws: RPCFailure.self) {
      try connection.call("select", ["picker": .string("weight"), "value": .integer(5000)])
    }
    #expect(failure.code == -32602 && failure.field == "value")
    let unknown = try #require(throws: RPCFailure.self) {
      try connection.call("get", ["picker": .string("nobody")])
    }
    #expect(unknown.code == -32000)
  }

  @Test func `the end of the daemon is the end of the stream`() throws {
    let daemon = try start(["--play", "\(Self.tree)/examples/demo.jsonl"])
    let connection = try Connection(path: daemon.socket)
    #expect(try daemon.stop() == .exited(0))
    #expect(try connection.next()?["method"] == .string("bye"))
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
