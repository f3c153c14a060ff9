// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import TestSupport
import Testing
import Wire

/// `remember = true` over restarts, crashes and bad disks, in a real daemon.
@Suite(.enabled(if: DaemonProcess.isBuilt, "\(DaemonProcess.needsBinary)"))
struct MemoryRunTests {
  private static func configuration(
    remember: Bool = true, values: String = "{ from = 0, through = 100, step = 0.5 }"
  ) -> String {
    """
    [haptics]
    enabled = false
    [[display]]
    width = 1000
    height = 1000
    [[picker]]
    id = "ruler"
    type = "ruler"
    region = { x = 0, y = 0, width = 1000, height = 100 }
    values = \(values)
    selection = 50
    remember = \(remember)
    [[picker]]
    id = "accent"
    type = "swatches"
    region = { x = 0, y = 100, width = 1000, height = 100 }
    colors = ["red", "green"]
    selection = "green"
    remember = \(remember)
    [[picker]]
    id = "plain"
    type = "ruler"
    region = { x = 0, y = 200, width = 1000, height = 100 }
    values = [1, 2, 3]
    """
  }

  private func start(
    _ folder: TemporaryFolder, _ configuration: String = configuration(),
    arguments: [String] = []
  ) throws -> DaemonProcess {
    let recording = folder.path + "/none.jsonl"
    try folder.write(
      #"{"recording":1,"devices":[{"id":"p","kind":"touchscreen","name":"p"}]}"# + "\n",
      to: "none.jsonl")
    return try DaemonProcess(
      configuration: configuration, arguments: ["--play", recording] + arguments,
      environment: ["STATE_DIRECTORY": folder.path + "/state"])
  }

  private func select(_ daemon: DaemonProcess, _ picker: String, _ value: String) throws {
    let reply = try daemon.client.request(
      "select", "{\"picker\":\"\(picker)\",\"value\":\(value)}")
    #expect(reply["error"] == nil, "\(reply)")
  }

  private func value(_ daemon: DaemonProcess, _ picker: String) throws -> JSONValue? {
    try daemon.client.request("get", "{\"picker\":\"\(picker)\"}")["result"]?["value"]
  }

  private func writes(_ daemon: DaemonProcess) throws -> Int64 {
    guard
      case .integer(let count)? = try daemon.client.request("stats")["result"]?["memory_writes"]
    else { return -1 }
    return count
  }

  @Test func `selections outlive a stop, on the value, at rest`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFolder("state")
    var daemon = try start(folder)
    try select(daemon, "ruler", "72.5")
    try select(daemon, "accent", "null")
    try select(daemon, "plain", "3")
    #expect(try daemon.stop() == .exited(0))
    #expect(SystemFiles.names(in: folder.path + "/state") == ["selections.json"])

    daemon = try start(folder)
    let state = try daemon.client.request("get", #"{"picker":"ruler"}"#)["result"]
    #expect(state?["value"] == .number(72.5) && state?["phase"] == .string("idle"))
    #expect(state?["live_index"] == .integer(145) && state?["revision"] == .integer(1))
    #expect(try value(daemon, "accent") == .null)
    #expect(try value(daemon, "plain") == .integer(1))
    #expect(!daemon.log.contains { $0.contains("warning") }, "\(daemon.log)")
    // Nothing has changed: nothing was written.
    #expect(try writes(daemon) == 0)
    #expect(try daemon.stop() == .exited(0))
  }

  @Test func `what the disk has outlives a crash, and is never half of anything`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFolder("state")
    var last: JSONValue?
    for round in 0..<6 {
      let daemon = try start(folder)
      if let last { #expect(try value(daemon, "ruler") == last, "round \(round)") }
      #expect(!daemon.log.contains { $0.contains("warning") }, "\(daemon.log)")
      let wanted = Int64(10 + round)
      try select(daemon, "ruler", "\(wanted)")
      try Waiting.until("the write") {
        folder.has("state/selections.json", "\"ruler\":\(wanted)\n")
      }
      last = .integer(wanted)
      // A write that the crash meets half done leaves the one before.
      try select(daemon, "accent", round % 2 == 0 ? "\"red\"" : "\"green\"")
      try daemon.kill()
    }
  }

  @Test func `many changes are few writes`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFolder("state")
    let daemon = try start(folder)
    let beganUs = EventLoop.clockUs()
    for step in 0..<300 { try select(daemon, "ruler", "\(step % 100)") }
    let seconds = (EventLoop.clockUs() - beganUs) / 1_000_000
    #expect(try writes(daemon) <= seconds + 2)
    #expect(try daemon.stop() == .exited(0))
    #expect(folder.has("state/selections.json", "\"ruler\":99"))
  }

  @Test func `nothing is written where no picker remembers`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFolder("state")
    let daemon = try start(folder, Self.configuration(remember: false))
    try select(daemon, "ruler", "1")
    #expect(try daemon.stop() == .exited(0))
    #expect(SystemFiles.names(in: folder.path + "/state") == [])
  }

  @Test(arguments: [
    "", "{\"detent_selections\":1,\"selections\":{\"ruler\":7", "\u{0}\u{0}\u{0}\u{0}", "[]",
  ])
  func `a broken file costs the memory, and is said once`(text: String) throws {
    let folder = try TemporaryFolder()
    try folder.makeFolder("state")
    try folder.write(text, to: "state/selections.json")
    let daemon = try start(folder)
    #expect(try value(daemon, "ruler") == .integer(50))
    try select(daemon, "ruler", "60")
    #expect(daemon.log.count { $0.contains("the selections of before are lost") } == 1)
    #expect(try daemon.stop() == .exited(0))
    let again = try start(folder)
    #expect(try value(again, "ruler") == .integer(60))
    #expect(!again.log.contains { $0.contains("lost") })
    #expect(try again.stop() == .exited(0))
  }

  @Test func `a value that is none any more costs that one, and is not told`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFolder("state")
    try folder.write(
      #"{"detent_selections":1,"selections":{"ruler":99.5,"accent":"red","nobody":1}}"#,
      to: "state/selections.json")
    let daemon = try start(
      folder, Self.configuration(values: "{ from = 0, through = 60, step = 1 }"))
    #expect(try value(daemon, "ruler") == .integer(50))
    #expect(try value(daemon, "accent") == .string("red"))
    let lines = daemon.log.filter { $0.contains("not among its values") }
    #expect(lines.count == 1 && lines.allSatisfy { !$0.contains("99") }, "\(daemon.log)")
    #expect(try daemon.stop() == .exited(0))
    // A picker that is not there now may come again.
    #expect(folder.has("state/selections.json", "\"nobody\":1"))
  }

  @Test func `a folder that is not there costs the memory, is said once with the cure`() throws {
    let folder = try TemporaryFolder()
    let daemon = try start(folder)
    try select(daemon, "ruler", "60")
    try Waiting.until("the warning; the log says \(daemon.log)") {
      daemon.log.contains { $0.contains("selections are not remembered") }
    }
    try select(daemon, "ruler", "61")
    #expect(try value(daemon, "ruler") == .integer(61))
    #expect(try daemon.stop() == .exited(0))
    let lines = daemon.log.filter { $0.contains("not remembered") }
    #expect(lines.count == 1 && lines[0].contains("--state DIR"), "\(daemon.log)")
  }

  @Test func `--state comes before the environment`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFolder("state")
    try folder.makeFolder("other")
    let daemon = try start(folder, arguments: ["--state", folder.path + "/other"])
    try select(daemon, "ruler", "60")
    #expect(try daemon.stop() == .exited(0))
    #expect(folder.has("other/selections.json", "\"ruler\":60"))
    #expect(SystemFiles.names(in: folder.path + "/state") == [])
  }

  @Test func `a picker that a client adds gets its selection back`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFolder("state")
    let size = """
      {"id":"size","type":"radial","region":{"x":0,"y":300,"width":200,"height":200},\
      "values":["S","M","L"],"selection":"S","remember":true}
      """
    let plain = Self.configuration(remember: false)
    var daemon = try start(folder, plain)
    _ = try daemon.client.request("add", size)
    try select(daemon, "size", "\"L\"")
    #expect(try daemon.stop() == .exited(0))
    daemon = try start(folder, plain)
    _ = try daemon.client.request("subscribe")
    let added = try daemon.client.request("add", size)
    #expect(added["result"]?["value"] == .string("L"))
    let change = try daemon.client.waitFor("selection")
    #expect(change["cause"] == .string("restore") && change["previous"] == .string("S"))
    // A reload, and a page that is turned, do the same.
    _ = try daemon.client.request("remove", #"{"picker":"size"}"#)
    _ = try daemon.client.request("replace", "{\"pickers\":[\(size)]}")
    #expect(try value(daemon, "size") == .string("L"))
    try select(daemon, "ruler", "33")
    try daemon.writeConfiguration(Self.configuration())
    #expect(try daemon.client.request("reload")["error"] == nil)
    #expect(try daemon.stop() == .exited(0))
    #expect(folder.has("state/selections.json", "\"ruler\":33"))
  }
}
