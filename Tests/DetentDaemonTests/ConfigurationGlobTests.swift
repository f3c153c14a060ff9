// SPDX-License-Identifier: Apache-2.0

import Gestures
import Glibc
import Testing

@testable import DetentDaemon

/// Patterns of device names mean what a shell means by them.
@Suite struct ConfigurationGlobTests {
  @Test func `patterns match as the C library's do`() {
    let seed = UInt64.random(in: .min ... .max)
    print("seed \(seed)")
    var random = SeededRandom(state: seed | 1)
    func text(_ letters: String, _ most: Int) -> String {
      String(
        (0..<Int.random(in: 0...most, using: &random)).compactMap { _ in
          letters.randomElement(using: &random)
        })
    }
    var matches = 0
    for _ in 0..<10_000 {
      let pattern = text("aabc**?[]!-", 8)
      guard let glob = Glob(pattern) else { continue }
      let name = text("aabc-]!", 6)
      let expected = fnmatch(pattern, name, FNM_NOESCAPE) == 0
      #expect(glob.matches(name) == expected, "seed \(seed): \"\(pattern)\" and \"\(name)\"")
      if expected { matches += 1 }
    }
    #expect(matches > 200)
  }

  @Test func `many stars take no time`() {
    let glob = Glob(String(repeating: "a*", count: 50) + "b")
    let start = ContinuousClock.now
    #expect(glob?.matches(String(repeating: "a", count: 2000)) == false)
    #expect(start.duration(to: .now) < .seconds(30))
  }

  @Test(arguments: ["[", "a[b", "[b-a]", "[!", "[]", "[!]"])
  func `a pattern without an end is none`(pattern: String) {
    #expect(Glob(pattern) == nil)
  }

  @Test(arguments: [
    ("Goodix*", "Goodix Capacitive*", true), ("Goodix Capacitive*", "Goodix*", false),
    ("*", "ILITEK", true), ("*-usb-0:1*", "*-usb-0:2*", false), ("A", "A", true),
  ])
  func `a wide pattern includes a narrow one`(wide: String, narrow: String, isIncluded: Bool) {
    let wide = DeviceMatch(name: Glob(wide))
    let narrow = DeviceMatch(name: Glob(narrow), path: Glob("*usb*"))
    #expect(wide.includes(narrow) == isIncluded)
    #expect(!narrow.includes(wide))
  }
}
