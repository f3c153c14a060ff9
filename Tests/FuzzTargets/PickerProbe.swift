// SPDX-License-Identifier: Apache-2.0

import Gestures
import Pickers
import Scene
import Wire

/// Asks the pickers of a scene for what lies at the ends of what can be asked.
enum PickerProbe {
  private static let significands: [Int64] = [.min, -1 << 62, -7, -1, 0, 1, 7, 1 << 62, .max]
  private static let exponents = [-400, -1, 0, 18, 400]

  /// - Parameters:
  ///   - scene: A scene in which nothing has happened.
  ///   - most: How many of its pickers are asked.
  static func run(_ scene: inout Scene, most: Int = 4) throws(BrokenInvariant) {
    var said = SceneInvariants()
    var timeUs: Int64 = 0
    for id in scene.ids.prefix(most) {
      guard let values = try? scene.snapshot(id, timeUs: timeUs).values else { continue }
      try check(values, of: id)
      for significand in significands {
        timeUs += 10_000
        let steps = Int(significand)
        try? scene.move(id, by: steps, timeUs: timeUs)
        try? scene.select(id, index: steps, timeUs: timeUs)
        for exponent in exponents {
          let number = DecimalNumber(significand, exponent: exponent)
          try? scene.select(id, value: .number(number), timeUs: timeUs)
        }
        try said.take(from: &scene)
      }
      try? scene.select(id, value: nil, timeUs: timeUs)
    }
    try said.take(from: &scene)
    try SceneInvariants.check(scene, timeUs: timeUs)
  }

  private static func check(_ values: ValueList, of id: String) throws(BrokenInvariant) {
    for index in [0, values.count / 2, values.count - 1] {
      _ = values.title(at: index)
      // A list may have a value twice.
      let found = values.index(of: values[index])
      try require(
        found.map { $0 <= index && values[$0] == values[index] } ?? false,
        "\(id): value \(index) is found at \(found ?? -1)")
    }
  }
}
