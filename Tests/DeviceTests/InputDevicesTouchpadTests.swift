// SPDX-License-Identifier: Apache-2.0

import CLinux
import Gestures
import InputDevices
import LinuxIO
import TestSupport
import Testing

/// Fingers on a virtual clickpad, in millimetres.
final class TouchpadFingers {
  let device: VirtualDevice
  private let bench: InputDevicesBench
  private var nextID: Int32 = 1
  private var count = 0

  init(_ bench: InputDevicesBench) throws {
    self.bench = bench
    device = try VirtualDevice(.touchpad())
    try bench.use(device.node)
    // libinput ignores a touchpad for a moment after it came.
    try bench.run(seconds: 0.3)
  }

  var node: String { device.node }

  private static let tools = [
    BTN_TOOL_FINGER, BTN_TOOL_DOUBLETAP, BTN_TOOL_TRIPLETAP, BTN_TOOL_QUADTAP,
  ]

  func down(_ places: [(x: Double, y: Double)]) throws {
    count = places.count
    for (slot, place) in places.enumerated() {
      try device.emit(EV_ABS, ABS_MT_SLOT, Int32(slot))
      try device.emit(EV_ABS, ABS_MT_TRACKING_ID, nextID)
      nextID += 1
      try put(place)
    }
    try device.emit(EV_KEY, BTN_TOUCH, 1)
    try device.emit(EV_KEY, Self.tools[count - 1], 1)
    try device.sync()
    try bench.run(seconds: 0.012)
  }

  func move(_ places: [(x: Double, y: Double)]) throws {
    for (slot, place) in places.enumerated() {
      try device.emit(EV_ABS, ABS_MT_SLOT, Int32(slot))
      try put(place)
    }
    try device.sync()
    try bench.run(seconds: 0.012)
  }

  func up() throws {
    for slot in 0..<count {
      try device.emit(EV_ABS, ABS_MT_SLOT, Int32(slot))
      try device.emit(EV_ABS, ABS_MT_TRACKING_ID, -1)
    }
    try device.emit(EV_KEY, BTN_TOUCH, 0)
    try device.emit(EV_KEY, Self.tools[count - 1], 0)
    try device.sync()
  }

  /// Moves all fingers together by a number of steps.
  func slide(
    fingers: Int, byMM step: (x: Double, y: Double), steps: Int, lifting: Bool = true
  ) throws {
    func places(_ index: Int) -> [(x: Double, y: Double)] {
      (0..<fingers).map {
        (20 + Double($0) * 20 + Double(index) * step.x, 20 + Double(index) * step.y)
      }
    }
    try down(places(0))
    for index in 1...steps { try move(places(index)) }
    if lifting { try up() }
  }

  private func put(_ place: (x: Double, y: Double)) throws {
    try device.emit(EV_ABS, ABS_MT_POSITION_X, Int32(place.x * 12))
    try device.emit(EV_ABS, ABS_MT_POSITION_Y, Int32(place.y * 12))
  }
}

/// Touchpads through the kernel, udev and libinput.
@Suite(.serialized, .enabled(if: InputNodes.canUseUinput, "\(InputNodes.needsUinput)"))
struct InputDevicesTouchpadTests {
  let bench: InputDevicesBench
  let fingers: TouchpadFingers

  init() throws {
    bench = try InputDevicesBench()
    fingers = try TouchpadFingers(bench)
  }

  private func events() throws -> [InputEvent.Kind] {
    try bench.takeEvents(fingers.node, afterSeconds: 0.5)
  }

  @Test func `two fingers scroll, ten units a millimetre, and their lift ends it`() throws {
    #expect(bench.devices.values.first { $0.node == fingers.node }?.kind == .touchpad)
    try fingers.slide(fingers: 2, byMM: (0, 1), steps: 30)
    let kinds = try events()
    let travel = kinds.reduce(0.0) {
      if case .scroll(_, let dy) = $1 { $0 + dy } else { $0 }
    }
    // libinput takes the first millimetres to be sure.
    #expect((200...330).contains(travel))
    #expect(kinds.last == .scrollEnd)
    #expect(kinds.filter { $0 == .scrollEnd }.count == 1)
  }

  @Test func `two fingers scroll sideways too`() throws {
    try fingers.slide(fingers: 2, byMM: (1, 0), steps: 30)
    let travel = try events().reduce(0.0) {
      if case .scroll(let dx, _) = $1 { $0 + dx } else { $0 }
    }
    #expect((200...330).contains(travel))
  }

  @Test func `three fingers swipe`() throws {
    try fingers.slide(fingers: 3, byMM: (1, 0), steps: 25)
    let kinds = try events()
    #expect(kinds.contains(.swipeBegin(fingers: 3)))
    #expect(kinds.last == .swipeEnd(fingers: 3, cancelled: false))
    #expect(kinds.contains { if case .swipe(3, let dx, _) = $0 { dx > 0 } else { false } })
  }

  @Test func `two fingers pinch and turn`() throws {
    func places(_ index: Int) -> [(x: Double, y: Double)] {
      let spread = 8 + Double(index) * 0.8
      let rise = Double(index) * 0.6
      return [(50 - spread, 33 - rise), (50 + spread, 33 + rise)]
    }
    try fingers.down(places(0))
    for index in 1...25 { try fingers.move(places(index)) }
    try fingers.up()
    let kinds = try events()
    #expect(kinds.contains(.pinchBegin(fingers: 2)))
    #expect(kinds.last == .pinchEnd(fingers: 2, cancelled: false))
    var scale = 0.0
    var turned = 0.0
    for case .pinch(2, _, _, let nowScale, let angle) in kinds {
      scale = nowScale
      turned += angle
    }
    #expect(scale > 2, "the scale counts from the begin")
    // Clockwise is positive: the right finger sinks.
    #expect((10...40).contains(turned))
  }

  @Test func `resting fingers hold`() throws {
    try fingers.down([(30, 30), (50, 30)])
    try bench.run(seconds: 0.5)
    try fingers.up()
    #expect(
      try events() == [.holdBegin(fingers: 2), .holdEnd(fingers: 2, cancelled: false)])
  }

  @Test func `a short touch is a tap`() throws {
    try fingers.down([(50, 30)])
    try bench.run(seconds: 0.03)
    try fingers.up()
    let kinds = try events()
    #expect(kinds.filter { $0 == .tap }.count == 1 && kinds.last == .tap)
  }

  @Test func `a click of the pad acts as it ends`() throws {
    try fingers.down([(50, 30)])
    try bench.run(seconds: 0.1)
    _ = try events()
    try fingers.device.emit(EV_KEY, BTN_LEFT, 1)
    try fingers.device.sync()
    #expect(try !events().contains(.tap))
    try fingers.device.emit(EV_KEY, BTN_LEFT, 0)
    try fingers.device.sync()
    #expect(try events() == [.tap])
    try fingers.up()
    _ = try events()
  }

  @Test func `unplugging under scrolling fingers releases nothing`() throws {
    try fingers.slide(fingers: 2, byMM: (0, 1), steps: 20, lifting: false)
    let device = fingers.device
    let thread = try BackgroundThread { device.unplug() }
    try bench.run(until: "removal") { bench.told[fingers.node]?.contains(.removed) ?? false }
    thread.join()
    let told = try bench.take(fingers.node)
    #expect(told.last == .removed)
    #expect(!told.contains(.event(.scrollEnd)))
    #expect(told.contains { if case .event(.scroll) = $0 { true } else { false } })
  }

  @Test func `unplugging a pressed pad is no tap`() throws {
    try fingers.down([(50, 30)])
    try bench.run(seconds: 0.3)
    try fingers.device.emit(EV_KEY, BTN_LEFT, 1)
    try fingers.device.sync()
    try bench.run(seconds: 0.1)
    let device = fingers.device
    let thread = try BackgroundThread { device.unplug() }
    try bench.run(until: "removal") { bench.told[fingers.node]?.contains(.removed) ?? false }
    thread.join()
    #expect(try !bench.take(fingers.node).contains(.event(.tap)))
  }

  @Test func `suspending under a swipe cancels it`() throws {
    try fingers.slide(fingers: 3, byMM: (1, 0), steps: 20, lifting: false)
    bench.inputs?.suspend()
    let told = try bench.take(fingers.node)
    #expect(told.last == .removed)
    #expect(!told.contains(.event(.swipeEnd(fingers: 3, cancelled: false))))
  }
}
