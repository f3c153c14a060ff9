// SPDX-License-Identifier: Apache-2.0

import Glibc
import Haptics
import LinuxIO
import TestSupport
import Testing
import Wire

/// What the daemon does when the machine sleeps and wakes up, told over a real bus, on kernel devices.
@Suite(
  .serialized, .enabled(if: InputNodes.canUseUinput, "\(InputNodes.needsUinput)"),
  .enabled(if: DaemonProcess.isBuilt, "\(DaemonProcess.needsBinary)"),
  .enabled(if: SystemBus.isInstalled, "\(SystemBus.needsDaemon)"))
struct SleepTests {
  private static let configuration = """
    [haptics]
    device = { name = "drv260x:haptics" }
    motor = "on_off"
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

  private func start(_ bus: SystemBus) throws -> DaemonProcess {
    let daemon = try DaemonProcess(
      configuration: Self.configuration, environment: bus.environment)
    _ = try daemon.client.request("subscribe")
    return daemon
  }

  private func plays(_ daemon: DaemonProcess) throws -> Bool {
    try daemon.client.request("play", #"{"cue":"heavy"}"#)["result"]?["played"] == .bool(true)
  }

  @Test func `the sleep is held up until the motors are stopped and closed`() throws {
    let bus = try SystemBus()
    let logind = try LoginManager(on: bus)
    // Another program's upload keeps ours from the node for a while: that is when the machine begins to sleep.
    let motor = try VirtualMotor.make(name: "drv260x:haptics", slots: 12) {
      $0.lengthMS == 999 ? .acceptAfter(milliseconds: 250) : .accept
    }
    defer { motor.unplug() }
    let panel = try VirtualTouchscreen()
    let daemon = try start(bus)
    try logind.waitUntil(held: 1)
    #expect(
      logind.inhibitions == [
        LoginManager.Inhibition(
          what: "sleep", who: "Detent", why: "stops motors, closes devices", mode: "delay")
      ])
    try Waiting.until("the motor") { try plays(daemon) }
    let effects = Set(motor.log.uploads.map(\.slot)).count

    try panel.down(x: 0.8, y: 0.5)
    try panel.frame()
    for step in 1...10 {
      try panel.move(x: 0.8 - Double(step) * 0.02, y: 0.5)
      try panel.frame()
    }
    _ = try daemon.client.waitFor("selection")
    motor.log.clear()
    let node = motor.node
    let holder = try BackgroundThread {
      guard let other = try? ForceFeedbackDevice(opening: node) else { return }
      _ = try? other.upload(MotorEffect(.rumble(strong: 1, weak: 1), lengthMS: 999))
    }
    try Waiting.until("the other's upload") { !motor.log.entries.isEmpty }
    try logind.prepareForSleep(true)
    try logind.waitUntil(held: 0)
    let entries = motor.log.entries
    holder.join()
    // The other's own effect is one more.
    let erased = entries.count { $0.kind == .erase }
    #expect(erased >= effects, "\(entries)")

    let cancelled = try daemon.client.waitFor("selection") { $0["cause"] == .string("cancel") }
    #expect(cancelled["value"] == .integer(50))
    _ = try daemon.client.waitFor("device") {
      $0["change"] == .string("removed") && $0["device"]?["kind"] == .string("touchscreen")
    }
    #expect(try !plays(daemon))
    // Lifted while nobody looks.
    try panel.up()
    try panel.frame()

    try logind.prepareForSleep(false)
    try logind.waitUntil(held: 1)
    _ = try daemon.client.waitFor("device") {
      $0["change"] == .string("added") && $0["device"]?["kind"] == .string("touchscreen")
    }
    try Waiting.until("the motor") { try plays(daemon) }
    // What the cancel began may not have come to rest yet; a tap then would only catch it.
    try Waiting.until("the ruler to rest") {
      let state = try daemon.client.request("get", #"{"picker":"ruler"}"#)["result"]
      return state?["phase"] == .string("idle")
    }
    try panel.tap(x: 0.5 + 0.128, y: 0.5)
    let tapped = try daemon.client.waitFor("selection") { $0["cause"] == .string("tap") }
    #expect(tapped["value"] == .integer(52))
    #expect(try daemon.client.request("stats")["result"]?["sleeps"] == .integer(1))
    #expect(try daemon.stop() == .exited(0))
    #expect(logind.held == 0)
  }

  @Test func `a driver that does not answer holds the sleep up for two seconds`() throws {
    let bus = try SystemBus()
    let logind = try LoginManager(on: bus)
    let motor = try VirtualMotor.make(name: "drv260x:haptics") { _ in .silence }
    defer { motor.unplug() }
    let daemon = try start(bus)
    try logind.waitUntil(held: 1)
    try Waiting.until("the probe") { motor.log.entries.contains { $0.kind != .gain(0xFFFF) } }
    let beganUs = EventLoop.clockUs()
    try logind.prepareForSleep(true)
    // logind itself would wait for 5 s; the motor's driver takes 30.
    try logind.waitUntil(held: 0, seconds: 4.5)
    #expect(EventLoop.clockUs() - beganUs >= Haptics.suspendPatienceUs)
    try logind.prepareForSleep(false)
    try logind.waitUntil(held: 1)
    // The kernel lets no process end that waits for the driver.
    motor.unplug()
    #expect(try daemon.stop() == .exited(0))
  }

  @Test func `short sleeps, one after another, each find an inhibitor`() throws {
    let bus = try SystemBus()
    let logind = try LoginManager(on: bus)
    let panel = try VirtualTouchscreen()
    let daemon = try start(bus)
    for _ in 0..<5 {
      try logind.waitUntil(held: 1)
      try logind.prepareForSleep(true)
      try logind.prepareForSleep(false)
    }
    try logind.waitUntil(held: 1)
    // What is told twice, and an end without a beginning, changes nothing.
    try logind.prepareForSleep(false)
    try logind.prepareForSleep(true)
    try logind.prepareForSleep(true)
    try logind.waitUntil(held: 0)
    try logind.prepareForSleep(false)
    try logind.waitUntil(held: 1)
    try Waiting.until("the panel") {
      try daemon.client.request("devices")["result"] != .array([])
    }
    try panel.tap(x: 0.5 + 0.128, y: 0.5)
    _ = try daemon.client.waitFor("selection") { $0["cause"] == .string("tap") }
    #expect(try daemon.client.request("stats")["result"]?["sleeps"] == .integer(6))
    #expect(try daemon.stop() == .exited(0))
  }
}
