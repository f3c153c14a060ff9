// SPDX-License-Identifier: Apache-2.0

import Pickers
import Testing

@testable import Scene

@Suite struct WheelSceneTests {
  /// A wheel about (500, 500), 400 points wide.
  private static func wheel(_ mode: String, last: Double = 11) -> PickerSettings {
    picker(
      ("id", .string("wheel")), ("type", .string("radial")), ("mode", .string(mode)),
      ("region", region(300, 300, 400, 400)), ("values", range(0, last)))
  }

  @Test func `the only value of a wheel goes round at a swipe`() {
    var bench = SceneBench([Self.wheel("swipe", last: 0)])
    for (x, word) in [(400.0, "left 450"), (400, "left 810"), (600, "right 450")] {
      bench.forget()
      bench.down(500, 400, at: 0)
      bench.move(x, 400, at: 50)
      bench.up(at: 60)
      #expect(bench.plainWords == ["direction wheel \(word)"])
    }
  }

  /// What a stroke from angle to angle settles with, in degrees per second; the finger comes down at a place.
  private func settled(downX: Double, downY: Double) throws -> Double {
    var bench = SceneBench([Self.wheel("rotate")])
    bench.down(downX, downY, at: 0)
    bench.move(660, 500, at: 8)
    bench.move(660, 540, at: 16)
    bench.up(at: 17)
    for case .picker(_, _, let event) in bench.said {
      if case .settle(_, let glide, _) = event.kind { return glide.velocity }
    }
    return try #require(nil as Double?)
  }

  @Test func `a finger that comes down at the hub is no sample of the velocity`() throws {
    // atan(40 / 160) in 8 ms, and a finger that stands for the last of the three samples.
    let slope = 14.036 / 0.008
    #expect(abs(try settled(downX: 510, downY: 500) - 0.75 * slope) < 1)
  }

  @Test func `a drag of two fingers goes on under the one that is left`() throws {
    var bench = SceneBench([Self.wheel("rotate")])
    bench.down(650, 500, at: 0)
    bench.down(350, 500, at: 1, slot: 1)
    for step in 1...10 { bench.move(650, 500 + Double(step) * 4, at: Double(step) * 8) }
    bench.up(at: 90)
    let before = try bench.scene.snapshot("wheel", timeUs: 90_000).position
    // Less than the distance at which a drag would begin.
    bench.move(350, 495, at: 98, slot: 1)
    #expect(try bench.scene.snapshot("wheel", timeUs: 98_000).position != before)
  }
}
