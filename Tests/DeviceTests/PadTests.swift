// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import LinuxIO
import TestSupport
import Testing
import Wire

/// Touchpads of real make, from fingers to what a client is told.
@Suite(
  .serialized, .enabled(if: InputNodes.canUseUinput, "\(InputNodes.needsUinput)"),
  .enabled(if: DaemonProcess.isBuilt, "\(DaemonProcess.needsBinary)"),
  .enabled(if: SharedFixtures.isPresent, "\(SharedFixtures.reason)"))
struct PadTests {
  /// One of each bus: over I2C, PS/2 and USB.
  static let pads = [
    "touchpad--dell097d-00-04f3-311c-touchpad--04f3-311c",
    "touchpad--etps-2-elantech-touchpad--0002-000e-3",
    "touchpad--logitech-rechargeable-touchpad-t650--046d-4101",
  ]

  private static let configuration = """
    [[display]]
    id = "main"
    width = 1000
    height = 1000
    [[picker]]
    id = "ruler"
    type = "ruler"
    region = { x = 0, y = 0, width = 1000, height = 200 }
    values = { from = 0, through = 1000, step = 1 }
    selection = 500
    [[picker]]
    id = "colours"
    type = "swatches"
    region = { x = 0, y = 200, width = 600, height = 200 }
    colors = ["#111111", "#222222", "#333333", "#444444", "#555555", "#666666"]
    selection = "#111111"
    [[picker]]
    id = "wheel"
    type = "radial"
    region = { x = 0, y = 500, width = 400, height = 400 }
    values = { from = 0, through = 35, step = 1 }
    selection = 0
    mode = "rotate"

    """

  /// Does something with fingers, again where a machine that is too busy to pace them made something else of it.
  private func again(
    _ what: String, _ bench: ServiceBench, _ fingers: () throws -> Void,
    until holds: () throws -> Bool
  ) throws {
    for _ in 0..<6 {
      try fingers()
      let endUs = EventLoop.clockUs() + 700_000
      while EventLoop.clockUs() < endUs {
        try bench.client.receive(milliseconds: 20)
        if try holds() { return }
      }
    }
    throw TestFailure("no \(what): \(bench.client.lines.suffix(12))")
  }

  private func cause(_ wanted: String, _ bench: ServiceBench, of picker: String) -> Bool {
    bench.client.notifications("selection").contains {
      $0["picker"] == .string(picker) && $0["cause"] == .string(wanted)
    }
  }

  @Test(arguments: pads)
  func `a touchpad drags, flings, stops, turns, taps and moves the focus`(name: String) throws {
    let pad = try VirtualTouchpad(
      DeviceDescription(json: "\(SupportDescriptionTests.folder)/\(name).json"))
    let bench = try ServiceBench(Self.configuration)
    try bench.use(pad.node)
    // libinput takes no notice of a touchpad's first moments.
    usleep(400_000)

    // Two fingers to the left: the strip follows them, and glides on after their lift.
    try again("release", bench, { try pad.scroll(dxMM: -25, dyMM: 0, seconds: 0.25) }) {
      cause("release", bench, of: "ruler")
    }
    #expect(cause("drag", bench, of: "ruler"))
    let settle = try #require(bench.client.notifications("settle").first)
    #expect(Self.number(settle["velocity"]) < 0)
    #expect(Self.number(settle["offset_to"]) < Self.number(settle["offset_from"]))

    // Fingers that rest stop a glide.
    try again(
      "catch", bench,
      {
        try pad.scroll(dxMM: -30, dyMM: 0, seconds: 0.15)
        try pad.hold(fingers: 2, seconds: 0.5)
      }
    ) { cause("catch", bench, of: "ruler") }

    // Three fingers to the left: the next picker.
    try again("focus", bench, { try pad.swipe(fingers: 3, dxMM: -30, dyMM: 0) }) {
      bench.client.notifications("focus").contains { $0["picker"] == .string("colours") }
    }
    try bench.client.request("focus", #"{"picker":"colours"}"#)

    // A finger's width of travel is a cell or more; then a tap presses the one that is chosen.
    try again("scroll", bench, { try pad.scroll(dxMM: 25, dyMM: 0) }) {
      cause("scroll", bench, of: "colours")
    }
    try again("press", bench, { try pad.tap() }) {
      bench.client.notifications("press").contains { $0["pressed"] == .bool(false) }
    }

    // Two fingers that turn clockwise turn the wheel.
    try bench.client.request("focus", #"{"picker":"wheel"}"#)
    try again("turn", bench, { try pad.pinch(scale: 1.5, degrees: 60) }) {
      cause("drag", bench, of: "wheel")
    }
    #expect(try bench.rested("wheel") != .integer(0))
    #expect(bench.client.notifications("resync").isEmpty)
  }

  /// Streams of real scrolls, at the pace at which fingers made them.
  @Test(arguments: [
    ("recordings__touchpads__SynPS2-Synaptics-TouchPad-Clickpad.two-finger-scroll-down", true),
    ("ite8595-touchpad.two-finger-swipe-up", false),
  ])
  func `content follows the fingers of a real scroll`(name: String, isDown: Bool) throws {
    let path = try #require(SharedFixtures.recordings().first { $0.contains(name) })
    let recording = try EvemuRecording(path: path)
    let device = try VirtualDevice(recording.device)
    let bench = try ServiceBench(
      Self.configuration.replacing(
        "type = \"ruler\"", with: "type = \"ruler\"\naxis = \"vertical\""))
    try bench.use(device.node)
    usleep(400_000)
    try again(
      "release", bench,
      {
        let startUs = EventLoop.clockUs()
        for event in recording.events {
          Waiting.sleep(untilUs: startUs + event.timeUs)
          try device.emit(event.type, event.code, event.value)
        }
        try lift(recording, device)
      }
    ) { !bench.client.notifications("settle").isEmpty }
    let settle = try #require(bench.client.notifications("settle").first)
    let value = try bench.rested()
    guard case .integer(let number) = value else {
      Issue.record("\(value)")
      return
    }
    #expect(isDown ? number < 500 : number > 500, "\(settle)")
  }

  /// Lifts what a recording leaves down.
  private func lift(_ recording: EvemuRecording, _ device: VirtualDevice) throws {
    let lifts = StreamTests.Stream(path: "", events: recording.events).lifts(on: recording.device)
    for event in lifts { try device.emit(event.type, event.code, event.value) }
  }

  private static func number(_ value: JSONValue?) -> Double {
    switch value {
    case .integer(let number)?: Double(number)
    case .number(let number)?: number
    default: .nan
    }
  }
}
