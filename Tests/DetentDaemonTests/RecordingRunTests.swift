// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Testing
import Wire

/// A daemon that plays a recording instead of reading devices.
@Suite(.enabled(if: DaemonProcess.isBuilt, "\(DaemonProcess.needsBinary)"))
struct RecordingRunTests {
  private static let head =
    #"{"recording":1,"devices":[{"id":"p","kind":"touchscreen","name":"p"}]}"#
  /// A finger that comes and goes beside the picker.
  private static let tap = """
    {"time_us":1000,"device":"p","event":"down","slot":0,"x":0.5,"y":0.9}
    {"time_us":2000,"device":"p","event":"up","slot":0}
    """

  private let folder: TemporaryFolder
  private var file: String { folder.path + "/recording.jsonl" }

  init() throws { folder = try TemporaryFolder() }

  private func start(_ recording: String, _ words: String...) throws -> DaemonProcess {
    try folder.write(recording + "\n", to: "recording.jsonl")
    let daemon = try DaemonProcess(
      configuration: DaemonProcess.oneRuler, arguments: ["--play", file] + words)
    _ = try daemon.client.request("subscribe")
    return daemon
  }

  @Test(arguments: ["\(head)\n\(tap)", head])
  func `a service that plays once ends, whatever was played`(recording: String) throws {
    #expect(try start(recording, "--once").waitForEnd() == .exited(0))
  }

  @Test(arguments: [[], ["--once"], ["--loop"]])
  func `a line that cannot be read ends the service, with its number`(words: [String]) throws {
    try folder.write("\(Self.head)\n\(Self.tap)\n{\"time_us\":3000}\n", to: "recording.jsonl")
    let daemon = try DaemonProcess(
      configuration: DaemonProcess.oneRuler, arguments: ["--play", file] + words)
    _ = try daemon.client.request("subscribe")
    #expect(try daemon.waitForEnd() == .exited(1))
    let line = try #require(daemon.log.first { $0.contains("\(file):4: ") }, "\(daemon.log)")
    #expect(line.contains("detentctl replay"))
  }

  @Test func `the log counts as people do, and has no empty fields`() throws {
    let daemon = try start("\(Self.head)\n\(Self.tap)")
    try Waiting.until("the service to be ready") { daemon.log.contains { $0.contains("ready: ") } }
    #expect(daemon.log.contains("detentd: info: ready: 1 device, 1 picker"), "\(daemon.log)")
    #expect(!daemon.log.contains { $0.hasSuffix("=") }, "\(daemon.log)")
  }

  @Test func `what is no device is not recorded, and nobody is told that it was`() throws {
    let words = ["record", "--device", "/dev/input/none", folder.path + "/none.jsonl"]
    let record = try ChildProcess(["\(DaemonProcess.binaries)/detentctl"] + words)
    #expect(try record.waitForEnd() == .exited(1))
    let lines = record.errorLines
    #expect(lines.first?.hasPrefix("detentctl record: /dev/input/none is not recorded: ") == true)
    #expect(!lines.contains { $0.contains("every touch") }, "\(lines)")
  }

  @Test func `a recording that is gone when it should begin again ends the service`() throws {
    let daemon = try start("\(Self.head)\n\(Self.tap)", "--loop")
    try Waiting.until("the first tap") {
      try daemon.client.request("stats")["result"]?["events"] != .integer(0)
    }
    unlink(file)
    #expect(try daemon.waitForEnd() == .exited(1))
    #expect(daemon.log.contains { $0.contains("\(file): cannot be opened") }, "\(daemon.log)")
  }
}
