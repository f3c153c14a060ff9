// SPDX-License-Identifier: Apache-2.0

import Gestures
import Wire
import Pickers
import Testing

@testable import Scene

@Suite struct RulerSceneTests {
  @Test func `a glide that is called back before it has moved is told to have ended`() throws {
    var bench = SceneBench([ruler()])
    try bench.scene.move("ruler", by: 1, timeUs: 0)
    try bench.scene.move("ruler", by: -1, timeUs: 0)
    bench.collect()
    #expect(
      bench.plainWords == [
        "selection ruler 51 move", "settle ruler 51", "selection ruler 50 move", "rest ruler 50",
      ])
    #expect(bench.scene.deadlineUs == nil)
  }

  @Test func `a finger that lies still changes no phase, neither when it comes nor when it goes`()
    throws
  {
    var bench = SceneBench([ruler()])
    func phase() throws -> PickerPhase { try bench.scene.snapshot("ruler", timeUs: 0).phase }
    bench.down(500, 100, at: 0)
    #expect(try phase() == .idle && bench.scene.isHeld)
    bench.move(490, 100, at: 8)
    #expect(try phase() == .drag)
    bench.say(.cancel(slot: 0), at: 16)
    #expect(try phase() == .glide && !bench.scene.isHeld)
    bench.down(500, 100, at: 24)
    // It has caught the glide, and that is told.
    #expect(try phase() == .drag)
  }

  @Test func `what is said from outside comes after what is due, and before what comes later`() {
    var bench = SceneBench([ruler()])
    bench.down(500, 100, at: 0)
    bench.move(450, 100, at: 8)
    bench.move(300, 100, at: 16)
    bench.up(at: 20)
    let dueUs = bench.scene.deadlineUs ?? 0
    #expect((20_000..<5_000_000).contains(dueUs))
    bench.forget()
    #expect(bench.scene.catchUp(toUs: 5_000_000) == 5_000_000)
    bench.collect()
    #expect(bench.times.first == dueUs && bench.times.allSatisfy { $0 <= 5_000_000 })
    bench.forget()
    // A panel's clock is a little behind.
    bench.down(370, 100, at: 4999)
    bench.up(at: 4999.5)
    #expect(!bench.times.isEmpty && bench.times.allSatisfy { $0 >= 5_000_000 })
    #expect(bench.scene.catchUp(toUs: 0) == 5_000_000)
  }

  @Test func `a drag with a rest before the lift selects what the formula gives`() {
    var bench = SceneBench([ruler()])
    bench.down(500, 100, at: 0)
    for step in 1...20 { bench.move(500 - Double(step) * 10, 100, at: Double(step) * 8) }
    bench.up(at: 400)
    bench.advance(to: 5000)
    // 200 points to the left are 3.125 values up.
    #expect(
      bench.plainWords == [
        "selection ruler 51 drag", "tick ruler 51", "selection ruler 52 drag", "tick ruler 52",
        "selection ruler 53 drag", "tick ruler 53", "settle ruler 53", "rest ruler 53",
      ])
  }

  @Test func `of a throw that no hand can make only the last values are told`() {
    var bench = SceneBench([
      picker(
        ("id", .string("ruler")), ("type", .string("ruler")), ("region", region(0, 0, 1000, 200)),
        ("values", range(0, 2_147_483_646)), ("selection", number(0)))
    ])
    bench.down(900, 100, at: 0)
    // 800 points in a microsecond.
    bench.move(100, 100, at: 0.001)
    bench.up(at: 0.002)
    bench.forget()
    var told: [SceneEvent] = []
    bench.scene.advance(toUs: 60_000_000)
    _ = bench.scene.takeEvents(&told)
    bench.scene.events = told
    bench.collect()
    let ticks = bench.words.filter { $0.hasPrefix("tick") }
    #expect(ticks.count == 10_000)
    #expect(ticks.last?.replacing("tick", with: "rest") == bench.words.last)
    #expect(bench.times == bench.times.sorted())
    // The memory that it took is given back.
    for _ in 0..<2 { _ = bench.scene.takeEvents(&told) }
    #expect(told.capacity + bench.scene.events.capacity < 10_000)
  }

  @Test func `of two values each is an end, and is felt at each arrival`() {
    var bench = SceneBench([
      picker(
        ("id", .string("ruler")), ("type", .string("ruler")), ("region", region(0, 0, 1000, 200)),
        ("values", range(0, 1)), ("selection", number(0)))
    ])
    bench.down(500, 100, at: 0)
    for (index, x) in [430.0, 500, 430].enumerated() {
      bench.move(x, 100, at: Double(index + 1) * 300)
    }
    #expect(
      bench.words.filter { $0.hasPrefix("cue") } == Array(repeating: "cue ruler limit", count: 3))
  }

  @Test func `each panel's velocity goes by its own times, however late it is read`() throws {
    // The second panel's frames are read after later ones of the first.
    func settle(isBehind: Bool) throws -> Double {
      var bench = SceneBench([ruler(), ruler("other", y: 300)])
      bench.scene.deviceAdded(
        InputDevice(number: 3, id: "event3", kind: .touchscreen, name: "other"))
      bench.down(100, 100, at: 0)
      bench.say(.down(slot: 0, x: 0.9, y: 0.4), at: 0.5, device: 3)
      for step in 1...12 {
        let time = Double(step) * 8
        if isBehind { bench.move(100 + Double(step) * 64, 100, at: time + 3) }
        bench.say(.move(slot: 0, x: 0.9 - Double(step) * 0.016, y: 0.4), at: time, device: 3)
      }
      bench.say(.up(slot: 0), at: 97, device: 3)
      #expect(bench.times == bench.times.sorted())
      var velocity: Double?
      for case .picker("other", _, let event) in bench.said {
        if case .settle(_, let glide, _) = event.kind { velocity = glide.velocity }
      }
      return try #require(velocity)
    }
    #expect(try settle(isBehind: true) == settle(isBehind: false))
  }

  @Test(arguments: [(24.0, 0.0, "tap"), (0.0, 47.0, "tap"), (26, 0, "release"), (0, 52, "release")])
  func `a tap's slop is a length on the panel, not a number of points`(
    _ x: Double, _ y: Double, _ cause: String
  ) {
    var bench = SceneBench([ruler()])
    // 8⅓ points are a millimetre across, 16⅔ down.
    bench.scene.deviceAdded(
      InputDevice(
        number: 0, id: "event0", kind: .touchscreen, name: "panel", widthMM: 120, heightMM: 60))
    bench.down(630, 100, at: 0)
    bench.move(630 + x, 100 + y, at: 100)
    bench.up(at: 200)
    let taps = bench.words.filter { $0.hasSuffix(" tap") }
    #expect(taps.isEmpty == (cause != "tap"), "\(bench.words)")
  }

  @Test func `a tap selects the value under the finger without ticks`() {
    var bench = SceneBench([ruler()])
    bench.down(500 + 130, 100, at: 0)
    bench.up(at: 80)
    bench.advance(to: 5000)
    #expect(bench.plainWords == ["selection ruler 52 tap", "settle ruler 52", "rest ruler 52"])
  }

  @Test func `a finger that trembles within the slop is still a tap`() {
    var bench = SceneBench([ruler()])
    bench.down(500 + 130, 100, at: 0)
    // A drag of a ruler begins with the first point.
    for (index, x) in [633.0, 627, 634, 629].enumerated() {
      bench.move(x, 100, at: 10 + Double(index) * 10)
    }
    bench.up(at: 80)
    #expect(bench.plainWords.first == "selection ruler 52 tap")
  }

  @Test func `a tap on the selected value says nothing`() {
    var bench = SceneBench([ruler()])
    bench.down(510, 100, at: 0)
    bench.up(at: 80)
    bench.advance(to: 5000)
    #expect(bench.plainWords.isEmpty)
  }

  @Test func `a long press on a resting ruler says nothing`() {
    var bench = SceneBench([ruler()])
    bench.down(700, 100, at: 0)
    bench.up(at: 900)
    bench.advance(to: 5000)
    #expect(bench.plainWords.isEmpty)
  }

  @Test func `a cancelled drag takes its selection back`() {
    var bench = SceneBench([ruler()])
    bench.down(500, 100, at: 0)
    bench.move(400, 100, at: 10)
    bench.say(.cancel(slot: 0), at: 20)
    bench.advance(to: 5000)
    #expect(
      bench.plainWords == [
        "selection ruler 52 drag", "tick ruler 52", "selection ruler 50 cancel", "settle ruler 50",
        "rest ruler 50",
      ])
  }

  @Test func `unplugging cancels, and what was down is forgotten`() {
    var bench = SceneBench([ruler()])
    bench.down(500, 100, at: 0)
    bench.move(400, 100, at: 10)
    bench.scene.deviceRemoved(0, timeUs: 20_000)
    bench.collect()
    #expect(bench.plainWords.contains("selection ruler 50 cancel"))
    bench.forget()
    bench.scene.deviceAdded(InputDevice(number: 9, id: "e", kind: .touchscreen, name: "panel"))
    bench.say(.up(slot: 0), at: 30, device: 9)
    bench.say(.down(slot: 0, x: 0.63, y: 0.1), at: 4000, device: 9)
    bench.say(.up(slot: 0), at: 4050, device: 9)
    #expect(bench.plainWords.contains("selection ruler 52 tap"))
  }

  @Test func `a catch stops the glide, selects what is there, and does not tick`() {
    var bench = SceneBench([ruler()])
    bench.down(500, 100, at: 0)
    for step in 1...5 { bench.move(500 - Double(step) * 20, 100, at: Double(step) * 8) }
    bench.up(at: 44)
    bench.forget()
    bench.down(500, 100, at: 150)
    let caught = bench.plainWords
    #expect(caught.last?.hasSuffix("catch") ?? false)
    #expect(!caught.contains { $0.hasPrefix("rest") })
    bench.forget()
    bench.up(at: 200)
    bench.advance(to: 5000)
    // It was caught: a short touch is no tap.
    #expect(bench.plainWords.map { $0.prefix(4) } == ["sett", "rest"])
  }

  @Test func `with reduced motion all happens at the release`() {
    var bench = SceneBench([ruler()], reducesMotion: true)
    bench.down(500, 100, at: 0)
    for step in 1...4 { bench.move(500 - Double(step) * 20, 100, at: Double(step) * 8) }
    bench.forget()
    bench.up(at: 36)
    let words = bench.plainWords.map { String($0.prefix(4)) }
    #expect(words == ["sele", "sett", "tick", "rest"])
  }

  @Test func `numbers that are not finite do nothing`() {
    var bench = SceneBench([ruler()])
    bench.say(.down(slot: 0, x: .nan, y: 0.1), at: 0)
    bench.say(.move(slot: 0, x: .infinity, y: 0.1), at: 5)
    bench.say(.up(slot: 0), at: 10)
    bench.down(500, 100, at: 20)
    bench.say(.move(slot: 0, x: -.infinity, y: .nan), at: 25)
    bench.up(at: 600)
    bench.advance(to: 5000)
    #expect(bench.plainWords.isEmpty)
  }
}
