// SPDX-License-Identifier: Apache-2.0

import Gestures
import Pickers
import Testing

@testable import Scene

@Suite struct RoutingTests {
  @Test func `the topmost picker owns the contact, and a disabled one swallows it`() {
    let top = picker(
      ("id", .string("top")), ("type", .string("ruler")), ("region", region(400, 0, 200, 200)),
      ("values", range(0, 100)), ("selection", number(50)), ("enabled", .bool(false)))
    var bench = SceneBench([ruler(), top])
    bench.down(450, 100, at: 0)
    bench.up(at: 50)
    #expect(bench.words.isEmpty)
    bench.down(700, 100, at: 100)
    bench.up(at: 150)
    #expect(bench.words.contains { $0.hasPrefix("selection ruler") })
  }

  @Test(arguments: [
    Region(x: 100, y: 100, width: 1e-15, height: 1e-15),
    Region(x: 0, y: 0, width: .leastNonzeroMagnitude, height: 100),
    Region(x: 0, y: 0, width: 1e9, height: .leastNonzeroMagnitude),
    Region(x: 0, y: 0, width: 0, height: 0),
  ])
  func `a region that no double tells from a line is found by nobody, and harms nobody`(
    region: Region
  ) {
    let index = RegionIndex([(0, region)])
    #expect(index.topmost(at: Point(x: region.x + 50, y: region.y + 50)) == nil)
    _ = index.topmost(at: Point(x: region.x, y: region.y))
  }

  @Test func `two fingers drag two pickers, a second finger on one is ignored`() {
    var bench = SceneBench([ruler("a"), ruler("b", y: 300)])
    bench.down(500, 100, at: 0, slot: 0)
    bench.down(500, 400, at: 1, slot: 1)
    bench.down(600, 100, at: 2, slot: 2)
    bench.move(600, 100, at: 10, slot: 0)
    bench.move(400, 400, at: 11, slot: 1)
    bench.move(100, 100, at: 12, slot: 2)
    #expect(
      bench.plainWords == [
        "selection a 48 drag", "tick a 48", "selection b 52 drag", "tick b 52",
      ])
  }

  @Test func `a finger whose lift was lost gives its picker up to the next one`() {
    var bench = SceneBench([ruler()])
    bench.down(500, 100, at: 0, slot: 0)
    bench.move(400, 100, at: 100, slot: 0)
    // It may rest for long, as long as it is the only one.
    bench.advance(to: 9_000)
    bench.down(500, 100, at: 9_000, slot: 1)
    bench.up(at: 9_100, slot: 1)
    #expect(bench.plainWords == ["selection ruler 52 drag", "tick ruler 52"])
    bench.forget()
    bench.down(500, 100, at: 10_200, slot: 1)
    #expect(bench.plainWords.first == "selection ruler 50 cancel")
    bench.move(436, 100, at: 10_300, slot: 1)
    bench.up(at: 10_900, slot: 1)
    // What comes of the other one now is nobody's matter.
    bench.move(100, 100, at: 11_000, slot: 0)
    bench.up(at: 11_100, slot: 0)
    bench.advance(to: 20_000)
    // It caught the strip where the other one had left it, and went one value on.
    #expect(bench.plainWords.last == "rest ruler 53")
  }

  @Test func `a down in an occupied slot cancels what was there`() {
    var bench = SceneBench([ruler()])
    bench.down(500, 100, at: 0)
    bench.move(400, 100, at: 10)
    bench.down(500, 100, at: 20)
    #expect(bench.plainWords.contains("selection ruler 50 cancel"))
  }

  @Test(arguments: [
    (Display.Rotation.none, 0.2, 0.1), (.clockwise, 0.1, 0.8), (.half, 0.8, 0.9),
    (.counterclockwise, 0.9, 0.2),
  ])
  func `a finger lands where the layout shows it`(
    rotation: Display.Rotation, u: Double, v: Double
  ) {
    let display = Display(id: "main", width: 1000, height: 1000, rotation: rotation)
    let point = display.point(u: u, v: v)
    #expect(abs(point.x - 200) < 1e-9 && abs(point.y - 100) < 1e-9)
  }

  @Test func `corners go where libinput's matrices put them`() {
    func corner(_ rotation: Display.Rotation) -> [Double] {
      let point = Display(id: "a", width: 1, height: 1, rotation: rotation).point(u: 0, v: 0)
      return [point.x, point.y]
    }
    #expect(corner(.none) == [0, 0])
    #expect(corner(.clockwise) == [1, 0])
    #expect(corner(.half) == [1, 1])
    #expect(corner(.counterclockwise) == [0, 1])
  }

  @Test func `margins, dead zones and places outside take no finger`() {
    let display = Display(
      id: "main", width: 1000, height: 1000, edgeMargin: 20,
      deadZones: [Region(x: 100, y: 100, width: 50, height: 50)])
    var bench = SceneBench([ruler()], displays: [display])
    for (time, place) in [(10.0, 100.0), (120, 120), (1100, 100)].enumerated() {
      bench.down(place.0, place.1, at: Double(time) * 1000)
      bench.up(at: Double(time) * 1000 + 50)
    }
    #expect(bench.words.isEmpty)
    bench.down(30, 100, at: 5000)
    bench.up(at: 5050)
    #expect(!bench.words.isEmpty)
  }

  @Test func `touches are swallowed while inhibited and within the guard, each to its end`() {
    var bench = SceneBench([ruler()])
    bench.scene.inhibit(true, holder: 1, guardUs: 200_000, timeUs: 0)
    bench.down(700, 100, at: 10)
    bench.scene.inhibit(false, holder: 1, timeUs: 20_000)
    bench.up(at: 60)
    bench.down(700, 100, at: 120)
    bench.up(at: 400)
    bench.down(700, 100, at: 500)
    bench.up(at: 550)
    bench.advance(to: 3000)
    #expect(
      bench.plainWords == [
        "inhibit true", "inhibit false", "selection ruler 53 tap", "settle ruler 53",
        "rest ruler 53",
      ])
  }

  @Test func `a lease ends by itself, and touches count again`() {
    var bench = SceneBench([ruler()])
    bench.scene.inhibit(true, holder: 1, forUs: 100_000, timeUs: 0)
    bench.scene.inhibit(true, holder: 2, forUs: 200_000, timeUs: 0)
    bench.advance(to: 150)
    #expect(bench.scene.isInhibited)
    bench.advance(to: 250)
    #expect(!bench.scene.isInhibited)
    #expect(bench.words == ["inhibit true", "inhibit false"])
  }

  @Test func `nobody there is told once, then the pickers go back without ticks`() {
    var bench = SceneBench([ruler()], idleAfterUs: 1_000_000, idleResetUs: 3_000_000)
    bench.down(700, 100, at: 0)
    bench.up(at: 50)
    bench.advance(to: 900)
    bench.forget()
    bench.advance(to: 20_000)
    #expect(
      bench.words == [
        "activity false 2000", "selection ruler 50 idle_reset", "settle ruler 50", "rest ruler 50",
      ])
    bench.forget()
    bench.say(.down(slot: 0, x: 0.5, y: 0.9), at: 30_000)
    #expect(bench.words == ["activity true"])
  }

  @Test func `a picker goes while a finger is on it`() throws {
    var bench = SceneBench([ruler("a"), ruler("b", y: 300)])
    bench.down(500, 100, at: 0)
    bench.move(400, 100, at: 10)
    bench.forget()
    try bench.scene.remove("a", timeUs: 20_000)
    bench.move(300, 100, at: 30)
    bench.up(at: 40)
    bench.advance(to: 3000)
    #expect(
      bench.plainWords == ["selection a 50 cancel", "settle a 50", "removed a"])
  }

  @Test func `a changed picker keeps its selection, a lost one opens anew`() throws {
    var bench = SceneBench([ruler()])
    try bench.scene.select("ruler", index: 60, timeUs: 0)
    bench.advance(to: 3000)
    bench.forget()
    let wider = picker(
      ("id", .string("ruler")), ("type", .string("ruler")), ("region", region(0, 0, 900, 100)),
      ("values", range(0, 80)), ("selection", number(10)))
    try bench.scene.update(wider, timeUs: 3_000_000)
    bench.collect()
    #expect(bench.words == ["updated ruler"])
    #expect(try bench.scene.snapshot("ruler", timeUs: 3_000_000).selection == 60)
    bench.forget()
    let shorter = picker(
      ("id", .string("ruler")), ("type", .string("ruler")), ("region", region(0, 0, 900, 100)),
      ("values", range(0, 20)), ("selection", number(10)))
    try bench.scene.update(shorter, timeUs: 4_000_000)
    bench.collect()
    #expect(bench.words == ["selection ruler 10 configuration", "updated ruler"])
  }

  @Test func `disabling during a drag cancels it`() throws {
    var bench = SceneBench([ruler()])
    bench.down(500, 100, at: 0)
    bench.move(400, 100, at: 10)
    bench.forget()
    let disabled = picker(
      ("id", .string("ruler")), ("type", .string("ruler")), ("region", region(0, 0, 1000, 200)),
      ("values", range(0, 100)), ("selection", number(50)), ("enabled", .bool(false)))
    try bench.scene.update(disabled, timeUs: 20_000)
    bench.collect()
    #expect(bench.plainWords == ["selection ruler 50 cancel", "settle ruler 50", "updated ruler"])
    bench.up(at: 30)
  }

  @Test func `times that go backwards are clamped`() {
    var bench = SceneBench([ruler()])
    bench.down(500, 100, at: 100)
    bench.move(400, 100, at: 50)
    bench.up(at: 60)
    bench.advance(to: 5000)
    var last: Int64 = 0
    for event in bench.said {
      guard case .picker(_, _, let event) = event else { continue }
      #expect(event.timeUs >= last)
      last = event.timeUs
    }
  }
}
