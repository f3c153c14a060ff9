// SPDX-License-Identifier: Apache-2.0

import DetentClient
import Gestures
import Scene
import Testing
import Wire

@testable import DetentDaemon

/// A client that hears lines alone knows what the scene knows.
@Suite struct PickerStoreTests {
  private struct Random: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return state
    }
  }

  private static let configuration = """
    [gesture]
    velocity = "swiftui"
    [[display]]
    width = 1000
    height = 1000
    [[picker]]
    id = "ruler"
    type = "ruler"
    region = { x = 0, y = 0, width = 1000, height = 250 }
    values = { from = 0, through = 100, step = 1 }
    selection = 50
    [[picker]]
    id = "menu"
    type = "carousel"
    region = { x = 0, y = 250, width = 1000, height = 250 }
    items = ["a", "b", "c", "d", "e"]
    padding = 300
    [[picker]]
    id = "colours"
    type = "swatches"
    region = { x = 0, y = 500, width = 400, height = 250 }
    colors = ["#1", "#2", "#3", "#4"]
    columns = 2
    size = 100
    [[picker]]
    id = "wheel"
    type = "radial"
    region = { x = 400, y = 500, width = 300, height = 300 }
    values = { from = 1, through = 10, step = 1 }
    [[picker]]
    id = "dial"
    type = "radial"
    region = { x = 700, y = 500, width = 300, height = 300 }
    values = { from = 1, through = 12, step = 1 }
    mode = "rotate"
    """

  /// A scene and a client that follows it.
  private struct Pair {
    var scene: Scene
    var store = PickerStore()
    private var encoder = EventEncoder()

    init(reducesMotion: Bool, wantsMotion: Bool) throws {
      let file = try Fixtures.withFile(
        "[daemon]\nreduce_motion = \(reducesMotion)\n" + PickerStoreTests.configuration
      ) { path in try Configuration(file: path) }
      scene = Scene(settings: file.scene, timeUs: 0)
      scene.open(file.pickers, timeUs: 0)
      scene.events.removeAll()
      scene.wantsMotion = wantsMotion
      for (number, kind) in [InputDevice.Kind.touchscreen, .touchpad, .knob].enumerated() {
        scene.deviceAdded(
          InputDevice(number: number, id: "event\(number)", kind: kind, name: "device"))
      }
      store.apply(try snapshot(atUs: 0))
    }

    func states(atUs timeUs: Int64) throws -> [PickerState] {
      try scene.snapshots(timeUs: timeUs).map { snapshot in
        var writer = JSONWriter()
        writer.state(snapshot)
        return try PickerState(try JSONParser.value(of: writer.bytes))
      }
    }

    func snapshot(atUs timeUs: Int64) throws -> Snapshot {
      let states: JSONValue = .array(
        try scene.snapshots(timeUs: timeUs).map { snapshot in
          var writer = JSONWriter()
          writer.state(snapshot)
          return try JSONParser.value(of: writer.bytes)
        })
      return try Snapshot([
        "pickers": states, "displays": [], "devices": [], "focus": .null, "inhibited": false,
        "active": true, "now_us": .integer(timeUs),
      ])
    }

    mutating func flush() throws {
      for event in scene.events {
        encoder.write(event)
        let line = try JSONParser.value(of: encoder.line.bytes)
        let notification = try #require(ServerNotification(line))
        if case .unknown = notification { Issue.record("not known: \(line)") }
        store.apply(notification)
      }
      scene.events.removeAll()
    }

    mutating func say(_ kind: InputEvent.Kind, atUs timeUs: Int64, device: Int) throws {
      scene.handle(InputEvent(timeUs: timeUs, device: device, kind: kind))
      try flush()
    }
  }

  @Test(arguments: 0..<12)
  func `it knows what the scene knows, from lines alone`(round: Int) throws {
    let seed = UInt64.random(in: .min ... .max) | 1
    print("seed \(seed)")
    var random = Random(state: seed)
    let hasMotion = round % 3 != 2
    var pair = try Pair(reducesMotion: round % 4 == 3, wantsMotion: hasMotion)
    var timeUs: Int64 = 1_000_000
    for _ in 0..<200 {
      timeUs += [0, 1, 1_000, 8_000, 40_000, 400_000].randomElement(using: &random) ?? 8_000
      let slot = Int.random(in: 0...2, using: &random)
      let x = Double.random(in: 0...1, using: &random)
      let y = Double.random(in: 0...1, using: &random)
      switch Int.random(in: 0..<21, using: &random) {
      case 0..<4: try pair.say(.down(slot: slot, x: x, y: y), atUs: timeUs, device: 0)
      case 4..<11: try pair.say(.move(slot: slot, x: x, y: y), atUs: timeUs, device: 0)
      case 11..<15: try pair.say(.up(slot: slot), atUs: timeUs, device: 0)
      case 15: try pair.say(.cancel(slot: slot), atUs: timeUs, device: 0)
      case 16: try pair.say(.scroll(dx: x * 100, dy: y * 100), atUs: timeUs, device: 1)
      case 17: try pair.say(.scrollEnd, atUs: timeUs, device: 1)
      case 18: try pair.say(.turn(steps: slot - 1), atUs: timeUs, device: 2)
      case 19:
        // A reader that was too slow, or came back: all at once.
        pair.store.apply(try pair.snapshot(atUs: timeUs))
      default:
        let id = pair.scene.ids.randomElement(using: &random) ?? "ruler"
        try pair.scene.move(id, by: Int.random(in: -9...9, using: &random), timeUs: timeUs)
        try pair.flush()
      }
      // What is due by then has to be said before anybody looks.
      pair.scene.advance(toUs: timeUs)
      try pair.flush()
      try Self.compare(pair, atUs: timeUs, hasMotion: hasMotion, seed: seed)
    }
    pair.scene.cancelAll(timeUs: timeUs)
    try pair.flush()
    while pair.scene.isGliding, let deadlineUs = pair.scene.deadlineUs {
      timeUs = max(timeUs, deadlineUs)
      pair.scene.advance(toUs: timeUs)
      try pair.flush()
      try Self.compare(pair, atUs: timeUs, hasMotion: hasMotion, seed: seed)
    }
    let atRest = pair.store
    pair.store.disconnect()
    for (after, before) in zip(pair.store.pickers, atRest.pickers) {
      // What rests, stays.
      #expect(after.state.value == before.state.value, "seed \(seed)")
      #expect(after.offset(atUs: timeUs) == before.offset(atUs: timeUs), "seed \(seed)")
      #expect(after.phase(atUs: timeUs) == .idle, "seed \(seed)")
    }
  }

  private static func compare(
    _ pair: Pair, atUs timeUs: Int64, hasMotion: Bool, seed: UInt64
  ) throws {
    for state in try pair.states(atUs: timeUs) {
      let known = try #require(pair.store[state.picker], "seed \(seed)")
      let place: Comment = "seed \(seed): \(state.picker) at \(timeUs)"
      #expect(known.state.index == state.index, place)
      #expect(known.state.value == state.value, place)
      #expect(known.state.title == state.title, place)
      #expect(known.state.revision == state.revision, place)
      #expect(known.state.pressed == state.pressed, place)
      let phase = known.phase(atUs: timeUs)
      // Without motion, a drag that has not passed a value yet is not known.
      if hasMotion || state.phase != .drag { #expect(phase == state.phase, place) }
      guard hasMotion || state.phase != .drag else { continue }
      #expect(known.liveIndex(atUs: timeUs) == state.liveIndex, place)
      guard let there = state.offset ?? state.degree else { continue }
      let offset = try #require(known.offset(atUs: timeUs))
      let distance = offset - there
      #expect(abs(distance) < 1e-6, "seed \(seed): \(state.picker) is off by \(distance)")
    }
  }

  @Test func `the end of the connection takes a drag back`() throws {
    var pair = try Pair(reducesMotion: false, wantsMotion: true)
    try pair.say(.down(slot: 0, x: 0.5, y: 0.1), atUs: 1_000_000, device: 0)
    for step in 1...6 {
      try pair.say(
        .move(slot: 0, x: 0.5 - Double(step) * 0.04, y: 0.1),
        atUs: 1_000_000 + Int64(step) * 16_000, device: 0)
    }
    try pair.say(.down(slot: 1, x: 0.1, y: 0.55), atUs: 1_200_000, device: 0)
    let held = try #require(pair.store["ruler"])
    #expect(held.state.phase == .drag && held.state.value != 50)
    #expect(pair.store["colours"]?.state.pressed == 0)
    pair.store.disconnect()
    let ruler = try #require(pair.store["ruler"])
    #expect(ruler.state.phase == .idle && ruler.state.value == 50 && ruler.state.title == "50")
    #expect(ruler.offset(atUs: 0) == 0 && ruler.liveIndex(atUs: 0) == 50)
    #expect(pair.store["colours"]?.state.pressed == nil)
    #expect(!pair.store.isConnected)
  }

  @Test func `the end of the connection lets a glide go on`() throws {
    var pair = try Pair(reducesMotion: false, wantsMotion: false)
    try pair.say(.down(slot: 0, x: 0.5, y: 0.1), atUs: 1_000_000, device: 0)
    try pair.say(.move(slot: 0, x: 0.4, y: 0.1), atUs: 1_008_000, device: 0)
    try pair.say(.up(slot: 0), atUs: 1_016_000, device: 0)
    let before = try #require(pair.store["ruler"])
    let glide = try #require(before.state.glide)
    pair.store.disconnect()
    let after = try #require(pair.store["ruler"])
    #expect(after == before)
    #expect(after.phase(atUs: glide.restUs - 1) == .glide)
    #expect(after.phase(atUs: glide.restUs) == .idle)
    #expect(after.offset(atUs: glide.restUs) == glide.to)
  }
}
