// SPDX-License-Identifier: Apache-2.0

import Gestures
import Pickers
import Testing
import Wire

@testable import Scene

/// Random fingers on random pickers: what must hold whatever they do.
@Suite struct PropertyTests {
  private struct Random: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return state
    }
  }

  private static func pickers(_ random: inout Random) -> [PickerSettings] {
    let widths: [Double] = [1, 40, 300, 1000, 100_000]
    let counts: [Double] = [1, 2, 7, 1000, 2_147_483_647]
    let width = widths.randomElement(using: &random) ?? 1000
    let count = counts.randomElement(using: &random) ?? 7
    let axis = Bool.random(using: &random) ? "horizontal" : "vertical"
    let limit = ["automatic", "one", "few", "never"].randomElement(using: &random) ?? "one"
    let mode = Bool.random(using: &random) ? "swipe" : "rotate"
    let itemWidths: [Double] = [0.5, 8, 64, 1000]
    let itemWidth = itemWidths.randomElement(using: &random) ?? 64
    let tracks = Bool.random(using: &random)
    let middle = (count / 2).rounded(.down)
    return [
      picker(
        ("id", .string("ruler")), ("type", .string("ruler")), ("region", region(0, 0, width, 250)),
        ("values", range(0, count - 1)), ("selection", number(middle)), ("axis", .string(axis)),
        ("item_width", number(itemWidth))),
      picker(
        ("id", .string("menu")), ("type", .string("carousel")),
        ("region", region(0, 250, 1000, 250)), ("items", texts("a", "b", "c", "d", "e")),
        ("limit", .string(limit)), ("tracks_selection", .bool(tracks))),
      picker(
        ("id", .string("colours")), ("type", .string("swatches")),
        ("region", region(0, 500, 500, 250)), ("colors", texts("#1", "#2", "#3", "#4"))),
      picker(
        ("id", .string("wheel")), ("type", .string("radial")),
        ("region", region(500, 500, 500, 500)),
        ("values", range(0, 11)), ("mode", .string(mode))),
    ]
  }

  @Test(arguments: 0..<40)
  func `what is said is in order, in range and consistent`(round: Int) throws {
    let seed = UInt64.random(in: .min ... .max) | 1
    print("seed \(seed)")
    var random = Random(state: seed)
    var bench = SceneBench(Self.pickers(&random), reducesMotion: round % 5 == 0)
    var time = 0.0
    for _ in 0..<1500 {
      time += [0, 0.001, 1, 8, 16, 40, 400].randomElement(using: &random) ?? 8
      let slot = Int.random(in: 0...3, using: &random)
      let x = Double.random(in: -200...1200, using: &random)
      let y = Double.random(in: -200...1200, using: &random)
      switch Int.random(in: 0..<20, using: &random) {
      case 0..<3: bench.down(x, y, at: time, slot: slot)
      case 3..<12: bench.move(x, y, at: time, slot: slot)
      case 12..<15: bench.up(at: time, slot: slot)
      case 15: bench.say(.cancel(slot: slot), at: time)
      case 16: bench.say(.scroll(dx: x / 10, dy: y / 10), at: time, device: 1)
      case 17: bench.say(.scrollEnd, at: time, device: 1)
      case 18: bench.say(.turn(steps: Int.random(in: -9...9, using: &random)), at: time, device: 2)
      default:
        let id = ["ruler", "menu", "colours", "wheel"].randomElement(using: &random) ?? "ruler"
        try bench.scene.move(
          id, by: Int.random(in: -100...100, using: &random), timeUs: Int64(time * 1000))
        bench.collect()
      }
      // A wild throw may pass very many values; what passes is told one by one.
      if bench.said.count > 20_000 { break }
    }
    bench.scene.cancelAll(timeUs: Int64(time * 1000))
    while bench.scene.isGliding, let deadlineUs = bench.scene.deadlineUs,
      bench.said.count < 40_000
    {
      bench.scene.advance(toUs: deadlineUs)
      bench.collect()
    }
    Self.check(bench, seed: seed)
    for id in bench.scene.ids {
      let snapshot = try bench.scene.snapshot(id, timeUs: .max / 2)
      #expect((0..<snapshot.values.count).contains(snapshot.liveIndex), "seed \(seed)")
      #expect(snapshot.phase != .drag, "seed \(seed): \(id) is still held")
    }
    #expect(!bench.scene.isHeld, "seed \(seed)")
  }

  private static func check(_ bench: SceneBench, seed: UInt64) {
    var last = Int64.min
    var revisions: [String: Int] = [:]
    var courses: [String: (target: Int, tick: Int?)] = [:]
    for event in bench.said {
      switch event {
      case .selection(let change):
        #expect(change.revision == (revisions[change.picker] ?? 0) + 1, "seed \(seed)")
        revisions[change.picker] = change.revision
        #expect(change.timeUs >= last, "seed \(seed)")
        last = change.timeUs
        // What is selected on the way has a course of its own, or none where it is in place already.
        if change.index != nil { courses[change.picker] = nil }
      case .picker(let id, let values, let event):
        #expect(event.timeUs >= last, "seed \(seed): \(event.timeUs) after \(last)")
        last = event.timeUs
        switch event.kind {
        case .settle(let index, let glide, let durationMS):
          #expect((0..<values.count).contains(index), "seed \(seed)")
          #expect(glide.from.isFinite && glide.velocity.isFinite && durationMS.isFinite)
          courses[id] = (index, nil)
        case .tick(let index):
          #expect((0..<values.count).contains(index), "seed \(seed)")
          // A carousel that is caught says nothing, so its ticks may be a finger's again.
          guard let course = courses[id], id == "ruler" else { break }
          if let tick = course.tick {
            #expect(
              abs(course.target - index) < abs(course.target - tick) || tick == course.target,
              "seed \(seed): \(id) ticks away from its target")
          }
          courses[id]?.tick = index
        case .rest(let index):
          // A carousel that is caught says nothing, nor does one without a selection that is moved then.
          if let course = courses[id], id != "menu" {
            #expect(index == course.target, "seed \(seed)")
            if let tick = course.tick { #expect(tick == course.target, "seed \(seed)") }
          }
          courses[id] = nil
        default: break
        }
      default: break
      }
    }
  }

  @Test(arguments: 0..<60)
  func `a cancelled contact leaves the selection as it was before its down`(round: Int) throws {
    let seed = UInt64.random(in: .min ... .max) | 1
    print("seed \(seed)")
    var random = Random(state: seed)
    var bench = SceneBench(Self.pickers(&random))
    var time = 0.0
    for _ in 0..<20 {
      let x = Double.random(in: 0..<1000, using: &random)
      let y = Double.random(in: 0..<1000, using: &random)
      let before = bench.scene.snapshots(timeUs: Int64(time * 1000)).map(\.selection)
      bench.down(x, y, at: time)
      for _ in 0..<Int.random(in: 0...8, using: &random) {
        time += 8
        bench.move(
          x + .random(in: -300...300, using: &random), y + .random(in: -300...300, using: &random),
          at: time)
      }
      time += 4
      bench.say(.cancel(slot: 0), at: time)
      let after = bench.scene.snapshots(timeUs: Int64(time * 1000)).map(\.selection)
      #expect(before == after, "seed \(seed)")
      time += Double.random(in: 10...900, using: &random)
      bench.down(x, y, at: time)
      bench.move(x + .random(in: -90...90, using: &random), y, at: time + 8)
      bench.up(at: time + 16)
      time += Double.random(in: 20...900, using: &random)
      bench.advance(to: time)
    }
  }
}
