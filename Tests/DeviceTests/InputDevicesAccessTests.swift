// SPDX-License-Identifier: Apache-2.0

import CLinux
import Gestures
import Glibc
import InputDevices
import LinuxIO
import TestSupport
import Testing

/// What is opened, what is not, and whose it is.
@Suite(.serialized, .enabled(if: InputNodes.canUseUinput, "\(InputNodes.needsUinput)"))
struct InputDevicesAccessTests {
  @Test func `a keyboard is refused before it is opened, and told once`() throws {
    let keyboard = try VirtualDevice(.keyboard())
    let bench = try InputDevicesBench()
    try bench.run(until: "refusal") { bench.told[keyboard.node] != nil }
    #expect(OpenNodes.descriptors(of: keyboard.node).isEmpty)
    try keyboard.emit(EV_KEY, KEY_A, 1)
    try keyboard.sync()
    bench.inputs?.suspend()
    bench.inputs?.resume()
    let told = try bench.take(keyboard.node)
    #expect(told == [.refused("a keyboard; keyboards are never opened")])
  }

  @Test func `a mouse is refused and says why`() throws {
    let mouse = try VirtualDevice(.mouse())
    let bench = try InputDevicesBench()
    try bench.run(until: "refusal") { bench.told[mouse.node] != nil }
    #expect(OpenNodes.descriptors(of: mouse.node).isEmpty)
    #expect(
      bench.told[mouse.node] == [.refused("a relative mouse has no place on a display")])
  }

  @Test func `where a panel has keys, typing never reaches this process`() throws {
    var both = DeviceDescription.touchscreen(name: "Detent test panel with keys")
    both.codes[UInt16(EV_KEY), default: []].formUnion(UInt16(KEY_ESC)...UInt16(KEY_KPDOT))
    let panel = try VirtualTouchscreen(both)
    let bench = try InputDevicesBench()
    try bench.use(panel.node)
    let numbers = OpenNodes.descriptors(of: panel.node)
    #expect(!numbers.isEmpty)
    for number in numbers {
      var mask = [UInt8](repeating: 0, count: Int(KEY_CNT) / 8)
      #expect(detent_evdev_get_mask(number, UInt32(EV_KEY), &mask, mask.count) >= 0)
      #expect(mask.prefix(Int(BTN_MISC) / 8).allSatisfy { $0 == 0 })
      #expect(mask[Int(BTN_TOUCH) / 8] & (1 << UInt8(Int(BTN_TOUCH) % 8)) != 0)
    }
    try panel.device.emit(EV_KEY, KEY_A, 1)
    try panel.frame()
    try panel.device.emit(EV_KEY, KEY_A, 0)
    try panel.frame()
    try panel.tap(x: 0, y: 0)
    #expect(try bench.takeEvents(panel.node) == [.down(slot: 0, x: 0, y: 0), .up(slot: 0)])
  }

  @Test(arguments: [true, false])
  func `of two nodes of one panel the touches win`(touchFirst: Bool) throws {
    let descriptions = DeviceDescription.twins()
    let bench = try InputDevicesBench()
    let touch: VirtualTouchscreen
    let pointer: VirtualTouchscreen
    if touchFirst {
      touch = try VirtualTouchscreen(descriptions.touch)
      try bench.use(touch.node)
      pointer = try VirtualTouchscreen(descriptions.pointer)
    } else {
      pointer = try VirtualTouchscreen(descriptions.pointer)
      try bench.use(pointer.node)
      try pointer.down(x: 0.5, y: 0.5)
      try pointer.frame()
      try bench.run(until: "the down") { !(bench.told[pointer.node] ?? []).isEmpty }
      touch = try VirtualTouchscreen(descriptions.touch)
      try bench.use(touch.node)
    }
    try bench.run(until: "refusal") {
      bench.told[pointer.node]?.contains { if case .refused = $0 { true } else { false } } ?? false
    }
    let told = try bench.take(pointer.node)
    if !touchFirst {
      // The finger that was down on the pointer is void.
      #expect(told.dropFirst().prefix(2) == [.event(.cancel(slot: 0)), .removed])
    }
    #expect(
      told.last == .refused("the same panel as \(touch.node), which reports touches"))
    if !touchFirst {
      try pointer.up()
      try pointer.frame()
    }
    try pointer.tap(x: 0.25, y: 0.25)
    try touch.tap(x: 0, y: 0)
    #expect(try bench.takeEvents(touch.node) == [.down(slot: 0, x: 0, y: 0), .up(slot: 0)])
    #expect(try bench.takeEvents(pointer.node).isEmpty)
    // When the touch node goes and the other stays, that is the panel.
    touch.device.unplug()
    try bench.use(pointer.node)
    try pointer.tap(x: 0.25, y: 0.5)
    #expect(try bench.takeEvents(pointer.node).count == 2)
  }

  @Test func `two panels of one make are two`() throws {
    let first = try VirtualTouchscreen(.touchscreen(phys: "usb-0000:00:14.0-1/input0"))
    let second = try VirtualTouchscreen(
      .absolutePointer(name: "Detent test touchscreen", phys: "usb-0000:00:14.0-2/input0"))
    let bench = try InputDevicesBench()
    try bench.use(first.node)
    try bench.use(second.node)
    #expect(
      bench.inputs?.devices.filter { [first.node, second.node].contains($0.node) }.count == 2)
  }

  @Test(.enabled(if: UdevRule.isPossible, "needs root and udev"))
  func `the calibration matrix counts, and a changed one too`() throws {
    let name = "Detent test calibrated"
    func rule(_ matrix: String) throws -> UdevRule {
      try UdevRule(
        #"SUBSYSTEM=="input", ATTRS{name}=="\#(name)", ENV{LIBINPUT_CALIBRATION_MATRIX}="\#(matrix)""#
      )
    }
    // A quarter turn clockwise: the raw top left is the top right.
    var present: UdevRule? = try rule("0 -1 1 1 0 0")
    let panel = try VirtualTouchscreen(.touchscreen(name: name))
    let bench = try InputDevicesBench()
    try bench.use(panel.node)
    func place() throws -> (x: Double, y: Double)? {
      try panel.tap(x: 0, y: 0)
      guard case .down(_, let x, let y) = try bench.takeEvents(panel.node).first else { return nil }
      return (x, y)
    }
    let turned = try #require(try place())
    #expect(abs(turned.x - 1) < 0.001 && abs(turned.y) < 0.001)
    let report = try #require(NodeReport.all().first { $0.node == panel.node })
    #expect(report.calibration == "0 -1 1 1 0 0" && report.slots == 10)
    present = nil
    present = try rule("-1 0 1 0 -1 1")
    try Command.run(["udevadm", "trigger", "--settle", "--name-match=\(panel.node)"])
    try bench.use(panel.node)
    let upsideDown = try #require(try place())
    #expect(abs(upsideDown.x - 1) < 0.001 && abs(upsideDown.y - 1) < 0.001)
    withExtendedLifetime(present) {}
  }

  @Test(.enabled(if: UdevRule.isPossible, "needs root and udev"))
  func `another seat's panel is not ours until it is attached`() throws {
    let name = "Detent test other seat"
    var present: UdevRule? = try UdevRule(
      #"SUBSYSTEM=="input", ATTRS{name}=="\#(name)", ENV{ID_SEAT}="seat-detent""#)
    #expect(present != nil)
    let panel = try VirtualTouchscreen(.touchscreen(name: name))
    let bench = try InputDevicesBench()
    let other = try InputDevicesBench(.seat("seat-detent"))
    try other.use(panel.node)
    try panel.tap(x: 0, y: 0)
    #expect(try other.takeEvents(panel.node).count == 2)
    #expect(try bench.take(panel.node).isEmpty)
    let report = try #require(NodeReport.all().first { $0.node == panel.node })
    #expect(report.kind == nil && report.refusal?.contains("seat-detent") == true)
    // What changes later is seen without a new start.
    present = nil
    // A node inherits the seat of its parent, so both are looked at again.
    try Command.run(["udevadm", "trigger", "--settle", "--subsystem-match=input"])
    try bench.use(panel.node)
    try panel.tap(x: 0, y: 0)
    #expect(try bench.takeEvents(panel.node).count == 2)
    try other.run(until: "removal") { other.told[panel.node]?.contains(.removed) ?? false }
  }

  @Test func `a grab waits until nothing is down, and is alone then`() throws {
    let panel = try VirtualTouchscreen()
    let bench = try InputDevicesBench()
    let device = try bench.use(panel.node)
    let reader = try EventReader(node: panel.node)
    try panel.down(x: 0, y: 0)
    try panel.frame()
    bench.inputs?.grab(device: device.number, true)
    #expect(try bench.take(panel.node) == [.event(.down(slot: 0, x: 0, y: 0))])
    try panel.up()
    try panel.frame()
    try bench.run(until: "the grab") { bench.told[panel.node]?.contains(.grab(.held)) ?? false }
    // The other reader saw the whole touch before.
    #expect(try reader.read().contains { $0.code == UInt16(BTN_TOUCH) && $0.value == 0 })
    _ = try bench.take(panel.node)
    try panel.tap(x: 0, y: 0)
    #expect(try bench.takeEvents(panel.node).count == 2)
    #expect(try reader.read().isEmpty)
    bench.inputs?.grab(device: device.number, false)
    try panel.tap(x: 0.5, y: 0.5)
    #expect(try bench.takeEvents(panel.node).count == 2)
    #expect(try !reader.read().isEmpty)
  }

  @Test func `a grab that another holds is told`() throws {
    let panel = try VirtualTouchscreen()
    let bench = try InputDevicesBench()
    let device = try bench.use(panel.node)
    let other = try OwnedDescriptor(opening: panel.node, flags: O_RDONLY | O_NONBLOCK)
    #expect(detent_evdev_grab(other.rawValue, 1) == 0)
    bench.inputs?.grab(device: device.number, true)
    #expect(try bench.take(panel.node) == [.grab(.heldByAnother)])
    let report = try #require(NodeReport.all().first { $0.node == panel.node })
    #expect(report.isGrabbedByAnother() == true)
    #expect(report.holders().contains { $0.pid == getpid() })
    #expect(detent_evdev_grab(other.rawValue, 0) == 0)
    #expect(report.isGrabbedByAnother() == false)
  }

  @Test func `what libinput cannot use is told with its reason and a cure`() throws {
    // Old single-touch controllers look to udev like a tablet without a pen's buttons.
    var description = DeviceDescription.singleTouchscreen(name: "Detent test old controller")
    description.properties = []
    description.codes[UInt16(EV_KEY)] = [UInt16(BTN_TOOL_PEN), UInt16(BTN_TOUCH)]
    let device = try VirtualDevice(description)
    let bench = try InputDevicesBench()
    try bench.run(until: "refusal") { bench.told[device.node] != nil }
    let told = try bench.take(device.node)
    guard case .refused(let reason) = told.first, told.count == 1 else {
      Issue.record("\(told)")
      return
    }
    #expect(reason.hasPrefix("libinput has no use for it: missing tablet capabilities"))
    #expect(reason.contains("ENV{ID_INPUT_TOUCHSCREEN}"))
    let report = try #require(NodeReport.all().first { $0.node == device.node })
    #expect(report.refusal == reason && report.isFault && report.kind == nil)
  }

  @Test func `reports say what is used and why the rest is not`() throws {
    let panel = try VirtualTouchscreen()
    let keyboard = try VirtualDevice(.keyboard())
    let reports = NodeReport.all()
    let used = try #require(reports.first { $0.node == panel.node })
    #expect(used.kind == .touchscreen && used.refusal == nil && used.slots == 10)
    #expect(used.classes.contains("touchscreen") && used.capabilities == ["touch"])
    #expect(used.widthMM == 344 && used.heightMM == 194 && used.seat == "seat0")
    let refused = try #require(reports.first { $0.node == keyboard.node })
    #expect(refused.kind == nil && refused.refusal != nil && !refused.isFault)
  }
}
