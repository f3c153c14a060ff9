// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Testing
import Wire

/// The package: what it puts where, whom it lets do what, and that nothing of it stays.
@Suite(.serialized, .enabled(if: Kiosk.package != nil, "\(Kiosk.needsPackage)"))
struct PackageTests {
  @Test func `it installs beside a plugged panel, and a touch is seen at once`() throws {
    try Kiosk.purge()
    let panel = try VirtualTouchscreen()
    try Kiosk.ensureInstalled()
    try Kiosk.waitForService()
    // The configuration as it is shipped.
    let client = try Kiosk.subscribe()
    try Kiosk.waitForDevice(panel.device.description.name, client)
    try panel.tap(x: 0.5 + 0.128, y: 0.5)
    let selection = try client.waitFor("selection")
    #expect(selection["picker"] == .string("demo") && selection["cause"] == .string("tap"))
  }

  @Test func `manual pages, completions and examples are where they are looked for`() throws {
    try Kiosk.ensureInstalled()
    for page in ["detentd", "detentctl", "detent.toml"] {
      #expect(try Kiosk.run("man", "--path", page).isSuccess, "\(page)")
    }
    for file in [
      "bash-completion/completions/detentctl", "zsh/vendor-completions/_detentctl",
      "fish/vendor_completions.d/detentctl.fish", "doc/detent/operations.md",
    ] {
      #expect(access("/usr/share/\(file)", R_OK) == 0, "\(file)")
    }
    for example in SystemFiles.names(in: "/usr/share/doc/detent/examples")
    where example.hasSuffix(".toml") {
      let path = "/usr/share/doc/detent/examples/\(example)"
      #expect(try Kiosk.run("detentd", "--check", path).isSuccess, "\(example)")
    }
  }

  @Test func `systemd and udev find nothing wrong with its units and rules`() throws {
    try Kiosk.ensureInstalled()
    let units = try Kiosk.run(
      "systemd-analyze", "verify", "--man=no", "detent.service", "detent.socket")
    #expect(units.isSuccess)
    #expect(!units.errors.contains { $0.contains("detent") }, "\(units.errors)")
    let panel = try VirtualTouchscreen()
    let rules = try Kiosk.run("udevadm", "test", "/sys/class/input/\(panel.node.dropFirst(11))")
    let complaints = rules.errors.filter {
      $0.contains("72-detent.rules:") && !$0.contains(" RUN '")
    }
    #expect(complaints.isEmpty, "\(complaints)")
    #expect(rules.output.contains { $0.contains("DETENT_TYPE=touch") }, "\(rules.output)")
    if try Kiosk.run("udevadm", "verify", "--help").isSuccess {
      #expect(try Kiosk.run("udevadm", "verify", "/usr/lib/udev/rules.d/72-detent.rules").isSuccess)
    }
  }

  @Test func `the sandbox is as tight as promised`() throws {
    try Kiosk.ensureInstalled()
    // In tenths.
    let security = try Kiosk.run(
      "systemd-analyze", "security", "--no-pager", "--threshold=13", "detent.service")
    #expect(security.isSuccess, "\(security.output.suffix(2))")
  }

  @Test func `the service gets touch devices, knobs and motors, and no keyboard`() throws {
    try Kiosk.prepare()
    let panel = try VirtualTouchscreen()
    let touchpad = try VirtualTouchpad()
    let pointer = try VirtualDevice(.absolutePointer())
    let knob = try VirtualDevice(.knob(relative: 7))
    let powerMate = try VirtualDevice(.powerMate())
    let motor = try VirtualMotor()
    let keyboard = try VirtualDevice(.keyboard())
    let mouse = try VirtualDevice(.mouse())
    for node in [
      panel.node, touchpad.device.node, pointer.node, knob.node, powerMate.node, motor.node,
    ] {
      #expect(try mayRead("detent", node), "\(node)")
      // Who may connect may not read panels, let alone write to them.
      #expect(try !mayRead("kiosk", node), "\(node)")
      let access = try Kiosk.run("getfacl", "--absolute-names", node).output
      #expect(access.contains("# group: input") && access.contains("group::rw-"), "\(access)")
    }
    for node in [keyboard.node, mouse.node] {
      #expect(try !mayRead("detent", node), "\(node)")
      #expect(
        try !Kiosk.run("getfacl", "--absolute-names", node).output.contains {
          $0.contains("detent")
        }
      )
    }
    let pid = try Kiosk.waitForService()
    let client = try Kiosk.subscribe()
    try Kiosk.waitForDevice(panel.device.description.name, client)
    try Kiosk.waitForDevice("rotary@0", client)
    var open: [String] = []
    for number in SystemFiles.names(in: "/proc/\(pid)/fd") {
      var target = [CChar](repeating: 0, count: 256)
      let count = readlink("/proc/\(pid)/fd/\(number)", &target, target.count - 1)
      if count > 0 {
        open.append(String(decoding: target[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self))
      }
    }
    #expect(open.contains(panel.node), "\(open)")
    #expect(!open.contains(keyboard.node) && !open.contains(mouse.node), "\(open)")
  }

  @Test func `a local rule gives a knob, or keeps a device away`() throws {
    try Kiosk.ensureInstalled()
    try write(
      """
      SUBSYSTEM=="input", KERNEL=="event*", ATTRS{name}=="Detent test mouse", ENV{DETENT_TYPE}="knob"
      SUBSYSTEM=="input", KERNEL=="event*", ATTRS{name}=="Somebody's panel", ENV{DETENT_TYPE}="none"

      """, to: "/etc/udev/rules.d/71-detent-local.rules")
    defer { unlink("/etc/udev/rules.d/71-detent-local.rules") }
    try Kiosk.run("udevadm", "control", "--reload").expectSuccess()
    let mouse = try VirtualDevice(.mouse())
    let panel = try VirtualTouchscreen(.touchscreen(name: "Somebody's panel"))
    #expect(try mayRead("detent", mouse.node))
    #expect(try !mayRead("detent", panel.node))
  }

  private func mayRead(_ user: String, _ node: String) throws -> Bool {
    try Kiosk.run(as: user, "test", "-r", node).isSuccess
  }

  private func write(_ text: String, to path: String) throws {
    let file = try #require(fopen(path, "w"))
    fputs(text, file)
    fclose(file)
  }
}
