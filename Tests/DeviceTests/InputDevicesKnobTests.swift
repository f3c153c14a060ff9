// SPDX-License-Identifier: Apache-2.0

import CLinux
import Gestures
import Glibc
import InputDevices
import LinuxIO
import TestSupport
import Testing

/// Knobs of several kinds through the kernel.
@Suite(.serialized, .enabled(if: InputNodes.canUseUinput, "\(InputNodes.needsUinput)"))
struct InputDevicesKnobTests {
  private func options(
    _ name: String, _ change: (inout KnobOptions) -> Void = { _ in }
  ) throws -> KnobOptions {
    let pattern: Glob = try #require(Glob(name))
    var options = KnobOptions(device: DeviceMatch(name: pattern))
    change(&options)
    return options
  }

  /// A kind of knob and how to turn it by one count.
  struct Kind: CustomTestStringConvertible, Sendable {
    var description: DeviceDescription
    var type = EV_REL
    var code: Int32
    /// Whether the values are positions that go round so many.
    var positions: Int32?

    var testDescription: String { description.name }
  }

  static let kinds: [Kind] = [
    Kind(description: .knob(name: "Detent test rotary@x", relative: REL_X), code: REL_X),
    Kind(description: .knob(name: "Detent test rotary@dial", relative: REL_DIAL), code: REL_DIAL),
    Kind(description: .powerMate(name: "Detent test PowerMate"), code: REL_DIAL),
    // udev tags it ID_INPUT_KEY, and libinput would scroll with it.
    Kind(
      description: .knob(name: "Detent test rotary@wheel", relative: REL_WHEEL), code: REL_WHEEL),
    Kind(
      description: .knob(name: "Detent test rotary@abs", absolute: ABS_X, steps: 24), type: EV_ABS,
      code: ABS_X, positions: 24),
  ]

  @Test(arguments: kinds)
  func `one detent is one step, at two hundred a second, both ways`(kind: Kind) throws {
    let knob = try VirtualDevice(kind.description)
    let bench = try InputDevicesBench()
    bench.inputs?.setKnobs([try options(kind.description.name)])
    let device = try bench.use(knob.node)
    #expect(device.kind == .knob && device.name == kind.description.name)
    let ways = [Int](repeating: 1, count: 200) + [Int](repeating: -1, count: 150)
    var position = 0
    let startUs = EventLoop.clockUs()
    for (index, way) in ways.enumerated() {
      position += way
      let value = kind.positions.map { (Int32(position) % $0 + $0) % $0 } ?? Int32(way)
      try knob.emit(kind.type, kind.code, value)
      try knob.sync()
      while EventLoop.clockUs() < startUs + Int64(index) * 5000 {
        try bench.loop.runOnce(timeoutUs: 2000)
      }
    }
    let steps = try bench.takeEvents(knob.node).compactMap {
      if case .turn(let steps) = $0 { steps } else { nil }
    }
    #expect(steps == ways)
    let times = bench.events.filter { $0.device == device.number }.map(\.timeUs)
    #expect(times == times.sorted() && (times.first ?? 0) >= startUs)
  }

  @Test func `a press and a turn of one frame are both told`() throws {
    let knob = try VirtualDevice(.powerMate(name: "Detent test PowerMate"))
    let bench = try InputDevicesBench()
    bench.inputs?.setKnobs([try options("Detent test Power*") { $0.isReversed = true }])
    try bench.use(knob.node)
    try knob.emit(EV_KEY, BTN_0, 1)
    try knob.sync()
    try knob.emit(EV_KEY, BTN_0, 2)
    try knob.sync()
    try knob.emit(EV_KEY, BTN_0, 0)
    try knob.emit(EV_REL, REL_DIAL, 3)
    try knob.sync()
    #expect(try bench.takeEvents(knob.node) == [.press, .turn(steps: -3)])
  }

  @Test func `a high-resolution wheel is counted once`() throws {
    var description = DeviceDescription.knob(name: "Detent test hi-res", relative: REL_WHEEL)
    description.codes[UInt16(EV_REL), default: []].insert(UInt16(REL_WHEEL_HI_RES))
    let knob = try VirtualDevice(description)
    let bench = try InputDevicesBench()
    bench.inputs?.setKnobs([try options("Detent test hi-res")])
    try bench.use(knob.node)
    for index in 1...8 {
      try knob.emit(EV_REL, REL_WHEEL_HI_RES, 30)
      if index % 4 == 0 { try knob.emit(EV_REL, REL_WHEEL, 1) }
      try knob.sync()
    }
    #expect(try bench.takeEvents(knob.node) == [.turn(steps: 1), .turn(steps: 1)])
  }

  @Test func `only named nodes are opened, and what is typed beside a knob is masked`() throws {
    var description = DeviceDescription.knob(name: "Detent test knob with keys", relative: REL_DIAL)
    description.codes[UInt16(EV_KEY)] = Set(UInt16(KEY_ESC)...UInt16(KEY_F12)).union([
      UInt16(BTN_0)
    ])
    let named = try VirtualDevice(description)
    let other = try VirtualDevice(.knob(name: "Detent test other", relative: REL_DIAL))
    let bench = try InputDevicesBench()
    bench.inputs?.setKnobs([try options("Detent test knob*")])
    try bench.use(named.node)
    #expect(OpenNodes.descriptors(of: other.node).isEmpty)
    let numbers = OpenNodes.descriptors(of: named.node)
    #expect(numbers.count == 1)
    for number in numbers {
      var mask = [UInt8](repeating: 0, count: Int(KEY_CNT) / 8)
      #expect(detent_evdev_get_mask(number, UInt32(EV_KEY), &mask, mask.count) >= 0)
      #expect(mask.prefix(Int(BTN_MISC) / 8).allSatisfy { $0 == 0 })
    }
    try named.emit(EV_KEY, KEY_A, 1)
    try named.sync()
    try named.emit(EV_KEY, BTN_0, 1)
    try named.sync()
    #expect(try bench.takeEvents(named.node) == [.press])
  }

  @Test func `a pattern that is too wide takes no panel`() throws {
    let panel = try VirtualTouchscreen()
    let bench = try InputDevicesBench()
    try bench.use(panel.node)
    bench.inputs?.setKnobs([try options("*")])
    try panel.tap(x: 0, y: 0)
    #expect(try bench.takeEvents(panel.node).count == 2)
    #expect(
      bench.inputs?.devices.contains { $0.node == panel.node && $0.kind == .touchscreen } == true)
  }

  @Test func `a knob comes and goes, and sleeps`() throws {
    let bench = try InputDevicesBench()
    bench.inputs?.setKnobs([try options("Detent test rotary*")])
    var numbers: Set<Int> = []
    for _ in 0..<2 {
      let knob = try VirtualDevice(.knob(name: "Detent test rotary@0", relative: REL_DIAL))
      numbers.insert(try bench.use(knob.node).number)
      bench.inputs?.suspend()
      #expect(try bench.take(knob.node) == [.removed])
      try knob.emit(EV_REL, REL_DIAL, 5)
      try knob.sync()
      bench.inputs?.resume()
      numbers.insert(try bench.use(knob.node).number)
      try knob.emit(EV_REL, REL_DIAL, 1)
      try knob.sync()
      #expect(try bench.takeEvents(knob.node) == [.turn(steps: 1)])
      knob.unplug()
      try bench.run(until: "removal") { bench.told[knob.node]?.contains(.removed) ?? false }
      #expect(try bench.take(knob.node) == [.removed])
    }
    #expect(numbers.count == 4)
  }

  @Test func `what was turned while nobody read is dropped, never queued`() throws {
    let knob = try VirtualDevice(.knob(name: "Detent test rotary@0", relative: REL_DIAL))
    let bench = try InputDevicesBench()
    bench.inputs?.setKnobs([try options("Detent test rotary*")])
    try bench.use(knob.node)
    for _ in 0..<10 {
      try knob.emit(EV_REL, REL_DIAL, 1)
      try knob.sync()
    }
    Waiting.sleep(untilUs: EventLoop.clockUs() + 700_000)
    #expect(try bench.takeEvents(knob.node).isEmpty)
    try knob.emit(EV_REL, REL_DIAL, 1)
    try knob.sync()
    #expect(try bench.takeEvents(knob.node) == [.turn(steps: 1)])
  }

  @Test func `an overflow invents nothing`() throws {
    let knob = try VirtualDevice(
      .knob(name: "Detent test rotary@1", absolute: ABS_X, steps: 1000))
    let bench = try InputDevicesBench()
    bench.inputs?.setKnobs([try options("Detent test rotary*")])
    try bench.use(knob.node)
    for position in 1...500 {
      try knob.emit(EV_ABS, ABS_X, Int32(position))
      try knob.sync()
    }
    var steps = 0
    for case .turn(let some) in try bench.takeEvents(knob.node) { steps += some }
    #expect((0...500).contains(steps))
    // From where it stands now, one is one.
    try knob.emit(EV_ABS, ABS_X, 501)
    try knob.sync()
    #expect(try bench.takeEvents(knob.node) == [.turn(steps: 1)])
  }

  @Test func `a new configuration closes what is not named any more`() throws {
    let first = try VirtualDevice(.knob(name: "Detent test rotary@0", relative: REL_DIAL))
    let second = try VirtualDevice(.knob(name: "Detent test rotary@1", relative: REL_DIAL))
    let bench = try InputDevicesBench()
    bench.inputs?.setKnobs([try options("Detent test rotary@0")])
    try bench.use(first.node)
    bench.inputs?.setKnobs([
      try options("Detent test rotary@0"), try options("Detent test rotary@1"),
    ])
    try bench.use(second.node)
    // What did not change stayed open.
    #expect(try bench.take(first.node).isEmpty)
    bench.inputs?.setKnobs([try options("Detent test rotary@1")])
    #expect(try bench.take(first.node) == [.removed])
    #expect(OpenNodes.descriptors(of: first.node).isEmpty)
  }

  @Test func `a named device that cannot turn is told`() throws {
    let knob = try VirtualDevice(.knob(name: "Detent test rotary@0", relative: REL_X))
    let bench = try InputDevicesBench()
    bench.inputs?.setKnobs([try options("Detent test rotary*") { $0.axis = .dial }])
    #expect(
      try bench.take(knob.node)
        .contains(.refused("named as a knob, but it has no axis \"dial\"")))
    let report = try #require(
      NodeReport.all(knobs: [try options("Detent test rotary*")]).first { $0.node == knob.node })
    #expect(report.kind == .knob && report.refusal == nil)
  }
}
