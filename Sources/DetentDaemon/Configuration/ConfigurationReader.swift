// SPDX-License-Identifier: Apache-2.0

import Gestures
import Haptics
import InputDevices
import Pickers
import Scene

/// Reads the tables of a configuration, each into its part.
enum ConfigurationReader {
  /// An hour is already far more than a kiosk waits; a day is surely enough.
  private static let longestSeconds = 86_400.0

  static func read(_ root: OptionNode, problems: inout [OptionProblem]) -> Configuration {
    var configuration = Configuration()
    var reader = OptionReader(root, path: "")
    reader.table("daemon") { daemon(&$0, &configuration) }
    reader.table("gesture") { gesture(&$0, &configuration.scene) }
    reader.table("touchpad") { touchpad(&$0, &configuration.scene) }
    reader.table("haptics") { haptics(&$0, &configuration) }
    let displays = DisplayReader.read(&reader)
    configuration.scene.displays = displays.displays
    configuration.haptics.displayDevices = displays.motors
    configuration.pickers = pickers(displays, &reader)
    let ids = root["picker"]?.elements.compactMap { $0.text("id") } ?? []
    for (node, path) in tables("knob", &reader) {
      knob(node, path, pickers: ids, &reader, &configuration)
    }
    reader.finish()
    problems += reader.problems
    return configuration
  }

  // MARK: Single tables

  private static func daemon(
    _ table: inout OptionReader, _ configuration: inout Configuration
  ) -> Void? {
    configuration.seat = table.string("seat", default: "seat0") ?? "seat0"
    if configuration.seat.isEmpty { table.fail("seat", "is empty; expected a seat such as seat0") }
    configuration.scene.glideHz = table.number("glide_hz", default: 60, in: 1...1000) ?? 60
    let after = table.number("idle_after_seconds", default: 0, in: 0...longestSeconds)
    let reset = table.number("idle_reset_seconds", default: 0, in: 0...longestSeconds)
    configuration.scene.idleAfterUs = microseconds(after ?? 0)
    configuration.scene.idleResetUs = microseconds(reset ?? 0)
    configuration.scene.reducesMotion = table.bool("reduce_motion", default: false) ?? false
    for (index, node) in (table.array("allow_control") ?? []).enumerated() {
      if case .string(let name) = node.content, !name.isEmpty {
        configuration.controllers.append(
          ControllerName(
            name: name, key: table.child("allow_control[\(index)]"), line: node.line,
            column: node.column))
      } else {
        let _: String? = table.mismatch(
          "allow_control[\(index)]", node, expected: "the name of a user or a group")
      }
    }
    return ()
  }

  private static func gesture(
    _ table: inout OptionReader, _ scene: inout SceneSettings
  ) -> Void? {
    scene.velocityMethod =
      table.choice("velocity", default: VelocityTracker.Method.detent) ?? .detent
    let stop = table.number("stop_after_ms", default: 50, in: 1...10_000)
    scene.stopAfterUs = microseconds((stop ?? 50) / 1000)
    scene.tapSlopMM = table.number("tap_slop_mm", default: 3, in: 0...100) ?? 3
    return ()
  }

  private static func touchpad(
    _ table: inout OptionReader, _ scene: inout SceneSettings
  ) -> Void? {
    scene.touchpadScale = table.number("scale", default: 1, above: 0) ?? 1
    scene.isNatural = table.bool("natural", default: true) ?? true
    return ()
  }

  private static func haptics(
    _ table: inout OptionReader, _ configuration: inout Configuration
  ) -> Void? {
    configuration.haptics.isEnabled = table.bool("enabled", default: true) ?? true
    configuration.haptics.device = DeviceMatch.read("device", &table)
    configuration.haptics.motorClass = table.choice("motor", none: "auto")
    configuration.haptics.strength = table.number("strength", default: 1, in: 0...1) ?? 1
    return ()
  }

  private static func microseconds(_ seconds: Double) -> Int64 {
    Int64((seconds * 1e6).rounded())
  }

  // MARK: Lists of tables

  /// The tables of a list, each with its path.
  static func tables(
    _ key: String, _ reader: inout OptionReader
  ) -> [(node: OptionNode, path: String)] {
    if reader.path.isEmpty, let node = reader.node(key), node.isTable {
      let _: Void? = reader.mismatch(key, node, expected: "a list of tables, written [[\(key)]]")
      return []
    }
    let nodes = reader.array(key) ?? []
    return nodes.enumerated().map { (node: $0.element, path: "\(key)[\($0.offset)]") }
  }

  private static func knob(
    _ node: OptionNode, _ path: String, pickers ids: [String], _ reader: inout OptionReader,
    _ configuration: inout Configuration
  ) {
    let read: (KnobOptions, KnobSettings)? = reader.table(node, path: path) { table in
      let device = DeviceMatch.read("device", &table)
      let axis = table.choice("axis", default: KnobOptions.Axis.auto)
      let counts = table.integer("counts_per_step", default: 1, in: 1...10_000)
      let isReversed = table.bool("reverse", default: false)
      let acceleration = table.choice(
        "acceleration", default: KnobOptions.Acceleration.off)
      let picker = table.string("picker", default: "focused")
      let press = table.choice("press", default: KnobSettings.Press.next)
      let isHaptic = table.bool("haptic", default: false)
      if table.node("device") == nil {
        table.fail("device", "is missing; expected a pattern such as { name = \"rotary@*\" }")
      }
      if let picker, picker != "focused", !ids.contains(picker) {
        table.warn("picker", "there is no picker \"\(picker)\" in this file; it may be added later")
      }
      guard let device, let axis, let counts, let isReversed, let acceleration, let picker,
        let press, let isHaptic
      else { return nil }
      return (
        KnobOptions(
          device: device, axis: axis, countsPerStep: counts, isReversed: isReversed,
          acceleration: acceleration),
        KnobSettings(
          device: device, picker: picker == "focused" ? nil : picker, press: press,
          isHaptic: isHaptic)
      )
    }
    guard let read else { return }
    configuration.knobs.append(read.0)
    configuration.scene.knobs.append(read.1)
  }

  private static func pickers(
    _ displays: DisplayReader.Result, _ reader: inout OptionReader
  ) -> [PickerSettings] {
    let nodes = tables("picker", &reader)
    if nodes.count > Scene.mostPickers {
      reader.fail(
        "picker", "stands there \(nodes.count) times; expected at most \(Scene.mostPickers)")
      return []
    }
    var pickers: [PickerSettings] = []
    var ids: Set<String> = []
    for (node, path) in nodes {
      // Compared before they are read, since one that is wrong has a name too.
      if let id = node.text("id"), !id.isEmpty, !ids.insert(id).inserted {
        reader.problems.append(
          node.problem(
            "id", path: path, "\"\(id)\" is the name of an earlier picker; expected another"))
      }
      let picker = PickerSettings(node: node, path: path, problems: &reader.problems)
      if let problem = DisplayCheck.problem(node, path, names: displays.names) {
        reader.problems.append(problem)
      } else if let picker {
        let display =
          displays.names.count == 1 ? displays.displays.first : displays.named(picker.display)
        reader.problems += display.flatMap { DisplayCheck.outside(picker, $0) }.map { [$0] } ?? []
      }
      if let picker { pickers.append(picker) }
    }
    return pickers
  }
}
