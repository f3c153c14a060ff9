// SPDX-License-Identifier: Apache-2.0

import Gestures
import Wire
import Pickers
import Testing

@testable import Scene

/// Water on a panel makes contacts come and go; fingers on the same panel must still count.
@Suite struct FlickerTests {
  /// Contacts of `life` ms, one every `period` ms from `time` on, about one spot; how many selections they made.
  private func flicker(
    _ bench: inout SceneBench, from time: Double, count: Int, period: Double, life: Double
  ) -> Int {
    bench.forget()
    for index in 0..<count {
      let start = time + Double(index) * period
      // Water does not stay exactly where it is.
      bench.down(700 + Double(index % 3) * 6, 100, at: start, slot: index % 2)
      bench.move(702, 102, at: start + life / 2, slot: index % 2)
      bench.up(at: start + life, slot: index % 2)
    }
    return bench.words.filter { $0.hasPrefix("selection") && !$0.hasSuffix("cancel") }.count
  }

  @Test(arguments: [20.0, 25, 40, 60])
  func `a wet spot selects nothing once it is known as one`(period: Double) {
    var bench = SceneBench([ruler()])
    // Nothing tells the first of them from taps, which all mean the same value.
    _ = flicker(&bench, from: 0, count: 5, period: period, life: period / 2)
    bench.advance(to: 1000)
    #expect(flicker(&bench, from: 1000, count: 300, period: period, life: period / 2) == 0)
  }

  @Test func `a finger on a wet panel still selects`() {
    var bench = SceneBench([ruler(), ruler("other", y: 300)])
    _ = flicker(&bench, from: 0, count: 100, period: 20, life: 10)
    bench.down(700, 400, at: 2010)
    bench.up(at: 2090)
    #expect(bench.words.contains("selection other 53 tap"))
    bench.forget()
    bench.down(500, 100, at: 4000)
    bench.up(at: 4070)
    bench.down(500, 100, at: 8000)
    bench.move(436, 100, at: 8050)
    #expect(bench.words.contains { $0.hasPrefix("selection ruler") && $0.hasSuffix(" drag") })
  }

  @Test func `a panel that has dried takes short taps again`() {
    var bench = SceneBench([ruler()])
    _ = flicker(&bench, from: 0, count: 20, period: 20, life: 10)
    bench.forget()
    bench.down(300, 100, at: 5000)
    bench.up(at: 5020)
    #expect(!bench.words.contains { $0.hasSuffix(" tap") })
    bench.down(300, 100, at: 20_000)
    bench.up(at: 20_020)
    #expect(bench.words.contains { $0.hasSuffix(" tap") })
  }

  @Test func `a panel that is wet stays so through a reload`() throws {
    var bench = SceneBench([ruler()])
    _ = flicker(&bench, from: 0, count: 20, period: 20, life: 10)
    bench.advance(to: 1000)
    try bench.scene.reload(
      bench.scene.settings, replacing: ["ruler"], with: [ruler()], timeUs: 1_000_000)
    #expect(flicker(&bench, from: 1000, count: 20, period: 20, life: 10) == 0)
  }

  @Test func `a spot is as wide in millimetres whatever size the application lays out in`() throws {
    var bench = SceneBench([ruler()])
    bench.scene.deviceAdded(
      InputDevice(
        number: 0, id: "event0", kind: .touchscreen, name: "panel", widthMM: 100, heightMM: 100))
    #expect(bench.scene.devices[0]?.flickerRadius == 50)
    try bench.scene.resize(display: "main", width: 500, height: 500, timeUs: 0)
    #expect(bench.scene.devices[0]?.flickerRadius == 25)
    #expect(bench.scene.devices[0]?.tapSlop == Point(x: 15, y: 15))
  }

  @Test(arguments: [(30.0, 100.0), (60, 80), (20, 90), (200, 210)])
  func `quick taps on a clean panel all count`(life: Double, period: Double) {
    var bench = SceneBench([ruler()])
    for index in 0..<40 {
      let start = Double(index) * period
      bench.down(index % 2 == 0 ? 700 : 690, 100, at: start)
      bench.up(at: start + life)
    }
    #expect(!bench.words.contains { $0.hasSuffix("cancel") })
    #expect(bench.words.contains { $0.hasSuffix(" tap") || $0.hasSuffix(" catch") })
  }

  @Test func `one panel's water says nothing about another's`() {
    var bench = SceneBench([ruler()])
    bench.scene.deviceAdded(InputDevice(number: 7, id: "b", kind: .touchscreen, name: "b"))
    _ = flicker(&bench, from: 0, count: 40, period: 20, life: 10)
    bench.forget()
    bench.say(.down(slot: 0, x: 0.3, y: 0.1), at: 3000, device: 7)
    bench.say(.up(slot: 0), at: 3020, device: 7)
    #expect(bench.words.contains { $0.hasSuffix(" tap") })
  }

  @Test func `twenty fingers on twenty pickers do not disturb one another`() {
    let pickers = (0..<20).map { index in
      picker(
        ("id", .string("p\(index)")), ("type", .string("ruler")),
        ("region", region(Double(index % 4) * 250, Double(index / 4) * 200, 250, 200)),
        ("values", range(0, 100)), ("selection", number(50)))
    }
    var bench = SceneBench(pickers)
    for index in 0..<20 {
      bench.down(
        Double(index % 4) * 250 + 125, Double(index / 4) * 200 + 100, at: Double(index), slot: index
      )
    }
    for step in 1...8 {
      for index in 0..<20 {
        bench.move(
          Double(index % 4) * 250 + 125 - Double(step * (index + 1)), Double(index / 4) * 200 + 100,
          at: 100 + Double(step) * 10, slot: index)
      }
    }
    for index in 0..<20 { bench.up(at: 1000, slot: index) }
    bench.advance(to: 5000)
    let snapshots = bench.scene.snapshots(timeUs: 5_000_000)
    for (index, picker) in snapshots.enumerated() {
      let travelled = Double(8 * (index + 1)) / 64
      #expect(picker.selection == 50 + Int(travelled.rounded()), "\(picker.id)")
      #expect(picker.phase == .idle)
    }
  }
}
