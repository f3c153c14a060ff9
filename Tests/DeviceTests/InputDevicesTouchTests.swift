// SPDX-License-Identifier: Apache-2.0

import CLinux
import Gestures
import Glibc
import InputDevices
import LinuxIO
import TestSupport
import Testing

/// Touchscreens through the kernel, udev and libinput.
@Suite(.serialized, .enabled(if: InputNodes.canUseUinput, "\(InputNodes.needsUinput)"))
struct InputDevicesTouchTests {
  @Test func `a finger comes, moves and lifts, with the kernel's times`() throws {
    let panel = try VirtualTouchscreen()
    let bench = try InputDevicesBench()
    let device = try bench.use(panel.node)
    #expect(device.kind == .touchscreen && device.name == "Detent test touchscreen")
    #expect(device.id == String(panel.node.dropFirst("/dev/input/".count)))
    #expect(device.widthMM.map { abs($0 - 344) < 1 } ?? false)
    #expect(device.heightMM.map { abs($0 - 194) < 1 } ?? false)
    let reader = try EventReader(node: panel.node)
    try panel.down(x: 0.5, y: 0.25)
    try panel.frame()
    try panel.move(x: 0.75, y: 0.25)
    try panel.frame()
    try panel.up()
    try panel.frame()
    try bench.run(seconds: 0.1)
    let events = bench.events.filter { $0.device == device.number }
    #expect(events.count == 3)
    guard case .down(0, let x, let y) = events.first?.kind else {
      Issue.record("\(events)")
      return
    }
    #expect(abs(x - 0.5) < 0.001 && abs(y - 0.25) < 0.001)
    guard case .move(0, let movedX, _) = events[1].kind else {
      Issue.record("\(events)")
      return
    }
    #expect(abs(movedX - 0.75) < 0.001)
    #expect(events[2].kind == .up(slot: 0))
    let syncs = try reader.read().filter { $0.type == UInt16(EV_SYN) }.map(\.timeUs)
    #expect(events.map(\.timeUs) == syncs)
  }

  @Test func `twelve fingers keep their slots`() throws {
    let panel = try VirtualTouchscreen(.touchscreen(slots: 16))
    let bench = try InputDevicesBench()
    try bench.use(panel.node)
    for slot in 0..<12 {
      try panel.down(slot: slot, x: Double(slot) / 16, y: 0.5)
      try panel.frame()
    }
    for slot in (0..<12).reversed() {
      try panel.up(slot: slot)
      try panel.frame()
    }
    let kinds = try bench.takeEvents(panel.node)
    let downs = kinds.compactMap { if case .down(let slot, _, _) = $0 { slot } else { nil } }
    let ups = kinds.compactMap { if case .up(let slot) = $0 { slot } else { nil } }
    #expect(downs == Array(0..<12) && ups == Array((0..<12).reversed()))
  }

  @Test func `the first slot may be nine`() throws {
    let panel = try VirtualTouchscreen(.touchscreen(slots: 16))
    let bench = try InputDevicesBench()
    try bench.use(panel.node)
    try panel.tap(slot: 9, x: 0, y: 0)
    let kinds = try bench.takeEvents(panel.node)
    #expect(kinds == [.down(slot: 9, x: 0, y: 0), .up(slot: 9)])
  }

  @Test func `a panel without slots is one finger`() throws {
    let panel = try VirtualTouchscreen(.singleTouchscreen())
    let bench = try InputDevicesBench()
    let device = try bench.use(panel.node)
    #expect(device.kind == .touchscreen && device.widthMM == nil)
    try panel.tap(x: 0.5, y: 0.5)
    let kinds = try bench.takeEvents(panel.node)
    #expect(kinds.count == 2)
    guard case .down(let slot, let x, _) = kinds.first else {
      Issue.record("\(kinds)")
      return
    }
    #expect(slot >= 0 && abs(x - 0.5) < 0.001)
    #expect(kinds.last == .up(slot: slot))
  }

  @Test func `a panel in mouse mode is one finger`() throws {
    let panel = try VirtualTouchscreen(.absolutePointer())
    let bench = try InputDevicesBench()
    #expect(try bench.use(panel.node).kind == .touchscreen)
    // A press in place, before any motion.
    try panel.device.emit(EV_KEY, BTN_LEFT, 1)
    try panel.frame()
    try panel.device.emit(EV_KEY, BTN_LEFT, 0)
    try panel.frame()
    #expect(try bench.takeEvents(panel.node) == [.down(slot: 0, x: 0, y: 0), .up(slot: 0)])
    // libinput holds a button's release back for some milliseconds after its press, against bouncing
    // contacts, so this goes at a finger's pace.
    func frame() throws {
      try panel.frame()
      try bench.run(seconds: 0.05)
    }
    try panel.down(x: 0.25, y: 0.5)
    try frame()
    try panel.move(x: 0.5, y: 0.5)
    try frame()
    try panel.up()
    try frame()
    // Moving without a press, and other buttons, are nothing.
    try panel.move(x: 0.75, y: 0.5)
    try frame()
    try panel.device.emit(EV_KEY, BTN_RIGHT, 1)
    try frame()
    try panel.device.emit(EV_KEY, BTN_RIGHT, 0)
    try frame()
    let kinds = try bench.takeEvents(panel.node)
    #expect(kinds.count == 3, "\(kinds)")
    guard case .down(0, let x, let y) = kinds.first, case .move(0, let movedX, _) = kinds[1] else {
      Issue.record("\(kinds)")
      return
    }
    #expect(abs(x - 0.25) < 0.001 && abs(y - 0.5) < 0.001 && abs(movedX - 0.5) < 0.001)
    #expect(kinds.last == .up(slot: 0))
  }

  @Test func `a pen's tip is one finger`() throws {
    var pen = DeviceDescription(name: "Detent test pen")
    pen.bus = UInt16(BUS_USB)
    pen.properties = [UInt16(INPUT_PROP_DIRECT)]
    pen.codes[UInt16(EV_KEY)] = [UInt16(BTN_TOOL_PEN), UInt16(BTN_TOUCH), UInt16(BTN_STYLUS)]
    pen.axes = [
      UInt16(ABS_X): .init(0...10_000, resolution: 100),
      UInt16(ABS_Y): .init(0...10_000, resolution: 100),
    ]
    let device = try VirtualDevice(pen)
    let bench = try InputDevicesBench()
    #expect(try bench.use(device.node).kind == .touchscreen)
    // All with one call: a pen that says nothing for 50 ms is gone for libinput.
    let frames: [[(Int32, Int32, Int32)]] = [
      [(EV_ABS, ABS_X, 1000), (EV_ABS, ABS_Y, 5000), (EV_KEY, BTN_TOOL_PEN, 1)],
      [(EV_ABS, ABS_X, 2000)],
      [(EV_KEY, BTN_TOUCH, 1)],
      [(EV_ABS, ABS_X, 4000)],
      [(EV_KEY, BTN_TOUCH, 0)],
      [(EV_KEY, BTN_TOOL_PEN, 0)],
    ]
    try device.emit(
      frames.flatMap { $0 + [(EV_SYN, SYN_REPORT, 0)] }.map {
        .init(timeUs: 0, type: UInt16($0.0), code: UInt16($0.1), value: $0.2)
      })
    let kinds = try bench.takeEvents(device.node)
    #expect(kinds.count == 3)
    guard case .down(0, let x, let y) = kinds.first, case .move(0, let movedX, _) = kinds[1] else {
      Issue.record("\(kinds)")
      return
    }
    // libinput smooths a pen's way.
    #expect(abs(x - 0.2) < 0.05 && abs(y - 0.5) < 0.01 && movedX > x && movedX < 0.41)
    #expect(kinds.last == .up(slot: 0))
  }

  @Test func `a finger that replaces another unseen ends it first`() throws {
    let panel = try VirtualTouchscreen()
    let bench = try InputDevicesBench()
    try bench.use(panel.node)
    try panel.down(x: 0.1, y: 0.1, trackingID: 1)
    try panel.frame()
    try panel.down(x: 0.9, y: 0.9, trackingID: 2)
    try panel.frame()
    try panel.up()
    try panel.frame()
    var check = ContactCheck()
    for kind in try bench.takeEvents(panel.node) { check.take(kind) }
    #expect(check.faults.isEmpty && check.down.isEmpty)
  }

  @Test func `after an overflow the fingers are those that are there`() throws {
    let panel = try VirtualTouchscreen()
    let bench = try InputDevicesBench()
    try bench.use(panel.node)
    let device = try #require(bench.devices.values.first { $0.node == panel.node })
    for slot in 0...1 { try panel.down(slot: slot, x: 0.2, y: 0.2) }
    try panel.frame()
    try bench.run(seconds: 0.1)
    let before = bench.events.count
    // The loop does not run, so the kernel's buffer for us overflows with moves, and swallows that
    // finger 0 lifted and another took its slot.
    for step in 0..<2000 {
      if step == 1000 {
        try panel.up(slot: 0)
        try panel.frame()
        try panel.down(slot: 0, x: 0.5, y: 0.5)
        try panel.frame()
      }
      try panel.move(slot: 1, x: Double(step % 100) / 100, y: 0.2)
      try panel.frame()
    }
    try panel.move(slot: 1, x: 0.875, y: 0.2)
    try panel.frame()
    try bench.run(seconds: 0.3)
    let received = bench.events.count - before
    #expect(received < 2000, "the kernel's buffer did not overflow")
    var check = ContactCheck()
    var endedFirst = false
    var last: [Int: Double] = [:]
    for event in bench.events where event.device == device.number {
      check.take(event.kind)
      switch event.kind {
      case .up(0), .cancel(0): endedFirst = true
      case .down(let slot, let x, _), .move(let slot, let x, _): last[slot] = x
      default: break
      }
    }
    #expect(check.faults.isEmpty && check.down == [0, 1] && endedFirst)
    #expect(last[0].map { abs($0 - 0.5) < 0.01 } ?? false)
    #expect(last[1].map { abs($0 - 0.875) < 0.01 } ?? false)
    for slot in 0...1 { try panel.up(slot: slot) }
    try panel.frame()
    for kind in try bench.takeEvents(panel.node).suffix(2) { check.take(kind) }
    #expect(check.faults.isEmpty && check.down.isEmpty)
  }

  @Test func `what arrives late in a burst keeps its times`() throws {
    let panel = try VirtualTouchscreen()
    let bench = try InputDevicesBench()
    let device = try bench.use(panel.node)
    let reader = try EventReader(node: panel.node)
    try panel.drag(from: (0.1, 0.5), to: (0.9, 0.5), seconds: 0.16, rateHz: 100)
    // Nothing was read meanwhile.
    try bench.run(seconds: 0.1)
    let times = bench.events.filter { $0.device == device.number }.map(\.timeUs)
    let syncs = try reader.read().filter { $0.type == UInt16(EV_SYN) }.map(\.timeUs)
    #expect(times.count >= 17 && times == times.sorted())
    // On a machine that was too busy the first ones are more than a second old, and count as now.
    let isOld = EventLoop.clockUs() - (syncs.first ?? 0) > 1_000_000
    #expect(isOld || times == syncs, "\(times), \(syncs)")
  }

  @Test func `what is more than a second old counts as now`() throws {
    let panel = try VirtualTouchscreen()
    let bench = try InputDevicesBench()
    let device = try bench.use(panel.node)
    try panel.down(x: 0.5, y: 0.5)
    try panel.frame()
    Waiting.sleep(untilUs: EventLoop.clockUs() + 1_300_000)
    let beforeUs = EventLoop.clockUs()
    try bench.run(seconds: 0.1)
    let event = try #require(bench.events.first { $0.device == device.number })
    #expect(event.timeUs >= beforeUs)
    try panel.up()
    try panel.frame()
    #expect(try bench.takeEvents(panel.node).last == .up(slot: 0))
  }
}
