// SPDX-License-Identifier: Apache-2.0

import Gestures
import Pickers
import Testing
import Wire

@testable import Scene

/// Every picker can be worked without dragging, with one finger and without haste.
@Suite struct WithoutDraggingTests {
  /// A picker of each kind, with a place that means another value than the one it opens on.
  struct Kind: CustomTestStringConvertible, Sendable {
    var settings: PickerSettings
    var x: Double
    var y: Double
    var testDescription: String { settings.id }
  }

  private static func kind(
    _ type: String, _ x: Double, _ y: Double, _ options: (String, OptionNode.Content)...
  ) -> Kind {
    let all = [("id", .string(type)), ("region", region(0, 0, 500, 500))] + options
    var problems: [OptionProblem] = []
    let node = OptionNode(.table(all.map { OptionEntry(key: $0.0, node: OptionNode($0.1)) }))
    guard let settings = PickerSettings(node: node, path: "", problems: &problems) else {
      preconditionFailure("\(problems)")
    }
    return Kind(settings: settings, x: x, y: y)
  }

  static let kinds = [
    kind("ruler", 400, 250, ("type", .string("ruler")), ("values", range(0, 20))),
    kind(
      "carousel", 450, 250, ("type", .string("carousel")), ("items", texts("a", "b", "c", "d")),
      ("padding", number(150)), ("selection", .string("a"))),
    kind(
      "swatches", 120, 22, ("type", .string("swatches")), ("colors", texts("a", "b", "c", "d"))),
    kind("swipe wheel", 100, 250, ("type", .string("radial")), ("values", range(0, 7))),
    kind(
      "rotating wheel", 100, 250, ("type", .string("radial")), ("values", range(0, 7)),
      ("mode", .string("rotate"))),
  ]

  @Test(arguments: kinds)
  func `a tap selects`(kind: Kind) throws {
    var bench = SceneBench([kind.settings])
    let before = try bench.scene.snapshot(kind.settings.id, timeUs: 0).selection
    bench.down(kind.x, kind.y, at: 0)
    bench.up(at: 90)
    bench.advance(to: 3000)
    let after = try bench.scene.snapshot(kind.settings.id, timeUs: 3_000_000).selection
    #expect(after != nil && after != before)
    #expect(bench.words.contains { $0.hasPrefix("selection") && $0.hasSuffix(" tap") })
  }

  @Test(arguments: kinds)
  func `the application's own buttons move it, and a knob does`(kind: Kind) throws {
    var bench = SceneBench([kind.settings])
    try bench.scene.select(kind.settings.id, index: 1, timeUs: 0)
    try bench.scene.move(kind.settings.id, by: 1, timeUs: 1000)
    #expect(try bench.scene.snapshot(kind.settings.id, timeUs: 5_000_000).selection == 2)
    bench.say(.turn(steps: -1), at: 6000, device: 2)
    #expect(try bench.scene.snapshot(kind.settings.id, timeUs: 9_000_000).selection == 1)
  }

  @Test(arguments: kinds)
  func `nothing is chosen by the down alone, and a cancel takes all back`(kind: Kind) throws {
    var bench = SceneBench([kind.settings])
    let before = try bench.scene.snapshot(kind.settings.id, timeUs: 0).selection
    bench.down(kind.x, kind.y, at: 0)
    bench.advance(to: 3000)
    #expect(!bench.words.contains { $0.hasPrefix("selection") })
    bench.move(kind.x - 80, kind.y + 30, at: 3050)
    bench.say(.cancel(slot: 0), at: 3100)
    bench.advance(to: 9000)
    #expect(try bench.scene.snapshot(kind.settings.id, timeUs: 9_000_000).selection == before)
  }

  @Test(arguments: kinds)
  func `what was begun is taken back by sliding away and back`(kind: Kind) throws {
    var bench = SceneBench([kind.settings])
    let before = try bench.scene.snapshot(kind.settings.id, timeUs: 0).selection
    // As slowly as one likes: no time limit ends it.
    bench.down(kind.x, kind.y, at: 0)
    for step in 1...60 { bench.move(kind.x - Double(step), kind.y, at: Double(step) * 400) }
    if kind.settings.type == "swatches" {
      bench.move(kind.x - 40, kind.y + 400, at: 30_000)
    } else {
      for step in 0...60 {
        bench.move(kind.x - 60 + Double(step), kind.y, at: 25_000 + Double(step) * 400)
      }
    }
    bench.up(at: 60_000)
    bench.advance(to: 70_000)
    #expect(try bench.scene.snapshot(kind.settings.id, timeUs: 70_000_000).selection == before)
  }

  @Test func `where nothing is selected, swatches are moved to from beyond their ends`() throws {
    let swatches = picker(
      ("id", .string("p")), ("type", .string("swatches")), ("region", region(0, 0, 600, 200)),
      ("colors", texts("a", "b", "c")))
    for (steps, index) in [(1, 0), (2, 1), (-1, 2), (-2, 1), (9, 2), (-9, 0)] {
      var bench = SceneBench([swatches])
      try bench.scene.move("p", by: steps, timeUs: 0)
      #expect(try bench.scene.snapshot("p", timeUs: 0).selection == index, "\(steps)")
    }
  }

  @Test func `a second finger is never needed`() throws {
    // One finger about the centre turns the wheel that two can turn.
    let kind = Self.kinds[4]
    var bench = SceneBench([kind.settings])
    bench.down(250, 450, at: 0)
    bench.move(150, 430, at: 300)
    bench.move(60, 250, at: 600)
    bench.move(60, 250, at: 900)
    bench.up(at: 1200)
    #expect(bench.words.contains { $0.hasPrefix("selection") && $0.hasSuffix(" drag") })
  }
}
