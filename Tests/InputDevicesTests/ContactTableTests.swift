// SPDX-License-Identifier: Apache-2.0

import Gestures
@testable import InputDevices
import Testing

@Suite struct ContactTableTests {
  private typealias Kind = InputEvent.Kind

  /// Runs steps on a table and returns what left it.
  private func run(_ steps: (inout ContactTable, (Kind) -> Void) -> Void) -> [Kind] {
    var table = ContactTable()
    var out: [Kind] = []
    steps(&table) { out.append($0) }
    return out
  }

  @Test func `a finger comes, moves and lifts`() {
    let out = run { table, emit in
      table.down(9, x: 0.25, y: 0.5, emit)
      table.move(9, x: 0.5, y: 0.5, emit)
      table.up(9, emit)
    }
    #expect(
      out == [.down(slot: 9, x: 0.25, y: 0.5), .move(slot: 9, x: 0.5, y: 0.5), .up(slot: 9)])
  }

  @Test func `a down in an occupied slot cancels first`() {
    let out = run { table, emit in
      table.down(0, x: 0, y: 0, emit)
      table.down(0, x: 1, y: 1, emit)
      table.up(0, emit)
      table.up(0, emit)
    }
    #expect(
      out == [
        .down(slot: 0, x: 0, y: 0), .cancel(slot: 0), .down(slot: 0, x: 1, y: 1), .up(slot: 0),
      ])
  }

  @Test func `moves, lifts and cancels of nobody are nothing`() {
    let out = run { table, emit in
      table.move(1, x: 0, y: 0, emit)
      table.up(1, emit)
      table.cancel(1, emit)
      table.cancelAll(emit)
    }
    #expect(out.isEmpty)
  }

  @Test func `numbers that are none are refused`() {
    let out = run { table, emit in
      table.down(0, x: .nan, y: 0, emit)
      table.move(0, x: 0, y: 0, emit)
      table.down(1, x: 0, y: 0, emit)
      table.move(1, x: .infinity, y: 0, emit)
      table.up(0, emit)
      table.cancel(1, emit)
    }
    #expect(out == [.down(slot: 1, x: 0, y: 0), .cancel(slot: 1)])
  }

  @Test func `all fingers are cancelled in the order in which they came`() {
    let out = run { table, emit in
      for slot in [3, 1, 2] { table.down(slot, x: 0, y: 0, emit) }
      table.up(1, emit)
      table.cancelAll(emit)
      table.cancelAll(emit)
    }
    #expect(out.suffix(2) == [.cancel(slot: 3), .cancel(slot: 2)])
    #expect(out.count == 6)
  }

  @Test(arguments: [UInt64.random(in: .min ... .max)])
  func `whatever drivers say, every contact is down, moves, one end`(seed: UInt64) {
    var random = SplitMix(state: seed)
    var table = ContactTable()
    var down: Set<Int> = []
    for _ in 0..<20_000 {
      let slot = Int.random(in: 0..<6, using: &random)
      let emit: (Kind) -> Void = { kind in
        switch kind {
        case .down(let slot, _, _): #expect(down.insert(slot).inserted, "seed \(seed)")
        case .move(let slot, _, _): #expect(down.contains(slot), "seed \(seed)")
        case .up(let slot), .cancel(let slot): #expect(down.remove(slot) != nil, "seed \(seed)")
        default: Issue.record("seed \(seed): \(kind)")
        }
      }
      switch Int.random(in: 0..<20, using: &random) {
      case 0..<6: table.down(slot, x: 0, y: 0, emit)
      case 6..<12: table.move(slot, x: 0, y: 0, emit)
      case 12..<17: table.up(slot, emit)
      case 17..<19: table.cancel(slot, emit)
      default: table.cancelAll(emit)
      }
      #expect(table.isEmpty == down.isEmpty, "seed \(seed)")
    }
  }

  @Test func `times never go back and are never far from now`() {
    var clock = EventClock()
    let nowUs: Int64 = 10_000_000
    #expect(clock.stamp(9_990_000, nowUs: nowUs) == 9_990_000)
    #expect(clock.stamp(9_980_000, nowUs: nowUs) == 9_990_000)
    #expect(clock.stamp(9_995_000, nowUs: nowUs) == 9_995_000)
    // A wall clock, a clock of hours ago, and no clock at all.
    #expect(clock.stamp(1_700_000_000_000_000, nowUs: nowUs) == nowUs)
    #expect(clock.stamp(0, nowUs: nowUs + 5) == nowUs + 5)
    #expect(clock.stamp(.max, nowUs: nowUs + 6) == nowUs + 6)
    // Late delivery within a second keeps the true time of a fresh device.
    var other = EventClock()
    #expect(other.stamp(9_000_000, nowUs: nowUs) == 9_000_000)
    var late = EventClock()
    #expect(late.stamp(8_999_999, nowUs: nowUs) == nowUs)
  }
}

/// A small generator whose runs can be repeated from their seed.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}
