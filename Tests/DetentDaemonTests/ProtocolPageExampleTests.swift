// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing
import Wire
import WireTestSupport

/// Has a real daemon say each line that docs/protocol.md shows by itself.
@Suite(.enabled(if: DaemonProcess.isBuilt, Comment(rawValue: DaemonProcess.needsBinary)))
struct ProtocolPageExampleTests {
  private static let configuration = """
    [daemon]
    idle_after_seconds = 1
    idle_reset_seconds = 30

    [gesture]
    velocity = "swiftui"

    [haptics]
    enabled = false

    [[display]]
    id = "main"
    width = 800
    height = 480

    [[picker]]
    id = "weight"
    type = "ruler"
    region = { x = 0, y = 80, width = 800, height = 160 }
    values = { from = 40, through = 120, step = 1 }
    title = "{} kg"
    selection = 72

    [[picker]]
    id = "size"
    type = "radial"
    region = { x = 300, y = 260, width = 200, height = 200 }
    values = ["S", "M", "L"]
    selection = "M"
    """

  /// A touch of nothing, a drag on the ruler, a swipe on the wheel; then the panel is unplugged, again and again.
  private static let recording = """
    {"recording":1,"devices":[{"id":"panel","kind":"touchscreen","name":"Example panel","width_mm":154,"height_mm":86}]}
    {"time_us":1000000,"device":"panel","event":"down","slot":0,"x":0.01,"y":0.99}
    {"time_us":1016000,"device":"panel","event":"up","slot":0}
    {"time_us":1500000,"device":"panel","event":"down","slot":0,"x":0.5,"y":0.35}
    {"time_us":1516000,"device":"panel","event":"move","slot":0,"x":0.475,"y":0.35}
    {"time_us":1532000,"device":"panel","event":"move","slot":0,"x":0.45,"y":0.35}
    {"time_us":1548000,"device":"panel","event":"up","slot":0}
    {"time_us":1600000,"device":"panel","event":"down","slot":0,"x":0.55,"y":0.8}
    {"time_us":1616000,"device":"panel","event":"move","slot":0,"x":0.45,"y":0.8}
    {"time_us":1632000,"device":"panel","event":"up","slot":0}
    {"time_us":1700000,"device":"panel","event":"removed"}

    """

  @Test func `the daemon says what the page shows by itself`() throws {
    let recording = try TemporaryRecording(Self.recording)
    let daemon = try DaemonProcess(
      configuration: Self.configuration, arguments: ["--play", recording.path])
    let events = EventName.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ",")
    let client = daemon.client
    try client.request("subscribe", #"{"events":[\#(events)]}"#)
    for (method, params) in [
      ("focus", #"{"picker":"size"}"#),
      ("display", #"{"display":"main","width":1280,"height":768}"#),
      ("display", #"{"display":"main","width":800,"height":480}"#),
      ("inhibit", #"{"on":true}"#), ("inhibit", #"{"on":false}"#),
    ] {
      try client.request(method, params)
    }
    _ = try client.waitFor("activity") { $0["active"] == false }
    try client.request("unsubscribe")
    let slow = try fallBehind(daemon)
    try daemon.stop()
    try Waiting.until("the end of the connection") {
      try client.receive(milliseconds: 20)
      return client.isClosed
    }
    let said = (client.messages + [slow]).map(Self.timeless)
    for example in try ProtocolPage().examples {
      let expected = Self.timeless(try JSONParser.value(of: Array(example.utf8)))
      guard !said.contains(expected) else { continue }
      let alike = (client.messages + [slow]).filter { $0["method"] == expected["method"] }
      Issue.record("the page says\n\(example)\nthe daemon said\n\(alike)")
    }
  }

  /// The `resync` that a client gets that did not read for a while.
  private func fallBehind(_ daemon: DaemonProcess) throws -> JSONValue {
    let slow = try daemon.connect()
    try slow.request("subscribe", #"{"pickers":["size"],"events":["selection"]}"#)
    let busy = try daemon.connect()
    // Long titles make long lines: a queue is soon full.
    let title = String(repeating: "x", count: 15_000)
    let values = ["S", "M", "L"].map { #"{"value":"\#($0)","title":"\#(title)"}"# }
    try busy.request(
      "update",
      #"{"id":"size","type":"radial","region":{"x":300,"y":260,"width":200,"height":200},"values":[\#(values.joined(separator: ","))]}"#
    )
    let move = #"{"jsonrpc":"2.0","method":"move","params":{"picker":"size","by":1}}"#
    for _ in 0..<2 {
      try busy.send("[\(Array(repeating: move, count: 60).joined(separator: ","))]")
    }
    // All that was sent is carried out before this is answered.
    try busy.send(#"{"jsonrpc":"2.0","id":"done","method":"list"}"#)
    try Waiting.until("the last answer", seconds: 50) {
      try busy.receive(milliseconds: 20)
      return busy.messages.contains { $0["id"] == "done" }
    }
    _ = try slow.waitFor("resync", seconds: 20)
    return try #require(slow.messages.last { $0["method"] == "resync" })
  }

  /// A line without what differs from run to run, how much was missed included.
  private static func timeless(_ line: JSONValue) -> JSONValue {
    guard line["method"] == "resync", case .object(var members) = line,
      case .object(var params)? = members["params"], case .array(let pickers)? = params["pickers"]
    else { return ProtocolPage.timeless(line) }
    params["dropped"] = nil
    params["pickers"] = .array(
      pickers.map { picker in
        guard case .object(var state) = picker else { return picker }
        // How often it turned depends on where it began.
        for name in ["revision", "degree", "hue", "index", "live_index", "value", "title"] {
          state[name] = nil
        }
        return .object(state)
      })
    members["params"] = .object(params)
    return ProtocolPage.timeless(.object(members))
  }
}
