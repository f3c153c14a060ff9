// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import TestSupport
import Testing
import Wire

/// The whole way, with nothing simulated between the kernel and the client: a finger on a kernel touchscreen, the
/// daemon, a process on the socket, a motor.
@Suite(
  .serialized, .enabled(if: InputNodes.canUseUinput, "\(InputNodes.needsUinput)"),
  .enabled(if: DaemonProcess.isBuilt, "\(DaemonProcess.needsBinary)"))
struct ServiceTests {
  // A seat of their own: other tests may run beside these, and their panels and motors are not of this matter.
  private static let seat = UdevRule.isPossible ? "seat-service" : "seat0"
  private let rule: UdevRule?

  init() throws {
    rule =
      UdevRule.isPossible
      ? try UdevRule(
        #"SUBSYSTEM=="input", ATTRS{name}=="Detent service *", ENV{ID_SEAT}="\#(Self.seat)""#)
      : nil
  }

  private static let configuration = """
    [daemon]
    seat = "\(seat)"
    [gesture]
    velocity = "swiftui"
    [haptics]
    device = { name = "Detent service motor" }
    [[display]]
    id = "main"
    width = 1000
    height = 1000
    [[picker]]
    id = "ruler"
    type = "ruler"
    region = { x = 0, y = 0, width = 1000, height = 1000 }
    values = { from = 0, through = 100, step = 1 }
    selection = 50
    """

  private struct Selection {
    var value: Int64
    var cause: String
    var timeUs: Int64

    init?(_ params: JSONValue) {
      guard case .integer(let value)? = params["value"], case .string(let cause)? = params["cause"],
        case .integer(let timeUs)? = params["time_us"]
      else { return nil }
      self.value = value
      self.cause = cause
      self.timeUs = timeUs
    }
  }

  private func start() throws -> DaemonProcess {
    let daemon = try DaemonProcess(configuration: Self.configuration)
    _ = try daemon.client.request("subscribe")
    return daemon
  }

  /// A node that comes just as the service starts is in its snapshot, or told later.
  private func use(_ panel: VirtualTouchscreen, _ daemon: DaemonProcess) throws {
    try Waiting.until("\(panel.node) in use") {
      "\(try daemon.client.request("devices"))".contains("\"\(panel.node)\"")
    }
  }

  private func waitForPanel(_ daemon: DaemonProcess) throws {
    _ = try daemon.client.waitFor("device", seconds: 20) {
      $0["change"] == .string("added") && $0["device"]?["kind"] == .string("touchscreen")
    }
  }

  /// The motor is probed on a thread of its own, before or after somebody subscribes.
  private func waitForMotor(_ daemon: DaemonProcess) throws {
    for _ in 0..<100 {
      let reply = try daemon.client.request("devices")
      if case .array(let devices)? = reply["result"],
        devices.contains(where: { $0["state"] == .string("ready") })
      {
        return
      }
      usleep(100_000)
    }
    Issue.record("the motor was not ready within 10 s")
  }

  private func selections(_ daemon: DaemonProcess) -> [Selection] {
    daemon.client.notifications("selection").compactMap { Selection($0) }
  }

  @Test func `a drag with a rest before the lift selects what the formula gives, and is felt`()
    throws
  {
    let motor = try VirtualMotor(.vibrator(name: "Detent service motor"))
    let panel = try VirtualTouchscreen(.touchscreen(name: "Detent service panel"))
    let daemon = try start()
    try use(panel, daemon)
    try waitForMotor(daemon)
    let uploads = motor.log.uploads.count
    #expect(uploads > 0 && uploads <= 16)
    let beganUs = EventLoop.clockUs()
    // 200 of 1000 points to the left, with 64 points a value: 3.125 values up.
    try panel.drag(from: (0.7, 0.5), to: (0.5, 0.5), seconds: 0.6, holdSeconds: 0.5)
    let settle = try daemon.client.waitFor("settle")
    let rest = try daemon.client.waitFor("rest")
    let endedUs = EventLoop.clockUs()
    #expect(settle["value"] == .integer(53) && settle["velocity"] == .integer(0))
    #expect(rest["index"] == .integer(53))
    let selections = selections(daemon)
    #expect(selections.map(\.value) == selections.map(\.value).sorted())
    #expect(selections.last?.value == 53)
    #expect(selections.allSatisfy { $0.cause == "drag" })
    #expect(selections.map(\.timeUs) == selections.map(\.timeUs).sorted())
    #expect(selections.allSatisfy { (beganUs...endedUs).contains($0.timeUs) })
    let ticks = daemon.client.notifications("tick").count
    let played = daemon.client.notifications("haptic").count { $0["played"] == .bool(true) }
    #expect(ticks == selections.count)
    try daemon.client.receive(milliseconds: 200)
    let plays = motor.log.plays
    // What was handed over and then waited too long for a slow machine is dropped by the motor's thread.
    #expect(plays.count <= played, "\(plays.count) plays, \(played) handed over")
    // On a machine that is too busy all of them may be late, and late ones are dropped; not for ever, though.
    try Waiting.until("the motor to be felt") {
      if !motor.log.plays.isEmpty { return true }
      try daemon.client.request("play", #"{"cue":"medium"}"#)
      usleep(50_000)
      return false
    }
    // Uploaded once: nothing more came while it played.
    #expect(motor.log.uploads.count == uploads)
    let gaps = zip(plays, plays.dropFirst()).map { $1.timeUs - $0.timeUs }
    #expect(gaps.allSatisfy { $0 >= 25_000 }, "\(gaps)")
    #expect(try daemon.stop() == .exited(0))
  }

  @Test func `a flick selects a value at or beyond the live one, in its direction`() throws {
    let panel = try VirtualTouchscreen(.touchscreen(name: "Detent service panel"))
    let daemon = try start()
    try use(panel, daemon)
    var (before, ticksBefore) = (0, 0)
    // On a machine that is too busy the finger may rest before it lifts, and needs another try.
    for _ in 0..<10 {
      before = self.selections(daemon).count
      ticksBefore = daemon.client.notifications("tick").count
      let startUs = EventLoop.clockUs()
      try panel.drag(from: (0.8, 0.5), to: (0.5, 0.5), seconds: 0.15)
      let isFlick = EventLoop.clockUs() - startUs < 180_000
      _ = try daemon.client.waitFor("rest")
      if isFlick { break }
      try daemon.client.request("select", #"{"picker":"ruler","value":50}"#)
      _ = try daemon.client.waitFor("rest")
    }
    let selections = selections(daemon).dropFirst(before)
    let dragged = selections.last { $0.cause == "drag" }?.value ?? 50
    let released = selections.last?.value ?? 0
    #expect(released >= dragged && dragged > 50, "\(dragged), then \(released)")
    #expect(selections.last?.cause == "release")
    // Ticks come one by one up to the target.
    let ticks = daemon.client.notifications("tick").dropFirst(ticksBefore).compactMap {
      tick -> Int64? in
      if case .integer(let index)? = tick["index"] { index } else { nil }
    }
    #expect(ticks.last == released)
    #expect(ticks == ticks.sorted())
    #expect(try daemon.stop() == .exited(0))
  }

  @Test func `what libinput says for debugging is logged where that is asked for`() throws {
    let pad = try VirtualTouchpad(.touchpad(name: "Detent service pad"))
    let daemon = try DaemonProcess(
      configuration: Self.configuration, arguments: ["--verbose"])
    _ = try daemon.client.request("subscribe")
    try Waiting.until("\(pad.node) in use") {
      "\(try daemon.client.request("devices"))".contains("\"\(pad.node)\"")
    }
    // What it takes a finger for, it says at no other level.
    try Waiting.until("libinput to speak of a tap; the log is \(daemon.log)") {
      try pad.tap()
      return daemon.log.contains { $0.contains("debug: libinput: ") && $0.contains("tap state") }
    }
    #expect(try daemon.stop() == .exited(0))
  }

  @Test func `unplugging in mid-drag cancels it`() throws {
    let panel = try VirtualTouchscreen(.touchscreen(name: "Detent service panel"))
    let daemon = try start()
    try use(panel, daemon)
    try panel.down(x: 0.8, y: 0.5)
    try panel.frame()
    for step in 1...20 {
      try panel.move(x: 0.8 - Double(step) * 0.01, y: 0.5)
      try panel.frame()
      usleep(10_000)
    }
    _ = try daemon.client.waitFor("selection")
    panel.device.unplug()
    let cancelled = try daemon.client.waitFor("selection") { $0["cause"] == .string("cancel") }
    #expect(cancelled["value"] == .integer(50))
    _ = try daemon.client.waitFor("device") { $0["change"] == .string("removed") }
    let state = try daemon.client.request("get", #"{"picker":"ruler"}"#)
    #expect(state["result"]?["value"] == .integer(50))
    #expect(state["result"]?["phase"] != .string("drag"))
    #expect(try daemon.stop() == .exited(0))
  }

  @Test func `a panel that comes after the start does all the same`() throws {
    let daemon = try start()
    for _ in 0..<2 {
      let panel = try VirtualTouchscreen(.touchscreen(name: "Detent service panel"))
      try waitForPanel(daemon)
      try panel.tap(x: 0.5 + 0.128, y: 0.5)
      let tapped = try daemon.client.waitFor("selection")
      #expect(tapped["cause"] == .string("tap"))
      _ = try daemon.client.waitFor("rest")
      panel.device.unplug()
      _ = try daemon.client.waitFor("device") { $0["change"] == .string("removed") }
    }
    let state = try daemon.client.request("get", #"{"picker":"ruler"}"#)
    #expect(state["result"]?["value"] == .integer(54))
    #expect(try daemon.stop() == .exited(0))
  }

  @Test func `a keyboard is never opened`() throws {
    let keyboard = try VirtualDevice(.keyboard(name: "Detent service keyboard"))
    let daemon = try start()
    try daemon.client.receive(milliseconds: 500)
    var open: [String] = []
    for number in 0..<256 {
      var target = [CChar](repeating: 0, count: 256)
      let count = readlink("/proc/\(daemon.pid)/fd/\(number)", &target, target.count - 1)
      if count > 0 {
        open.append(String(decoding: target[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self))
      }
    }
    #expect(!open.isEmpty && !open.contains(keyboard.node), "\(open)")
    #expect(try daemon.stop() == .exited(0))
  }

  @Test func `a broken configuration leaves the running one in force, a good one applies`() throws {
    let daemon = try start()
    try daemon.writeConfiguration(Self.configuration + "\nnonsense = 1\n")
    let refused = try daemon.client.request("reload")
    #expect(refused["error"]?["code"] == .integer(-32602))
    #expect(try daemon.client.request("list")["result"] != nil)
    try daemon.writeConfiguration(
      Self.configuration.replacing("id = \"ruler\"", with: "id = \"other\""))
    daemon.signal(SIGHUP)
    let added = try daemon.client.waitFor("picker") { $0["change"] == .string("added") }
    #expect(added["state"]?["picker"] == .string("other"))
    #expect(try daemon.stop() == .exited(0))
  }
}
