// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import TestSupport
import Testing
import Wire

/// The service as systemd runs it: exactly the shipped units, sandbox and rules.
@Suite(.serialized, .enabled(if: Kiosk.package != nil, "\(Kiosk.needsPackage)"))
struct UnitTests {
  @Test func `the first panel starts it, and a user of its group sees a touch`() throws {
    try Kiosk.prepare()
    try Kiosk.run("systemctl", "stop", "detent.service").expectSuccess()
    let panel = try VirtualTouchscreen()
    try Kiosk.waitForService()
    let client = try Kiosk.subscribe()
    try Kiosk.waitForDevice(panel.device.description.name, client)
    let monitor = try Kiosk.start(as: "kiosk", ["detentctl", "monitor", "--titles"])
    // Until it has subscribed, it hears of no touch.
    try Waiting.until("the monitor to tell a selection", seconds: 60) {
      try panel.tap(x: 0.5 + 0.128, y: 0.5)
      return (try? monitor.waitForLine("a selection", seconds: 2) { !$0.isEmpty }) != nil
    }
    try client.request("list")
    let told = client.notifications("selection").compactMap { $0["title"] }
    #expect(told.first == .string("52"))
    #expect(monitor.outputLines.first.map { told.contains(.string($0)) } == true)
    monitor.signal(SIGTERM)
    let stranger = try Kiosk.run(as: "stranger", "detentctl", "list")
    #expect(stranger.ending == .exited(69))
    #expect(stranger.errors.joined().contains("may not connect"), "\(stranger.errors)")
  }

  @Test func `a motor is felt, and a panel and a knob that come later are used`() throws {
    try Kiosk.prepare()
    let client = try Kiosk.subscribe()
    let motor = try VirtualMotor()
    try Kiosk.waitForDevice("drv260x:haptics", client)
    for _ in 0..<2 {
      let panel = try VirtualTouchscreen()
      try Kiosk.waitForDevice(panel.device.description.name, client)
      try panel.drag(from: (0.7, 0.5), to: (0.5, 0.5), seconds: 0.5, holdSeconds: 0.3)
      _ = try client.waitFor("rest")
      panel.device.unplug()
      _ = try client.waitFor("device") { $0["change"] == .string("removed") }
    }
    // Ticks that are late on a busy machine are dropped, but not for ever.
    try Waiting.until("the motor to play") {
      if !motor.log.plays.isEmpty { return true }
      try client.request("play", #"{"cue":"medium"}"#)
      usleep(50_000)
      return false
    }
    let knob = try VirtualDevice(.knob(relative: 7))
    try Kiosk.waitForDevice("rotary@0", client)
    try knob.emit(UInt16(2), 7, 1)
    try knob.sync()
    _ = try client.waitFor("selection") { $0["cause"] == .string("knob") }
  }

  @Test
  func `systemctl reload applies a good configuration and names what is wrong with a bad one`()
    throws
  {
    try Kiosk.prepare()
    let pid = try Kiosk.waitForService()
    let client = try Kiosk.subscribe()
    try Kiosk.writeConfiguration("nonsense = 1\n")
    #expect(try !Kiosk.run("systemctl", "reload", "detent.service").isSuccess)
    let log = try Kiosk.journal()
    #expect(log.contains { $0.contains("nonsense: unknown key") }, "\(log)")
    #expect(try Kiosk.property("ActiveState") == "active")
    try Kiosk.writeConfiguration(Kiosk.configuration(picker: "other"))
    try Kiosk.run("systemctl", "reload", "detent.service").expectSuccess()
    _ = try client.waitFor("picker") { $0["state"]?["picker"] == .string("other") }
    #expect(try Kiosk.servicePID() == pid)
  }

  @Test func `it knows who its clients are`() throws {
    let rule = "[daemon]\nallow_control = [\"keeper\"]"
    try Kiosk.prepare(configuration: Kiosk.configuration(extra: rule))
    let kiosk = try Kiosk.run(as: "kiosk", "detentctl", "select", "ruler", "7")
    #expect(kiosk.ending == .exited(1), "\(kiosk.errors)")
    #expect(try Kiosk.run(as: "kiosk", "detentctl", "get", "ruler").output == ["50"])
    let keeper = try Kiosk.run(as: "keeper", "detentctl", "select", "ruler", "7")
    #expect(keeper.isSuccess, "\(keeper.errors)")
    #expect(try Kiosk.run(as: "kiosk", "detentctl", "get", "ruler").output == ["7"])
  }

  @Test func `a client starts it through the socket`() throws {
    try Kiosk.prepare()
    try Kiosk.run("systemctl", "stop", "detent.service").expectSuccess()
    #expect(try Kiosk.property("ActiveState", of: "detent.socket") == "active")
    var status = stat()
    #expect(stat(Kiosk.socket, &status) == 0 && status.st_mode & 0o777 == 0o660)
    #expect(Accounts.groupName(status.st_gid) == "detent")
    #expect(try Kiosk.run(as: "kiosk", "detentctl", "list").isSuccess)
    #expect(try Kiosk.property("ActiveState") == "active")
  }

  @Test func `when it hangs, the watchdog has it started anew`() throws {
    try Kiosk.prepare()
    let pid = try Kiosk.waitForService()
    kill(pid, SIGSTOP)
    let next = try Kiosk.waitForService(otherThan: pid, seconds: 60)
    #expect(next != pid)
    #expect(try Kiosk.run(as: "kiosk", "detentctl", "list").isSuccess)
    let log = try Kiosk.journal()
    #expect(log.contains { $0.contains("result 'watchdog'") }, "\(log)")
  }

  @Test func `when it crashes it comes back, and who connects meanwhile waits for it`() throws {
    try Kiosk.prepare()
    let pid = try Kiosk.waitForService()
    kill(pid, SIGSEGV)
    // The socket stays: this one is answered by the next process.
    let client = try LineConnection(path: Kiosk.socket)
    _ = try client.waitFor("hello", seconds: 30)
    #expect(try Kiosk.waitForService(otherThan: pid) != pid)
    #expect(try Kiosk.property("NRestarts") == "1")
    #expect(try Kiosk.journal().contains { $0.contains("status=11/SEGV") })
  }

  @Test func `a node that its device policy forbids is an error with the cure`() throws {
    try Kiosk.ensureInstalled()
    let panel = try VirtualTouchscreen()
    try Kiosk.whileChanged("[Service]\nDeviceAllow=\n") {
      try Kiosk.prepare()
      try Waiting.until("an error with the cure") {
        try Kiosk.journal("--priority=err").contains {
          $0.contains(panel.device.description.name) && $0.contains("DeviceAllow=char-input rw")
        }
      }
    }
  }

  @Test func `it stops within a second, and says good-bye`() throws {
    let motor = try VirtualMotor()
    let panel = try VirtualTouchscreen()
    var shortestUs = Int64.max
    // A machine that is busy otherwise may need another try.
    for _ in 0..<3 where shortestUs >= 1_000_000 {
      try Kiosk.prepare()
      let client = try Kiosk.subscribe()
      try Kiosk.waitForDevice("drv260x:haptics", client)
      try panel.down(x: 0.3, y: 0.5)
      try panel.frame()
      let beganUs = EventLoop.clockUs()
      try Kiosk.run("systemctl", "stop", "detent.service").expectSuccess()
      let endedUs = Int64(try Kiosk.property("ExecMainExitTimestampMonotonic")) ?? .max
      shortestUs = min(shortestUs, endedUs - beganUs)
      #expect(try client.waitFor("bye")["reason"] == .string("shutdown"))
      #expect(try Kiosk.property("Result") == "success")
      #expect(try Kiosk.property("ExecMainStatus") == "0")
      try panel.up()
      try panel.frame()
    }
    #expect(shortestUs < 1_000_000)
    withExtendedLifetime(motor) {}
  }

  @Test func `it hears of sleep, and works after it`() throws {
    try Kiosk.ensureInstalled()
    // The way to sleep and back, but for the sleep itself.
    try Kiosk.whileChanged(
      "[Service]\nExecStart=\nExecStart=/bin/true\n", of: "systemd-suspend.service"
    ) {
      try Kiosk.prepare()
      let panel = try VirtualTouchscreen()
      let client = try Kiosk.subscribe()
      try Kiosk.waitForDevice(panel.device.description.name, client)
      // logind waits for it, which polkit allows to its user.
      try Waiting.until("logind to know of it") {
        try Kiosk.run("systemd-inhibit", "--list", "--no-pager").output.contains {
          $0.contains("Detent") && $0.contains("delay")
        }
      }
      try Kiosk.run("systemctl", "suspend").expectSuccess()
      try Waiting.until("the service to have slept") {
        try client.request("stats")["result"]?["sleeps"] == .integer(1)
      }
      try Waiting.until("the service to be awake") {
        try Kiosk.journal().contains { $0.contains("awake: devices") }
      }
      try Kiosk.waitForDevice(panel.device.description.name, client)
      try panel.tap(x: 0.5 + 0.128, y: 0.5)
      _ = try client.waitFor("selection")
    }
  }

  @Test func `where nobody may tell logind to wait it says what to install`() throws {
    try Kiosk.ensureInstalled()
    // As where it is not installed.
    let file = "/usr/share/dbus-1/system-services/org.freedesktop.PolicyKit1.service"
    try #require(rename(file, file + ".off") == 0)
    defer { rename(file + ".off", file) }
    try Kiosk.run("systemctl", "stop", "polkit.service").expectSuccess()
    try Kiosk.run("systemctl", "reload", "dbus.service").expectSuccess()
    try Kiosk.prepare()
    try Waiting.until("a line about polkitd") {
      try Kiosk.journal().contains { $0.contains("polkitd") }
    }
  }

  @Test func `it works where nothing can be written`() throws {
    try Kiosk.prepare()
    try Kiosk.run("systemctl", "stop", "detent.service").expectSuccess()
    try Kiosk.run("mount", "--bind", "/var/lib/detent", "/var/lib/detent").expectSuccess()
    defer { _ = try? Kiosk.run("umount", "/var/lib/detent") }
    try Kiosk.run("mount", "-o", "remount,bind,ro", "/var/lib/detent").expectSuccess()
    #expect(try Kiosk.run(as: "kiosk", "detentctl", "list").isSuccess)
    try Kiosk.run("systemctl", "stop", "detent.service").expectSuccess()
  }
}
