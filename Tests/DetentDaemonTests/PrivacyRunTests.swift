// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Testing
import Wire

/// What a busy daemon leaves in its log: nothing of what people choose, nor of where they touch.
@Suite(.enabled(if: DaemonProcess.isBuilt, "\(DaemonProcess.needsBinary)"))
struct PrivacyRunTests {
  private static let configuration = """
    [haptics]
    enabled = false
    [[display]]
    width = 1000
    height = 1000
    [[picker]]
    id = "diagnosis"
    type = "ruler"
    region = { x = 0, y = 0, width = 1000, height = 500 }
    values = ["secret-a", "secret-b", "secret-c", "secret-d", "secret-e"]
    title = "told {}"
    selection = "secret-c"
    remember = true
    [[picker]]
    id = "amount"
    type = "ruler"
    region = { x = 0, y = 500, width = 1000, height = 500 }
    values = { from = 770000, through = 779999, step = 1 }
    remember = true
    """

  /// Drags, taps and cancels at places that are told from every other number.
  private static var recording: String {
    var lines = [#"{"recording":1,"devices":[{"id":"panel","kind":"touchscreen","name":"panel"}]}"#]
    var timeUs = 1_000_000
    func say(_ rest: String) {
      lines.append("{\"time_us\":\(timeUs),\"device\":\"panel\",\(rest)}")
      timeUs += 8_000
    }
    for round in 0..<20 {
      let y = round % 2 == 0 ? 0.31337 : 0.81337
      say("\"event\":\"down\",\"slot\":0,\"x\":0.51337,\"y\":\(y)")
      for step in 1...5 {
        say("\"event\":\"move\",\"slot\":0,\"x\":0.5\(step)1337,\"y\":\(y)")
      }
      say("\"event\":\"\(round % 5 == 4 ? "cancel" : "up")\",\"slot\":0")
      timeUs += 30_000
    }
    return lines.joined(separator: "\n") + "\n"
  }

  @Test func `the log of a busy run has no values and no places in it`() throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.recording, to: "busy.jsonl")
    try folder.makeFolder("state")
    // What was remembered is no value any more: that is told, not which.
    try folder.write(
      #"{"detent_selections":1,"selections":{"diagnosis":"secret-gone","amount":770007}}"#,
      to: "state/selections.json")
    let daemon = try DaemonProcess(
      configuration: Self.configuration, arguments: ["--play", folder.path + "/busy.jsonl"],
      environment: ["STATE_DIRECTORY": folder.path + "/state"])
    _ = try daemon.client.request("subscribe")
    var selections = 0
    try Waiting.until("the end of the recording", seconds: 30) {
      try daemon.client.receive(milliseconds: 20)
      selections = daemon.client.notifications("selection").count
      return daemon.client.notifications("device").contains { $0["change"] == .string("removed") }
    }
    #expect(selections > 10)
    for request in [
      ("select", #"{"picker":"diagnosis","value":"secret-e"}"#),
      ("select", #"{"picker":"diagnosis","value":"secret-none"}"#),
      ("select", #"{"picker":"amount","value":771234}"#),
      ("move", #"{"picker":"amount","by":4321}"#),
      (
        "add",
        #"{"id":"more","type":"ruler","region":{"x":1337,"y":1337,"width":9,"height":9},"values":["secret-x"]}"#
      ),
      ("update", #"{"id":"more","type":"ruler","values":["secret-y"]}"#),
      ("reload", "{}"), ("nonsense", #"{"value":"secret-z"}"#),
    ] { _ = try daemon.client.request(request.0, request.1) }
    try daemon.client.send("secret-line that is no JSON 1337")
    #expect(try daemon.stop() == .exited(0))
    let log = daemon.log
    #expect(log.contains { $0.contains("ready") } && log.contains { $0.contains("stopping") })
    for line in log {
      for word in ["secret", "told", "1337", "4321"] {
        // Names of files and numbers of processes are nobody's secret.
        let text = line.split(separator: " ").filter { !$0.contains("/tmp/") }.joined(
          separator: " ")
        #expect(!text.contains(word), "\(line)")
        #expect(text.firstMatch(of: /77\d{4}/) == nil, "\(line)")
      }
    }
  }

  @Test func `a fault that comes a thousand times is not a thousand lines`() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      #"{"recording":1,"devices":[{"id":"p","kind":"touchscreen","name":"p"}]}"# + "\n",
      to: "none.jsonl")
    let daemon = try DaemonProcess(
      configuration: Self.configuration, arguments: ["--play", folder.path + "/none.jsonl"])
    try daemon.writeConfiguration("broken")
    for _ in 0..<200 { _ = try daemon.client.request("reload") }
    #expect(try daemon.stop() == .exited(0))
    let refusals = daemon.log.filter { $0.contains("the configuration stays as it was") }
    #expect(refusals.count <= 42, "\(refusals.count)")
    #expect(refusals.contains { $0.contains("more lines like this") }, "\(daemon.log.suffix(3))")
  }

  @Test func `the version says what it was built with`() throws {
    let version = try ChildProcess([DaemonProcess.binaries + "/detentd", "--version"])
    #expect(try version.waitForEnd() == .exited(0))
    let lines = version.outputLines
    #expect(lines.first?.hasPrefix("detentd ") == true && lines.count == 2, "\(lines)")
    for part in ["libinput 1", "libevdev 1", "systemd 2", "toml++ 3", "Swift 6", "x86_64"] {
      #if arch(x86_64)
        #expect(lines.last?.contains(part) == true, "\(lines)")
      #endif
    }
  }
}
