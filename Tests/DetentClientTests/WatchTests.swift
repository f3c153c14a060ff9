// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Testing
import Wire

/// `detentctl watch` and `detentctl replay --watch` in a terminal.
@Suite(
  .timeLimit(.minutes(2)),
  .enabled(if: DaemonProcess.isBuilt, "\(DaemonProcess.needsBinary)"),
  .enabled(if: TerminalPane.isInstalled, "\(TerminalPane.needsTmux)"))
struct WatchTests {
  private static let tool = DaemonProcess.binaries + "/detentctl"
  private static let demo = SharedFixtures.tree + "/examples/demo"
  private static let replay = "\(tool) replay --watch --config \(demo).toml \(demo).jsonl"

  private static func startDaemon(socket: String? = nil) throws -> DaemonProcess {
    try DaemonProcess(
      configuration: try #require(SystemFiles.text(of: demo + ".toml")),
      arguments: ["--play", SharedFixtures.tree + "/Tests/Tables/quiet.jsonl"], socket: socket)
  }

  private func pane(_ daemon: DaemonProcess? = nil) throws -> TerminalPane {
    try TerminalPane(
      columns: 80, lines: 24,
      environment: ["DETENT_SOCKET": daemon?.socket ?? "/nowhere", "tool": Self.tool])
  }

  /// That a terminal is a shell's again, as it was.
  private func expectRestored(_ pane: TerminalPane, status: Int, after what: String) throws {
    try Waiting.until("the shell's screen after \(what)") { try !pane.isAlternate }
    #expect(try pane.hasCursor, "\(what)")
    try pane.type("echo ended $?; stty -a | grep -oE ' (icanon|echo) '")
    try pane.wait("how it ended by \(what), and a terminal that is sane") {
      $0.contains("\nended \(status)\n icanon\n echo")
    }
    try pane.type("clear")
    try pane.wait("an empty screen") { !$0.contains("ended") }
  }

  @Test func `all pickers are drawn, at any size, and follow`() throws {
    let daemon = try Self.startDaemon()
    let pane = try pane(daemon)
    try pane.type("$tool watch")
    try pane.wait("the pickers") { $0.contains("strength") && $0.contains("72 kg") }
    #expect(try pane.isAlternate && !pane.hasCursor)
    let lines = try pane.lines
    // The ruler's window with the selection in it, its neighbours, a swatch with its ring, a card, the wheel's foot.
    #expect(lines.contains { $0.contains("71 kg  │  72 kg  │  73 kg") })
    #expect(lines.count { $0.contains("██    ██") } == 2)
    #expect(lines.contains { $0.contains("(██)") })
    #expect(lines.contains { $0.contains("│                 Espresso                 │") })
    #expect(lines.contains { $0.contains("( 5 )") } && lines.contains { $0.contains("10") })
    let styled = try pane.styled
    for colour in ["0;122;255", "255;59;48"] { #expect(styled.contains("38;2;\(colour)m")) }
    try daemon.client.request("select", #"{"picker":"weight","value":81}"#)
    try daemon.client.request("select", ##"{"picker":"accent","value":"#ffcc00"}"##)
    try pane.wait("the selections") { text in
      text.contains("│  81 kg  │") && text.contains("Yellow") && text.contains("weight = 81 kg")
    }
    for (columns, height) in [(40, 12), (132, 43), (80, 24)] {
      try pane.resize(columns: columns, lines: height)
      try pane.wait("\(columns) × \(height)") { text in
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return ["weight", "accent", "menu", "strength"].allSatisfy(text.contains)
          && lines.allSatisfy { $0.count <= columns }
          && lines.contains { $0.hasSuffix("q quits") && $0.count == columns - 1 }
      }
    }
    try pane.resize(columns: 10, lines: 3)
    try pane.wait("a tiny terminal") { $0.contains("and 4") }
  }

  @Test func `the terminal is given back on every way out`() throws {
    let daemon = try Self.startDaemon()
    let pane = try pane(daemon)
    for (key, status) in [("q", 0), ("C-c", 130)] {
      try pane.type("$tool watch")
      try pane.wait("a drawing") { $0.contains("q quits") }
      try pane.press(key)
      try expectRestored(pane, status: status, after: key)
    }
    for number in [SIGTERM, SIGHUP, SIGQUIT] {
      try pane.type("$tool watch")
      try pane.wait("a drawing") { $0.contains("q quits") }
      kill(try watcher(of: daemon), number)
      try expectRestored(pane, status: 128 + Int(number), after: "signal \(number)")
    }
    // Stopped, and going on.
    try pane.type("$tool watch")
    try pane.wait("a drawing") { $0.contains("q quits") }
    try pane.press("C-z")
    try Waiting.until("the shell's screen") { try !pane.isAlternate }
    #expect(try pane.hasCursor)
    try pane.type("fg")
    try pane.wait("a drawing again") { $0.contains("q quits") }
    try pane.press("q")
    try Waiting.until("the shell's screen") { try !pane.isAlternate && pane.hasCursor }
  }

  @Test func `it waits for a daemon that goes, and comes back with it`() throws {
    let folder = try TemporaryFolder()
    let daemon = try Self.startDaemon(socket: folder.path + "/socket")
    let pane = try TerminalPane(
      columns: 80, lines: 24, environment: ["DETENT_SOCKET": daemon.socket, "tool": Self.tool])
    try pane.type("$tool watch")
    try pane.wait("the pickers") { $0.contains("72 kg") }
    try daemon.kill()
    try pane.wait("that it waits") { $0.contains("waiting for \(daemon.socket)") }
    #expect(try pane.isAlternate)
    let second = try Self.startDaemon(socket: daemon.socket)
    try second.client.request("select", #"{"picker":"weight","value":90}"#)
    try pane.wait("the new daemon's pickers") {
      $0.contains("│  90 kg  │") && !$0.contains("waiting")
    }
    try second.kill()
    try pane.wait("that it waits") { $0.contains("waiting for") }
    try pane.press("q")
    try expectRestored(pane, status: 0, after: "q")
  }

  @Test func `a recording is drawn as it goes`() throws {
    let pane = try pane()
    try pane.type("\(Self.replay)")
    try pane.wait("the pickers") { text in
      ["weight", "accent", "menu", "strength", "recording, "].allSatisfy(text.contains)
    }
    try pane.wait("a finger, and the drag") {
      $0.contains("finger at") && $0.contains("kg (drag)")
    }
    try pane.wait("the glide's end") { $0.contains("weight rests") }
    try pane.press("q")
    try expectRestored(pane, status: 0, after: "q")
    try pane.type("$tool replay --watch --config \(Self.demo).toml /nowhere")
    try pane.wait("the refusal, and a prompt") { text in
      text.contains("/nowhere: c") && text.split(separator: "\n").last?.count == 1
    }
    try expectRestored(pane, status: 1, after: "a recording that is not there")
  }

  @Test func `a recording prints lines where there is no terminal`() throws {
    let folder = try TemporaryFolder()
    let recording = """
      {"recording":1,"devices":[{"id":"panel","kind":"touchscreen","name":"panel"}]}
      {"time_us":1000,"device":"panel","event":"down","slot":0,"x":0.6,"y":0.145833}
      {"time_us":61000,"device":"panel","event":"up","slot":0}

      """
    try folder.write(recording, to: "tap.jsonl")
    let replay = try ChildProcess([
      Self.tool, "replay", "--watch", "--config", Self.demo + ".toml", folder.path + "/tap.jsonl",
    ])
    #expect(try replay.waitForEnd() == .exited(0))
    #expect(
      replay.outputLines == [
        "weight: 72 kg", "accent: Blue", "menu: Espresso", "strength: 5", "weight: 74 kg (tap)",
      ])
  }

  /// The process that is connected to a daemon besides the test itself.
  private func watcher(of daemon: DaemonProcess) throws -> pid_t {
    try Waiting.value("a connection of the watcher's") {
      let stats = try daemon.client.request("stats")["result"]
      guard case .array(let all)? = stats?["connections"] else { return nil }
      for connection in all where connection["subscribed"] == true {
        if case .integer(let pid)? = connection["pid"] { return pid_t(pid) }
      }
      return nil
    }
  }
}
