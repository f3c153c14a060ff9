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
      touch(&scene, id, &timeUs)
      try said.take(from: &scene)
    }
    try said.take(from: &scene)
    try SceneInvariants.check(scene, timeUs: timeUs)
  }

  /// Taps on a picker, presses beside its middle and lets go elsewhere, and scrolls it.
  private static func touch(_ scene: inout Scene, _ id: String, _ timeUs: inout Int64) {
    guard let picker = try? scene.snapshot(id, timeUs: timeUs),
      let display = scene.settings.displays.first(where: { $0.id == picker.display })
    else { return }
    for (number, kind) in [InputDevice.Kind.touchscreen, .touchpad].enumerated() {
      scene.deviceAdded(InputDevice(number: number, id: "\(number)", kind: kind, name: "Goodix"))
    }
    let centre = picker.region.centre
    let corner = Point(x: picker.region.x, y: picker.region.y)
    func say(_ kind: InputEvent.Kind, _ device: Int, afterUs: Int64) {
      timeUs += afterUs
      scene.handle(InputEvent(timeUs: timeUs, device: device, kind: kind))
    }
    for (start, end) in [(centre, centre), (corner, corner), (centre, corner)] {
      say(
        .down(slot: 0, x: start.x / display.width, y: start.y / display.height), 0,
        afterUs: 1_000_000)
      say(.move(slot: 0, x: end.x / display.width, y: end.y / display.height), 0, afterUs: 20_000)
      // Longer than any velocity lasts: a throw would have to be told value by value.
      say(.up(slot: 0), 0, afterUs: start == end ? 20_000 : 900_000)
    }
    try? scene.focus(id, timeUs: timeUs)
    say(.scroll(dx: 20, dy: -20), 1, afterUs: 1_000_000)
    say(.scrollEnd, 1, afterUs: 900_000)
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
