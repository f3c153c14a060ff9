// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import LinuxIO
import TestSupport
import Testing
import Wire

/// Knobs on the kernel's own, the daemon, and what a client hears.
@Suite(
  .serialized, .enabled(if: InputNodes.canUseUinput, "\(InputNodes.needsUinput)"),
  .enabled(if: DaemonProcess.isBuilt, "\(DaemonProcess.needsBinary)"))
struct ServiceKnobTests {
  private static let configuration = """
    [[display]]
    id = "main"
    width = 1000
    height = 1000
    [[knob]]
    device = { name = "Detent service rotary" }
    [[knob]]
    device = { name = "Detent service PowerMate" }
    picker = "second"
    counts_per_step = 2
    reverse = true
    press = "next"
    [[picker]]
    id = "first"
    type = "ruler"
    region = { x = 0, y = 0, width = 1000, height = 500 }
    values = { from = 0, through = 1000, step = 1 }
    selection = 500
    [[picker]]
    id = "second"
    type = "radial"
    region = { x = 0, y = 500, width = 500, height = 500 }
    values = { from = 0, through = 11, step = 1 }
    """

  private func start(knobs: Int) throws -> DaemonProcess {
    let daemon = try DaemonProcess(configuration: Self.configuration)
    let reply = try daemon.client.request("subscribe")
    guard case .array(let devices)? = reply["result"]?["devices"] else {
      throw TestFailure("no devices in \(reply)")
    }
    var known = devices.count { $0["kind"] == .string("knob") }
    while known < knobs {
      _ = try daemon.client.waitFor("device", seconds: 20) {
        $0["change"] == .string("added") && $0["device"]?["kind"] == .string("knob")
      }
      known += 1
    }
    return daemon
  }

  private func turn(_ knob: VirtualDevice, _ code: Int32, by count: Int32) throws {
    try knob.emit(EV_REL, code, count)
    try knob.sync()
  }

  private func index(_ picker: String, _ daemon: DaemonProcess) throws -> JSONValue? {
    try daemon.client.request("get", #"{"picker":"\#(picker)"}"#)["result"]?["index"]
  }

  @Test func `one detent is one value, none lost and none invented`() throws {
    let knob = try VirtualDevice(.knob(name: "Detent service rotary", relative: REL_X))
    let daemon = try start(knobs: 1)
    let ways = [Int32](repeating: 1, count: 200) + [Int32](repeating: -1, count: 50)
    let startUs = EventLoop.clockUs()
    for (step, way) in ways.enumerated() {
      try turn(knob, REL_X, by: way)
      // 200 in a second, but not ahead of a machine that is too busy: what is stale would be dropped.
      while EventLoop.clockUs() < startUs + Int64(step) * 5000 { usleep(500) }
      try Waiting.until("the daemon to follow", seconds: 10) {
        try daemon.client.receive(milliseconds: 1)
        return daemon.client.notifications("selection").count + 4 >= step
      }
    }
    _ = try daemon.client.waitFor("selection") {
      $0["index"] == .integer(650) && $0["revision"] == .integer(250)
    }
    let selections = daemon.client.notifications("selection")
    let indices = selections.compactMap { $0["index"] }
    #expect(indices == ((501...700).map { $0 } + (650...699).reversed()).map { .integer($0) })
    #expect(
      selections.allSatisfy { $0["cause"] == .string("knob") && $0["picker"] == .string("first") })
  }

  @Test func `a knob of a picker's own turns that one, and its button moves the focus`() throws {
    let knob = try VirtualDevice(.powerMate(name: "Detent service PowerMate"))
    let daemon = try start(knobs: 1)
    for _ in 0..<6 { try turn(knob, REL_DIAL, by: -1) }
    let last = try daemon.client.waitFor("selection") { $0["index"] == .integer(3) }
    #expect(last["picker"] == .string("second") && last["cause"] == .string("knob"))
    try knob.emit(EV_KEY, BTN_0, 1)
    try knob.sync()
    try knob.emit(EV_KEY, BTN_0, 0)
    try knob.sync()
    let focus = try daemon.client.waitFor("focus")
    #expect(focus["picker"] == .string("second"))
  }

  @Test func `turns while inhibited are dropped, and turns after it count`() throws {
    let knob = try VirtualDevice(.knob(name: "Detent service rotary", relative: REL_DIAL))
    let daemon = try start(knobs: 1)
    _ = try daemon.client.request("inhibit", #"{"on":true}"#)
    for _ in 0..<20 { try turn(knob, REL_DIAL, by: 1) }
    // The daemon has read them once it has read what was sent after them.
    let other = try VirtualDevice(.knob(name: "Detent service PowerMate", relative: REL_DIAL))
    _ = try daemon.client.waitFor("device", seconds: 20) { $0["change"] == .string("added") }
    #expect(try index("first", daemon) == .integer(500))
    _ = try daemon.client.request("inhibit", #"{"on":false}"#)
    try turn(knob, REL_DIAL, by: 1)
    let first = try daemon.client.waitFor("selection")
    #expect(first["index"] == .integer(501) && first["revision"] == .integer(1))
    withExtendedLifetime(other) {}
  }

  @Test func `a knob that is unplugged and plugged in turns on where it was`() throws {
    var knob: VirtualDevice? = try VirtualDevice(
      .knob(name: "Detent service rotary", relative: REL_WHEEL))
    let daemon = try start(knobs: 1)
    if let knob { try turn(knob, REL_WHEEL, by: 1) }
    _ = try daemon.client.waitFor("selection") { $0["index"] == .integer(501) }
    knob = nil
    _ = try daemon.client.waitFor("device", seconds: 20) { $0["change"] == .string("removed") }
    let again = try VirtualDevice(.knob(name: "Detent service rotary", relative: REL_WHEEL))
    _ = try daemon.client.waitFor("device", seconds: 20) { $0["change"] == .string("added") }
    try turn(again, REL_WHEEL, by: 1)
    _ = try daemon.client.waitFor("selection") { $0["index"] == .integer(502) }
  }
}
