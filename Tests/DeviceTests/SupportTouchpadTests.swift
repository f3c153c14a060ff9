// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import TestSupport
import Testing

/// libinput takes the virtual touchpad's fingers for the gestures that they are.
@Suite(
  .serialized, .enabled(if: InputNodes.canUseUinput, Comment(rawValue: InputNodes.needsUinput)),
  .enabled(if: ChildProcess.isInstalled("libinput"), "needs the libinput tool, of libinput-tools"))
struct SupportTouchpadTests {
  /// The events that libinput makes of what fingers do, by name, in order, without repetitions.
  private func events(
    until last: String, _ fingers: (VirtualTouchpad) throws -> Void
  ) throws -> [String] {
    let touchpad = try VirtualTouchpad()
    let tool = try ChildProcess(
      ["libinput", "debug-events", "--device", touchpad.node, "--enable-tap"])
    try tool.waitForLine("DEVICE_ADDED") { $0.contains("DEVICE_ADDED") }
    // libinput takes no notice of a touchpad's first moments, so that a palm on it does nothing.
    usleep(400_000)
    // On a machine that is too busy to pace a finger it may be taken for something else.
    for _ in 0..<8 where !tool.outputLines.contains(where: { $0.contains(last) }) {
      try fingers(touchpad)
      _ = try? tool.waitForLine(last, seconds: 1) { $0.contains(last) }
    }
    try tool.waitForLine(last) { $0.contains(last) }
    var names: [String] = []
    for line in tool.outputLines {
      let words = line.split(whereSeparator: \.isWhitespace)
      guard words.count > 1, let name = words.dropFirst().first(where: { $0.contains("_") }),
        names.last != String(name)
      else { continue }
      names.append(String(name))
    }
    return names
  }

  @Test func twoFingersScroll() throws {
    let names = try events(until: "POINTER_SCROLL_FINGER") {
      try $0.scroll(dxMM: 0, dyMM: 30)
    }
    #expect(names.contains("POINTER_SCROLL_FINGER"))
  }

  @Test(arguments: [3, 4]) func moreFingersSwipe(fingers: Int) throws {
    let names = try events(until: "GESTURE_SWIPE_END") {
      try $0.swipe(fingers: fingers, dxMM: 30, dyMM: 0)
    }
    #expect(names.contains("GESTURE_SWIPE_BEGIN") && names.contains("GESTURE_SWIPE_UPDATE"))
    #expect(!names.contains("GESTURE_PINCH_BEGIN"))
  }

  @Test func twoFingersPinchAndTurn() throws {
    let names = try events(until: "GESTURE_PINCH_END") { try $0.pinch(scale: 1.6, degrees: 60) }
    #expect(names.contains("GESTURE_PINCH_BEGIN") && names.contains("GESTURE_PINCH_UPDATE"))
    #expect(!names.contains("POINTER_SCROLL_FINGER"))
  }

  @Test func aTapIsAButton() throws {
    let names = try events(until: "POINTER_BUTTON") { try $0.tap() }
    #expect(names.contains("POINTER_BUTTON"))
  }

  @Test func fingersThatRestAreHeld() throws {
    let names = try events(until: "GESTURE_HOLD_END") { try $0.hold(fingers: 2, seconds: 0.8) }
    #expect(names.contains("GESTURE_HOLD_BEGIN"))
  }
}
