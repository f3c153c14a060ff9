// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import TestSupport
import Testing
import Wire

/// A configuration that changes under a running daemon, by each of the ways in which people change one.
@Suite(.enabled(if: DaemonProcess.isBuilt, "\(DaemonProcess.needsBinary)"))
struct ReloadRunTests {
  private static func configuration(_ pickers: String..., width: Int = 1000) -> String {
    let head = "[haptics]\nenabled = false\n[[display]]\nwidth = \(width)\nheight = 1000\n"
    return head
      + pickers.map {
        """
        [[picker]]
        id = "\($0)"
        type = "ruler"
        region = { x = 0, y = 0, width = 500, height = 100 }
        values = { from = 0, through = 100, step = 1 }
        selection = 50

        """
      }.joined()
  }

  private func start(_ folder: TemporaryFolder, _ configuration: String) throws -> DaemonProcess {
    try folder.write(
      #"{"recording":1,"devices":[{"id":"p","kind":"touchscreen","name":"p"}]}"# + "\n",
      to: "none.jsonl")
    let daemon = try DaemonProcess(
      configuration: configuration, arguments: ["--play", folder.path + "/none.jsonl"])
    _ = try daemon.client.request("subscribe")
    return daemon
  }

  private func stats(_ daemon: DaemonProcess, _ name: String) throws -> JSONValue? {
    try daemon.client.request("stats")["result"]?[name]
  }

  private func reason(_ reply: JSONValue) -> String {
    guard case .string(let reason)? = reply["error"]?["data"]?["reason"] else { return "" }
    return reason
  }

  private func waitForPicker(_ daemon: DaemonProcess, _ change: String, _ id: String) throws {
    _ = try daemon.client.waitFor("picker") {
      $0["change"] == .string(change) && $0["state"]?["picker"] == .string(id)
    }
  }

  @Test func `a file that is renamed over is applied, what did not change keeps its state`() throws
  {
    let folder = try TemporaryFolder()
    let daemon = try start(folder, Self.configuration("a", "b"))
    _ = try daemon.client.request("select", #"{"picker":"a","value":77}"#)
    try daemon.writeConfiguration(Self.configuration("a", "c"))
    try waitForPicker(daemon, "removed", "b")
    try waitForPicker(daemon, "added", "c")
    let state = try daemon.client.request("get", #"{"picker":"a"}"#)["result"]
    #expect(state?["value"] == .integer(77) && state?["revision"] == .integer(1))
    #expect(
      !daemon.client.notifications("picker").contains { $0["state"]?["picker"] == .string("a") })
    #expect(try stats(daemon, "reloads") == .integer(1))
    #expect(try daemon.stop() == .exited(0))
  }

  @Test func `a file that is half written leaves the running one in force until it is whole`()
    throws
  {
    let folder = try TemporaryFolder()
    let daemon = try start(folder, Self.configuration("a"))
    let text = Self.configuration("a", "b")
    let half = String(text.prefix(text.count - 30))
    // In place, as `cat >` does it, with a pause that is longer than any patience.
    let file = try OwnedDescriptor(
      opening: daemon.configurationFile, flags: O_WRONLY | O_TRUNC | O_APPEND)
    try Array(half.utf8).withUnsafeBytes { try Descriptor.writeAll(file.rawValue, $0) }
    try Waiting.until("the refusal; \(daemon.log)") {
      try stats(daemon, "reloads_refused") != .integer(0)
    }
    try Waiting.until("the line of the log") {
      daemon.log.contains { $0.contains("the configuration stays as it was") }
    }
    #expect(try daemon.client.request("get", #"{"picker":"a"}"#)["result"] != nil)
    try Array(text.suffix(30).utf8).withUnsafeBytes { try Descriptor.writeAll(file.rawValue, $0) }
    try waitForPicker(daemon, "added", "b")
    #expect(try stats(daemon, "reloads") == .integer(1))
    #expect(try daemon.stop() == .exited(0))
  }

  @Test func `signal and request do the same at once, and say what is wrong`() throws {
    let folder = try TemporaryFolder()
    let daemon = try start(folder, Self.configuration("a"))
    try daemon.writeConfiguration(Self.configuration("a", "b"))
    daemon.signal(SIGHUP)
    try waitForPicker(daemon, "added", "b")
    try daemon.writeConfiguration(Self.configuration("a", "c"))
    #expect(try daemon.client.request("reload")["result"] == .object([:]))
    try waitForPicker(daemon, "added", "c")
    try daemon.writeConfiguration(Self.configuration("a") + "\n[daemon]\nglide_hz = 0\n")
    #expect(try reason(daemon.client.request("reload")).contains("glide_hz"))
    #expect(try daemon.client.request("get", #"{"picker":"c"}"#)["result"] != nil)
    #expect(try daemon.stop() == .exited(0))
  }

  @Test func `a name that is no account is warned of at the start, in a reload and in a check`()
    throws
  {
    func text(_ name: String) -> String {
      Self.configuration("a") + "[daemon]\nallow_control = [\"root\", \"\(name)\"]\n"
    }
    let folder = try TemporaryFolder()
    let daemon = try start(folder, text("nobody-here"))
    func waitForWarning(_ name: String) throws {
      try Waiting.until("a warning of \(name); the log is \(daemon.log)") {
        daemon.log.contains {
          $0.contains(":13:26: warning: daemon.allow_control[1]: ") && $0.contains("\"\(name)\"")
        }
      }
    }
    try waitForWarning("nobody-here")
    try daemon.writeConfiguration(text("nor-here"))
    #expect(try daemon.client.request("reload")["result"] == .object([:]))
    try waitForWarning("nor-here")
    let check = try ChildProcess(
      [DaemonProcess.binaries + "/detentd", "--check", daemon.configurationFile])
    #expect(try check.waitForEnd() == .exited(0))
    #expect(check.errorLines.contains { $0.contains(":13:26: warning: ") }, "\(check.errorLines)")
    #expect(!daemon.log.contains { $0.contains("\"root\"") })
  }

  @Test func `a picker of a client is not taken over, and says who is in the way`() throws {
    let folder = try TemporaryFolder()
    let daemon = try start(folder, Self.configuration("a"))
    let mine = """
      {"id":"mine","type":"ruler","region":{"x":0,"y":0,"width":9,"height":9},"values":[1,2]}
      """
    #expect(try daemon.client.request("add", mine)["error"] == nil)
    try daemon.writeConfiguration(Self.configuration("b", "mine"))
    #expect(try reason(daemon.client.request("reload")) == "\"mine\" exists already")
    // Not the half of it.
    #expect(try daemon.client.request("get", #"{"picker":"a"}"#)["error"] == nil)
    #expect(try daemon.client.request("get", #"{"picker":"b"}"#)["error"] != nil)
    #expect(try daemon.stop() == .exited(0))
  }

  @Test func `the size that the application gave a display outlives a reload that leaves it alone`()
    throws
  {
    let folder = try TemporaryFolder()
    let daemon = try start(folder, Self.configuration("a"))
    _ = try daemon.client.request("display", #"{"display":"main","width":500,"height":400}"#)
    _ = try daemon.client.waitFor("display")
    try daemon.writeConfiguration(Self.configuration("a", "b"))
    _ = try daemon.client.request("reload")
    try waitForPicker(daemon, "added", "b")
    #expect(daemon.client.notifications("display").count == 1)
    try daemon.writeConfiguration(Self.configuration("a", "b", width: 800))
    _ = try daemon.client.request("reload")
    let changed = try daemon.client.waitFor("display")
    #expect(changed["display"]?["width"] == .integer(800))
    #expect(try daemon.stop() == .exited(0))
  }
}
