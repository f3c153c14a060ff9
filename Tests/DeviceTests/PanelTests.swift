// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import LinuxIO
import TestSupport
import Testing
import Wire

/// Every kind of panel, from the finger to what a client is told.
@Suite(
  .serialized, .enabled(if: InputNodes.canUseUinput, "\(InputNodes.needsUinput)"),
  .enabled(if: DaemonProcess.isBuilt, "\(DaemonProcess.needsBinary)"))
struct PanelTests {
  private static func display(_ id: String, _ options: String) -> String {
    """
    [[display]]
    id = "\(id)"
    width = 1000
    height = 1000
    \(options)
    [[picker]]
    id = "ruler-\(id)"
    type = "ruler"
    display = "\(id)"
    region = { x = 0, y = 0, width = 1000, height = 1000 }
    values = { from = 0, through = 100, step = 1 }
    selection = 50

    """
  }

  @Test(.enabled(if: UdevRule.isPossible, "needs root and udev"))
  func `panels go to their displays by name and by place, each with its own fingers`() throws {
    // Two of one make are told apart by where they are plugged in.
    let rules = try (1...2).map { port in
      try UdevRule(
        #"SUBSYSTEM=="input", ATTRS{phys}=="detent-port-\#(port)/input0", "#
          + #"ENV{ID_PATH}="pci-0000:00:14.0-usb-0:\#(port):1.0""#)
    }
    let bench = try ServiceBench(
      Self.display("left", #"touchscreen = { path = "*-usb-0:1:*" }"#)
        + Self.display("right", #"touchscreen = { path = "*-usb-0:2:*" }"#)
        + Self.display("named", #"touchscreen = { name = "Detent test counter *" }"#)
        + Self.display("rest", ""))
    let panels = [
      ("left", try VirtualTouchscreen(.touchscreen(phys: "detent-port-1/input0"))),
      ("right", try VirtualTouchscreen(.touchscreen(phys: "detent-port-2/input0"))),
      ("named", try VirtualTouchscreen(.touchscreen(name: "Detent test counter 7"))),
      ("rest", try VirtualTouchscreen(.touchscreen(name: "Detent test nobody's"))),
    ]
    for (_, panel) in panels { try bench.use(panel.node) }
    // All at once, in one slot each, by one value more from panel to panel.
    for (_, panel) in panels {
      try panel.down(slot: 3, x: 0.8, y: 0.5)
      try panel.frame()
    }
    for (index, (_, panel)) in panels.enumerated() {
      try panel.move(slot: 3, x: 0.8 - 0.064 * Double(index + 1), y: 0.5)
      try panel.frame()
    }
    for (index, (id, _)) in panels.enumerated() {
      #expect(try bench.selections("ruler-\(id)") == ["\(51 + index) drag"])
    }
    // One goes under its finger: the others' are theirs.
    panels[0].1.device.unplug()
    try bench.client.waitFor("selection") { $0["cause"] == .string("cancel") }
    for (index, (id, panel)) in panels.enumerated().dropFirst() {
      #expect(try bench.state("ruler-\(id)")["phase"] == .string("drag"))
      usleep(100_000)
      try panel.up(slot: 3)
      try panel.frame()
      #expect(try bench.rested("ruler-\(id)") == .integer(Int64(51 + index)))
    }
    #expect(try bench.rested("ruler-left") == .integer(50))
    withExtendedLifetime(rules) {}
  }

  /// Quarters of a display, one swatch each, named clockwise from the top left.
  private static func quarters(rotation: Int) -> String {
    var text = """
      [[display]]
      id = "main"
      width = 1000
      height = 1000
      rotation = \(rotation)

      """
    for (index, (x, y)) in [(0, 0), (500, 0), (500, 500), (0, 500)].enumerated() {
      text += """
        [[picker]]
        id = "\(index)"
        type = "swatches"
        region = { x = \(x), y = \(y), width = 500, height = 500 }
        columns = 1
        size = 490
        colors = ["#ff0000"]

        """
    }
    return text
  }

  @Test(.enabled(if: UdevRule.isPossible, "needs root and udev"))
  func `the four corners go where the calibration and the rotation on top of it put them`() throws {
    // Each with where it puts the corners, from the top left clockwise.
    let matrices = [
      ("1 0 0 0 1 0", [0, 1, 2, 3]), ("0 -1 1 1 0 0", [1, 2, 3, 0]),
      ("-1 0 1 0 -1 1", [2, 3, 0, 1]), ("0 1 0 -1 0 1", [3, 0, 1, 2]),
      // Swapped axes, and a panel that was mounted the wrong way round.
      ("0 1 0 1 0 0", [0, 3, 2, 1]), ("-1 0 1 0 1 0", [1, 0, 3, 2]),
    ]
    let rules = try matrices.indices.map { index in
      try UdevRule(
        #"SUBSYSTEM=="input", ATTRS{name}=="Detent test corners \#(index)", "#
          + #"ENV{LIBINPUT_CALIBRATION_MATRIX}="\#(matrices[index].0)""#)
    }
    let panels = try matrices.indices.map {
      try VirtualTouchscreen(.touchscreen(name: "Detent test corners \($0)"))
    }
    let bench = try ServiceBench(Self.quarters(rotation: 0))
    for panel in panels { try bench.use(panel.node) }
    var wanted: [String] = []
    for quarterTurns in 0..<4 {
      try bench.daemon.writeConfiguration(
        Self.quarters(rotation: quarterTurns * 90) + "[haptics]\nenabled = false\n")
      let reply = try bench.client.request("reload")
      #expect(reply["error"] == nil, "\(reply)")
      for (panel, (_, corners)) in zip(panels, matrices) {
        for (corner, place) in [(0.25, 0.25), (0.75, 0.25), (0.75, 0.75), (0.25, 0.75)].enumerated()
        {
          try panel.down(x: place.0, y: place.1)
          try panel.frame()
          try panel.up()
          try panel.frame()
          wanted.append("\((corners[corner] + quarterTurns) % 4)")
        }
        // One panel after the other: two of them are read in no order.
        try bench.settle()
      }
    }
    let pressed = bench.client.notifications("press").filter { $0["pressed"] == .bool(true) }
    #expect(pressed.map { ServiceBench.word($0["picker"]) } == wanted)
    withExtendedLifetime(rules) {}
  }

  @Test func `twelve fingers press twelve pickers, whatever their slots`() throws {
    var configuration = "[[display]]\nid = \"main\"\nwidth = 1200\nheight = 100\n"
    for index in 0..<12 {
      configuration += """
        [[picker]]
        id = "p\(index)"
        type = "swatches"
        region = { x = \(index * 100), y = 0, width = 100, height = 100 }
        columns = 1
        size = 100
        colors = ["#ff0000"]

        """
    }
    let panel = try VirtualTouchscreen(.touchscreen(slots: 60))
    let bench = try ServiceBench(configuration)
    try bench.use(panel.node)
    // Slots that begin at nine, as one device's do, with gaps up to the last.
    let slots = (0..<12).map { $0 == 11 ? 59 : 9 + 3 * $0 }
    for (index, slot) in slots.enumerated() {
      try panel.down(slot: slot, x: (Double(index) + 0.5) / 12, y: 0.5)
    }
    try panel.frame()
    #expect(
      bench.client.notifications("press").isEmpty
        || bench.client.notifications("press").allSatisfy { $0["pressed"] == .bool(true) })
    for slot in slots.reversed() { try panel.up(slot: slot) }
    try panel.frame()
    try bench.settle()
    let selected = bench.client.notifications("selection").map { ServiceBench.word($0["picker"]) }
    #expect(Set(selected) == Set((0..<12).map { "p\($0)" }) && selected.count == 12)
  }

  /// Panels that differ in what they say of themselves, and not in what a finger on them means.
  static var kinds: [DeviceDescription] {
    var huge = DeviceDescription.touchscreen(name: "Detent test huge")
    for code in [ABS_X, ABS_Y, ABS_MT_POSITION_X, ABS_MT_POSITION_Y] {
      huge.axes[UInt16(code)] = .init(-1_000_000_000...1_000_000_000)
    }
    var slotsOnly = DeviceDescription.touchscreen(
      name: "Detent test slots only", widthMM: 0, heightMM: 0)
    slotsOnly.axes[UInt16(ABS_X)] = nil
    slotsOnly.axes[UInt16(ABS_Y)] = nil
    var tiny = DeviceDescription.touchscreen(name: "Detent test tiny")
    for code in [ABS_X, ABS_Y, ABS_MT_POSITION_X, ABS_MT_POSITION_Y] {
      tiny.axes[UInt16(code)] = .init(0...255)
    }
    return [
      .touchscreen(), .touchscreen(name: "Detent test sizeless", widthMM: 0, heightMM: 0), huge,
      tiny,
      slotsOnly, .singleTouchscreen(), .absolutePointer(),
    ]
  }

  @Test func `a drag is the same on every kind of panel`() throws {
    let bench = try ServiceBench()
    var value: Int64 = 50
    for description in Self.kinds {
      let panel = try VirtualTouchscreen(description)
      try bench.use(panel.node)
      try panel.drag(
        from: (0.7, 0.5), to: (0.5, 0.5), seconds: 0.2, rateHz: 60, holdSeconds: 0.25)
      value += 3
      let settle = try bench.client.waitFor("settle")
      #expect(settle["value"] == .integer(value), "\(description.name): \(settle)")
      #expect(try bench.rested() == .integer(value), "\(description.name)")
    }
  }

  @Test func `a panel that is touch and mouse at once is dragged once`() throws {
    let descriptions = DeviceDescription.twins()
    let touch = try VirtualTouchscreen(descriptions.touch)
    let pointer = try VirtualTouchscreen(descriptions.pointer)
    let bench = try ServiceBench()
    try bench.use(touch.node)
    for x in [0.7, 0.636, 0.572] {
      for node in [pointer, touch] {
        if x == 0.7 { try node.down(x: x, y: 0.5) } else { try node.move(x: x, y: 0.5) }
        try node.frame()
      }
    }
    usleep(200_000)
    for node in [pointer, touch] {
      try node.up()
      try node.frame()
    }
    #expect(try bench.rested() == .integer(52))
    #expect(bench.client.notifications("settle").count == 1)
    // It may be so quick that both moves are one.
    #expect(try [["51 drag", "52 drag"], ["52 drag"]].contains(bench.selections()))
  }
}
