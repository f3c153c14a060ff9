// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Testing
import Wire

/// `detentctl record` on a kernel device, and what a replay of it says.
@Suite(
  .serialized, .enabled(if: InputNodes.canUseUinput, "\(InputNodes.needsUinput)"),
  .enabled(if: DaemonProcess.isBuilt, "\(DaemonProcess.needsBinary)"))
struct RecordTests {
  private static let configuration = """
    [[display]]
    width = 1000
    height = 1000
    [[picker]]
    id = "ruler"
    type = "ruler"
    region = { x = 0, y = 0, width = 1000, height = 1000 }
    values = { from = 0, through = 100, step = 1 }
    selection = 50
    """

  private let ctl = "\(DaemonProcess.binaries)/detentctl"

  private func record(_ file: String, _ arguments: [String] = []) throws -> ChildProcess {
    let recorder = try ChildProcess([ctl, "record"] + arguments + [file])
    _ = try Waiting.value("record to begin; it said \(recorder.errorLines)", seconds: 20) {
      recorder.errorLines.first { $0.contains("recording touchscreen") }
    }
    return recorder
  }

  @Test func `a replay of a recording says what the daemon said`() throws {
    let panel = try VirtualTouchscreen()
    let daemon = try DaemonProcess(configuration: Self.configuration)
    let reply = try daemon.client.request("subscribe")
    if reply["result"]?["devices"] == .array([]) {
      _ = try daemon.client.waitFor("device", seconds: 20) { $0["change"] == .string("added") }
    }
    let file = daemon.directory + "/touches.jsonl"
    let recorder = try record(file)
    #expect(recorder.errorLines.contains { $0.contains("every touch from now on") })
    try panel.drag(from: (0.7, 0.5), to: (0.4, 0.5), seconds: 0.4)
    _ = try daemon.client.waitFor("rest")
    try panel.tap(x: 0.2, y: 0.5)
    _ = try daemon.client.waitFor("rest")
    recorder.signal(SIGINT)
    #expect(try recorder.waitForEnd() == .exited(0))
    let replay = try ChildProcess([ctl, "replay", "--config", daemon.configurationFile, file])
    #expect(try replay.waitForEnd() == .exited(0))
    let lines = try replay.outputLines.map { try JSONParser.value(of: Array($0.utf8)) }
    for method in ["selection", "tick", "settle", "rest"] {
      let replayed = lines.filter { $0["method"] == .string(method) }.compactMap { $0["params"] }
      #expect(replayed == daemon.client.notifications(method), "\(method)")
    }
    var status = stat()
    #expect(stat(file, &status) == 0 && status.st_mode & 0o777 == 0o600)
  }

  @Test func `it ends at its size, at its time, and never overwrites`() throws {
    let panel = try VirtualTouchscreen()
    let folder = try TemporaryFolder()
    let small = try record(folder.path + "/small", ["--megabytes", "0.002"])
    try panel.drag(from: (0.2, 0.5), to: (0.8, 0.5), seconds: 0.5)
    #expect(try small.waitForEnd() == .exited(0))
    #expect(small.errorLines.contains { $0.contains("as large as allowed") })
    var status = stat()
    #expect(stat(folder.path + "/small", &status) == 0 && (100...2000).contains(status.st_size))
    let short = try record(folder.path + "/short", ["--seconds", "0.3"])
    #expect(try short.waitForEnd() == .exited(0))
    let again = try ChildProcess([ctl, "record", folder.path + "/short"])
    #expect(try again.waitForEnd() == .exited(1))
    #expect(again.errorLines.contains { $0.contains("exists already") })
  }

  @Test func `a panel that comes back goes on in the recording, and a full disk is said`() throws {
    var panel: VirtualTouchscreen? = try VirtualTouchscreen()
    let folder = try TemporaryFolder()
    let file = folder.path + "/touches"
    let recorder = try record(file)
    try panel?.tap(x: 0.5, y: 0.5)
    try Waiting.until("the first tap", seconds: 20) {
      SystemFiles.text(of: file)?.contains("\"up\"") ?? false
    }
    let node = panel?.node
    panel = nil
    let again = try VirtualTouchscreen()
    #expect(again.node == node, "the kernel gives the lowest free number")
    try Waiting.until("the panel to be open again", seconds: 20) {
      SystemFiles.text(of: file)?.contains("added") ?? false
    }
    try again.tap(x: 0.5, y: 0.5)
    try Waiting.until("the tap", seconds: 20) {
      SystemFiles.text(of: file)?.split(separator: "\"up\"").count ?? 0 > 2
    }
    recorder.signal(SIGTERM)
    #expect(try recorder.waitForEnd() == .exited(0))
    let text = try #require(SystemFiles.text(of: file))
    let events = text.split(separator: "\n").dropFirst().map { line in
      line.split(separator: "\"event\":\"")[1].prefix { $0 != "\"" }
    }
    #expect(events == ["down", "up", "removed", "added", "down", "up"], "\(events)")
    let full = try ChildProcess(["/bin/sh", "-c", "\(ctl) record --seconds 1 - > /dev/full"])
    #expect(try full.waitForEnd() == .exited(74))
    #expect(full.errorLines.contains { $0.contains("ENOSPC") })
  }
}
