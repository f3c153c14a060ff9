// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import LinuxIO
import TestSupport
import Testing
import Wire

/// What panels and kernels do wrong, from the kernel to what a client is told; docs/faults.md lists them all.
@Suite(
  .serialized, .enabled(if: InputNodes.canUseUinput, "\(InputNodes.needsUinput)"),
  .enabled(if: DaemonProcess.isBuilt, "\(DaemonProcess.needsBinary)"))
struct FaultTests {
  @Test func `an overflow in mid-drag neither loses a lift nor keeps a finger`() throws {
    let panel = try VirtualTouchscreen()
    let bench = try ServiceBench()
    try bench.use(panel.node)
    try panel.down(x: 0.7, y: 0.5)
    try panel.frame()
    try panel.move(x: 0.6, y: 0.5)
    try panel.frame()
    #expect(try bench.selections().last == "52 drag")
    try bench.whileStopped {
      for step in 0..<2_000 {
        try panel.move(x: 0.6 + Double(step % 100) / 1_000, y: 0.5)
        try panel.frame()
      }
      // The lift is among what the kernel drops; so is that another finger came into its slot.
      try panel.up()
      try panel.frame()
      for step in 0..<2_000 {
        try panel.down(x: 0.5, y: Double(step % 100) / 100)
        try panel.frame()
        try panel.up()
        try panel.frame()
      }
    }
    _ = try bench.rested()
    // And it works as before.
    try bench.client.request("select", #"{"picker":"ruler","value":50}"#)
    #expect(try bench.rested() == .integer(50))
    try panel.drag(from: (0.55, 0.55), to: (0.614, 0.55), seconds: 0.2, holdSeconds: 0.3)
    let value = try bench.rested()
    #expect(
      value == .integer(49),
      "\(bench.client.lines.filter { $0.contains("time_us") && !$0.contains("haptic") })")
  }

  @Test func `a panel that goes under a finger and comes back begins anew`() throws {
    let bench = try ServiceBench()
    for round in 0..<2 {
      let panel = try VirtualTouchscreen()
      try bench.use(panel.node)
      try panel.down(x: 0.7, y: 0.5)
      try panel.frame()
      try panel.move(x: 0.5, y: 0.5)
      try panel.frame()
      #expect(try bench.selections().last == "53 drag", "round \(round)")
      panel.device.unplug()
      try bench.client.waitFor("selection") { $0["cause"] == .string("cancel") }
      #expect(try bench.rested() == .integer(50))
    }
  }

  @Test func `a finger in the slot of one whose release never came is that finger`() throws {
    let panel = try VirtualTouchscreen()
    let bench = try ServiceBench()
    try bench.use(panel.node)
    // The id of the one before is repeated, or another comes without a release: the kernel and libevdev take
    // both for the finger that is there, which is now elsewhere.
    for id in [7, 7, 8] as [Int32] {
      try panel.down(x: 0.7, y: 0.5, trackingID: id)
      try panel.frame()
      try panel.move(x: 0.572, y: 0.5)
      try panel.frame()
    }
    usleep(300_000)
    try panel.up()
    try panel.frame()
    #expect(try bench.rested() == .integer(52))
    try panel.tap(x: 0.5 + 0.064, y: 0.5)
    #expect(try bench.rested() == .integer(53))
  }

  @Test func `a palm ends its own finger alone`() throws {
    var description = DeviceDescription.touchscreen(name: "Detent test palms")
    description.axes[UInt16(ABS_MT_TOOL_TYPE)] = .init(0...Int32(MT_TOOL_PALM))
    let panel = try VirtualTouchscreen(description)
    let bench = try ServiceBench(Self.twoRulers)
    try bench.use(panel.node)
    for (slot, y) in [(0, 0.2), (1, 0.8)] {
      try panel.down(slot: slot, x: 0.7, y: y)
      try panel.device.emit(EV_ABS, ABS_MT_TOOL_TYPE, Int32(MT_TOOL_FINGER))
    }
    try panel.frame()
    for slot in 0...1 { try panel.move(slot: slot, x: 0.6, y: slot == 0 ? 0.2 : 0.8) }
    try panel.frame()
    #expect(try bench.selections("upper") == ["52 drag"])
    #expect(try bench.selections("lower") == ["52 drag"])
    // What was a finger turns out to be the ball of a hand.
    try panel.move(slot: 1, x: 0.59, y: 0.8)
    try panel.device.emit(EV_ABS, ABS_MT_TOOL_TYPE, Int32(MT_TOOL_PALM))
    try panel.frame()
    #expect(try bench.selections("lower").last == "50 cancel")
    try panel.move(slot: 1, x: 0.1, y: 0.8)
    try panel.move(slot: 0, x: 0.5, y: 0.2)
    try panel.frame()
    try panel.up(slot: 1)
    try panel.frame()
    #expect(try bench.rested("lower") == .integer(50))
    #expect(try bench.selections("upper").last == "53 drag")
    #expect(try bench.state("upper")["phase"] == .string("drag"))
    try panel.up(slot: 0)
    try panel.frame()
    #expect(try bench.rested("upper") != .integer(50))
  }

  @Test func `a finger that hovers does nothing until it touches`() throws {
    var description = DeviceDescription.touchscreen(name: "Detent test hovering")
    description.axes[UInt16(ABS_MT_DISTANCE)] = .init(0...1)
    let panel = try VirtualTouchscreen(description)
    let bench = try ServiceBench()
    try bench.use(panel.node)
    func distance(_ value: Int32) throws { try panel.device.emit(EV_ABS, ABS_MT_DISTANCE, value) }
    // It comes near, moves about and goes.
    try panel.down(x: 0.5 + 0.128, y: 0.5)
    try distance(1)
    try panel.frame()
    try panel.move(x: 0.5 + 0.192, y: 0.5)
    try panel.frame()
    try panel.up()
    try panel.frame()
    #expect(try bench.selections() == [])
    // It comes near, touches where it is, drags, and lifts without going away.
    try panel.down(x: 0.7, y: 0.5)
    try panel.frame()
    try distance(0)
    try panel.frame()
    #expect(try bench.state()["phase"] != .null)
    try panel.move(x: 0.572, y: 0.5)
    try panel.frame()
    #expect(try bench.selections() == ["52 drag"])
    usleep(200_000)
    try distance(1)
    try panel.frame()
    #expect(try bench.client.waitFor("settle")["value"] == .integer(52))
    try panel.move(x: 0.2, y: 0.5)
    try panel.frame()
    try panel.up()
    try panel.frame()
    #expect(try bench.rested() == .integer(52))
    // One that touches at once is as on any panel.
    try panel.down(x: 0.7, y: 0.5)
    try distance(0)
    try panel.frame()
    try panel.move(x: 0.636, y: 0.5)
    try panel.frame()
    #expect(try bench.selections().last == "53 drag")
    try panel.up()
    try panel.frame()
  }

  @Test func `a panel of protocol A ends its fingers however it says so`() throws {
    var description = DeviceDescription(name: "Detent test protocol A")
    description.bus = UInt16(BUS_I2C)
    description.properties = [UInt16(INPUT_PROP_DIRECT)]
    description.codes[UInt16(EV_KEY)] = [UInt16(BTN_TOUCH)]
    for code in [ABS_X, ABS_Y, ABS_MT_POSITION_X, ABS_MT_POSITION_Y] {
      description.axes[UInt16(code)] = .init(0...999)
    }
    let device = try VirtualDevice(description)
    let bench = try ServiceBench()
    try bench.use(device.node)
    func frame(_ fingers: [Int32]) throws {
      for x in fingers {
        try device.emit(EV_ABS, ABS_MT_POSITION_X, x)
        try device.emit(EV_ABS, ABS_MT_POSITION_Y, 500)
        try device.emit(EV_SYN, SYN_MT_REPORT, 0)
      }
      if fingers.isEmpty { try device.emit(EV_SYN, SYN_MT_REPORT, 0) }
      try device.sync()
    }
    // With an empty frame; then with nothing but the button, as some drivers end.
    for isButton in [false, true] {
      try device.emit(EV_KEY, BTN_TOUCH, 1)
      try frame([700])
      try frame([640])
      try frame([572])
      try frame([572, 100])
      usleep(200_000)
      if isButton {
        try device.emit(EV_KEY, BTN_TOUCH, 0)
        try device.sync()
      } else {
        try device.emit(EV_KEY, BTN_TOUCH, 0)
        try frame([])
      }
      let value = try bench.rested()
      let selections = try bench.selections()
      #expect(value == .integer(isButton ? 54 : 52), "\(selections)")
    }
  }

  @Test func `ghosts in a corner do nothing where the corner is a dead zone`() throws {
    let panel = try VirtualTouchscreen()
    let bench = try ServiceBench(
      ServiceBench.ruler.replacing(
        "[[picker]]",
        with: "dead_zones = [{ x = 980, y = 980, width = 20, height = 20 }]\n"
          + "edge_margin = 2\n[[picker]]"))
    try bench.use(panel.node)
    // The ids alone, at the last place; some far outside; all at nought, as after a panel's power came back.
    for (x, y) in [(1.0, 1.0), (0.99, 0.99), (0, 0), (0.6, -7), (1.0, 1.0)] {
      try panel.down(x: x, y: y)
      try panel.frame()
      try panel.up()
      try panel.frame()
      // And a second lift for one down.
      try panel.up()
      try panel.frame()
    }
    #expect(try bench.selections() == [])
    try panel.tap(x: 0.628, y: 0.5)
    #expect(try bench.selections() == ["52 tap"])
  }

  @Test func `a storm of ghosts leaves nothing behind`() throws {
    let panel = try VirtualTouchscreen()
    let bench = try ServiceBench(Self.twoRulers)
    try bench.use(panel.node)
    for round in 0..<40 {
      for slot in 0..<10 {
        try panel.down(slot: slot, x: Double((slot * 37 + round * 11) % 100) / 100, y: 0.3)
      }
      try panel.frame()
      for slot in 0..<10 {
        try panel.move(slot: slot, x: Double((slot * 53 + round * 29) % 100) / 100, y: 0.6)
      }
      try panel.frame()
      for slot in 0..<10 { try panel.up(slot: slot) }
      try panel.frame()
    }
    #expect(try bench.rested("upper") != .null)
    #expect(try bench.rested("lower") != .null)
    #expect(bench.client.notifications("resync").isEmpty)
  }

  @Test func `one wild point in a drag is forgotten by the next`() throws {
    let panel = try VirtualTouchscreen(.singleTouchscreen())
    let bench = try ServiceBench()
    try bench.use(panel.node)
    let startUs = EventLoop.clockUs()
    try panel.down(x: 0.7, y: 0.5)
    try panel.frame()
    for step in 1...20 {
      Waiting.sleep(untilUs: startUs + Int64(step) * 16_000)
      // The pressure collapses for one sample, and with it the place.
      try panel.move(x: step == 12 ? 0.1 : 0.7 - Double(step) * 0.01, y: 0.5)
      try panel.frame()
    }
    usleep(300_000)
    try panel.up()
    try panel.frame()
    #expect(try bench.client.waitFor("settle")["value"] == .integer(53))
    #expect(try bench.rested() == .integer(53))
  }

  @Test func `thirty frames that arrive at once give the velocity that they were made with`() throws
  {
    let panel = try VirtualTouchscreen()
    let bench = try ServiceBench()
    try bench.use(panel.node)
    try panel.down(x: 0.7, y: 0.5)
    try panel.frame()
    try bench.settle()
    try bench.whileStopped {
      let startUs = EventLoop.clockUs()
      for step in 1...30 {
        Waiting.sleep(untilUs: startUs + Int64(step) * 8_000)
        try panel.move(x: 0.7 - Double(step) * 0.008, y: 0.5)
        try panel.frame()
      }
      try panel.up()
      try panel.frame()
    }
    let settle = try bench.client.waitFor("settle")
    // A thousand points a second, as well as an emulated machine keeps its pace.
    let velocity = Double(ServiceBench.word(settle["velocity"])) ?? Self.number(settle["velocity"])
    #expect((-2_000 ... -300).contains(velocity), "\(settle)")
    _ = try bench.rested()
  }

  @Test func `axes without slots do not move a finger that has one`() throws {
    let panel = try VirtualTouchscreen()
    let bench = try ServiceBench()
    try bench.use(panel.node)
    try panel.down(x: 0.7, y: 0.5)
    try panel.frame()
    try panel.move(x: 0.636, y: 0.5)
    try panel.frame()
    try panel.device.emit(EV_ABS, ABS_X, 0)
    try panel.device.emit(EV_ABS, ABS_Y, 0)
    try panel.frame()
    usleep(200_000)
    try panel.device.emit(EV_ABS, ABS_X, 13_000)
    try panel.up()
    try panel.frame()
    #expect(try bench.rested() == .integer(51))
    #expect(try bench.selections() == ["51 drag"])
  }

  @Test func `a place in the frame of a lift is where the finger was last`() throws {
    let panel = try VirtualTouchscreen(.singleTouchscreen())
    let bench = try ServiceBench()
    try bench.use(panel.node)
    try panel.down(x: 0.7, y: 0.5)
    try panel.frame()
    try panel.move(x: 0.572, y: 0.5)
    try panel.frame()
    #expect(try bench.selections().last == "52 drag")
    // Longer than any finger that still wants to flick.
    usleep(500_000)
    // As by a driver that exchanges the axes there: a jump of one value across, and of many along.
    try panel.move(x: 0.508, y: 0.1)
    try panel.up()
    try panel.frame()
    let value = try bench.rested()
    #expect([.integer(52), .integer(53), .integer(54)].contains(value), "\(value)")
  }

  @Test func `what shakes by less than the panel's fuzz is still`() throws {
    var description = DeviceDescription.touchscreen(name: "Detent test fuzz")
    for code in [ABS_X, ABS_MT_POSITION_X] {
      description.axes[UInt16(code)] = .init(0...4_000, fuzz: 40, resolution: 40)
    }
    let panel = try VirtualTouchscreen(description)
    let bench = try ServiceBench()
    try bench.use(panel.node)
    try panel.down(x: 0.484, y: 0.5)
    try panel.frame()
    // Half the fuzz to both sides of a boundary between two values.
    for step in 0..<50 {
      try panel.move(x: 0.484 + (step % 2 == 0 ? 0.004 : -0.004), y: 0.5)
      try panel.frame()
    }
    try panel.up()
    try panel.frame()
    _ = try bench.rested()
    #expect(try bench.selections().count <= 1)
  }

  private static func number(_ value: JSONValue?) -> Double {
    if case .number(let number)? = value { number } else { .nan }
  }

  static let twoRulers = """
    [[display]]
    id = "main"
    width = 1000
    height = 1000
    [[picker]]
    id = "upper"
    type = "ruler"
    region = { x = 0, y = 0, width = 1000, height = 500 }
    values = { from = 0, through = 100, step = 1 }
    selection = 50
    [[picker]]
    id = "lower"
    type = "ruler"
    region = { x = 0, y = 500, width = 1000, height = 500 }
    values = { from = 0, through = 100, step = 1 }
    selection = 50

    """
}
