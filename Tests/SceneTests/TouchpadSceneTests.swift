// SPDX-License-Identifier: Apache-2.0

import Gestures
import Pickers
import Testing

@testable import Scene

@Suite struct TouchpadSceneTests {
  private let swatches = picker(
    ("id", .string("colours")), ("type", .string("swatches")), ("region", region(0, 400, 600, 200)),
    ("colors", texts("#111111", "#222222", "#333333", "#444444", "#555555", "#666666", "#777777")),
    ("selection", .string("#111111")))
  private let wheel = picker(
    ("id", .string("wheel")), ("type", .string("radial")), ("region", region(0, 600, 400, 400)),
    ("values", range(0, 9)), ("selection", number(0)), ("mode", .string("rotate")))

  @Test func `two fingers drag the picker that has the focus, and let it glide`() {
    var bench = SceneBench([ruler()])
    for step in 1...10 { bench.say(.scroll(dx: -20, dy: 0), at: Double(step) * 8, device: 1) }
    bench.say(.scrollEnd, at: 90, device: 1)
    bench.advance(to: 5000)
    #expect(bench.plainWords.contains("selection ruler 53 drag"))
    #expect(bench.plainWords.contains { $0.hasSuffix("release") })
    #expect(bench.plainWords.last?.hasPrefix("rest") ?? false)
  }

  @Test func `resting fingers stop a glide`() {
    var bench = SceneBench([ruler()])
    for step in 1...10 { bench.say(.scroll(dx: -20, dy: 0), at: Double(step) * 8, device: 1) }
    bench.say(.scrollEnd, at: 90, device: 1)
    bench.forget()
    bench.say(.holdBegin(fingers: 2), at: 150, device: 1)
    #expect(bench.plainWords.last?.hasSuffix("catch") ?? false)
    bench.say(.holdEnd(fingers: 2, cancelled: false), at: 400, device: 1)
    bench.advance(to: 5000)
    #expect(bench.plainWords.last?.hasPrefix("rest") ?? false)
  }

  @Test func `three fingers move the focus`() {
    var bench = SceneBench([ruler("a"), ruler("b", y: 300)])
    #expect(bench.scene.focus == "a")
    bench.say(.swipeBegin(fingers: 3), at: 0, device: 1)
    bench.say(.swipe(fingers: 3, dx: -200, dy: 10), at: 10, device: 1)
    bench.say(.swipeEnd(fingers: 3, cancelled: false), at: 20, device: 1)
    #expect(bench.words == ["focus b"])
    bench.say(.swipeBegin(fingers: 3), at: 30, device: 1)
    bench.say(.swipe(fingers: 3, dx: 200, dy: 10), at: 40, device: 1)
    bench.say(.swipeEnd(fingers: 3, cancelled: true), at: 50, device: 1)
    #expect(bench.words == ["focus b"])
  }

  @Test func `swatches move by cells, and a tap chooses`() {
    var bench = SceneBench([swatches])
    bench.say(.scroll(dx: 150, dy: 0), at: 0, device: 1)
    bench.say(.scroll(dx: 0, dy: 60), at: 10, device: 1)
    bench.say(.scrollEnd, at: 20, device: 1)
    bench.say(.tap, at: 500, device: 1)
    #expect(
      bench.plainWords == [
        "selection colours #222222 scroll", "selection colours #777777 scroll", "press colours 6",
        "release colours 6",
      ])
    #expect(bench.words.last == "cue colours selection")
  }

  @Test func `a pinch turns the wheel`() {
    var bench = SceneBench([wheel])
    bench.say(.pinchBegin(fingers: 2), at: 0, device: 1)
    for step in 1...9 {
      bench.say(
        .pinch(fingers: 2, dx: 0, dy: 0, scale: 1, angle: -4), at: Double(step) * 10, device: 1)
    }
    bench.say(.pinchEnd(fingers: 2, cancelled: false), at: 300, device: 1)
    bench.advance(to: 5000)
    // The wheel turns counterclockwise by one step of 36 degrees: the next value comes to the bottom.
    #expect(
      bench.plainWords == [
        "selection wheel 1 drag", "tick wheel 1", "settle wheel 1", "rest wheel 1",
      ])
  }

  @Test func `a wheel that goes round passes no more values than it does elsewhere`() {
    var bench = SceneBench([wheel])
    bench.say(.pinchBegin(fingers: 2), at: 0, device: 1)
    // Backwards over the first value, one at a time, and then three at once.
    for step in 1...3 {
      bench.say(
        .pinch(fingers: 2, dx: 0, dy: 0, scale: 1, angle: 36), at: Double(step) * 100, device: 1)
    }
    bench.say(.pinch(fingers: 2, dx: 0, dy: 0, scale: 1, angle: -108), at: 400, device: 1)
    #expect(bench.plainWords.filter { $0.hasPrefix("tick") }.last == "tick wheel 0")
    #expect(bench.passed == [1, 1, 1, 3])
  }

  @Test func `a knob moves the focused picker, and its button the focus`() {
    var bench = SceneBench([ruler("a"), ruler("b", y: 300)])
    bench.say(.turn(steps: 2), at: 0, device: 2)
    bench.say(.press, at: 10, device: 2)
    bench.say(.turn(steps: -1), at: 20, device: 2)
    bench.scene.inhibit(true, holder: 1, timeUs: 30_000)
    bench.say(.turn(steps: 5), at: 40, device: 2)
    #expect(
      bench.words == [
        "selection a 52 knob", "settle a 52", "focus b", "selection b 49 knob", "settle b 49",
        "inhibit true",
      ])
  }

  @Test func `a knob that takes the picker from a scroll keeps it until the fingers lift`() {
    var bench = SceneBench([ruler()])
    bench.say(.scroll(dx: -70, dy: 0), at: 0, device: 1)
    bench.say(.turn(steps: 3), at: 8, device: 2)
    bench.forget()
    bench.say(.scroll(dx: -70, dy: 0), at: 16, device: 1)
    bench.say(.scrollEnd, at: 24, device: 1)
    #expect(!bench.words.contains { $0.contains("catch") || $0.contains("drag") })
    bench.advance(to: 5000)
    bench.forget()
    bench.say(.scroll(dx: -70, dy: 0), at: 6000, device: 1)
    #expect(bench.words.contains { $0.hasSuffix("drag") })
  }
}
