// SPDX-License-Identifier: Apache-2.0

import Gestures
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
    displays(&reader, &configuration.scene)
    let knobs = tables("knob", &reader)
    let pickers = tables("picker", &reader)
    pickerList(pickers, &reader, &configuration)
    for (node, path) in knobs {
      knob(node, path, &reader, &configuration)
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
        configuration.allowControl.append(name)
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
    configuration.haptics.device = match("device", &table)
    configuration.haptics.motor = table.choice("motor", default: Configuration.Motor.auto) ?? .auto
    configuration.haptics.strength = table.number("strength", default: 1, in: 0...1) ?? 1
    return ()
  }

  private static func microseconds(_ seconds: Double) -> Int64 {
    Int64((seconds * 1e6).rounded())
  }

  // MARK: Lists of tables

  private static func tables(
    _ key: String, _ reader: inout OptionReader
  ) -> [(node: OptionNode, path: String)] {
    let nodes = reader.array(key) ?? []
    return nodes.enumerated().map { (node: $0.element, path: "\(key)[\($0.offset)]") }
  }

  private static func displays(_ reader: inout OptionReader, _ scene: inout SceneSettings) {
    let nodes = tables("display", &reader)
    for (node, path) in nodes {
      let display = reader.table(node, path: path) { readDisplay(&$0) }
      guard let display else { continue }
      if scene.displays.contains(where: { $0.id == display.id }) {
        reader.problems.append(
          OptionProblem(
            key: "\(path).id", line: node.line, column: node.column,
            message: "\"\(display.id)\" is the name of an earlier display; expected another"))
        continue
      }
      if display.touchscreen == nil, scene.displays.contains(where: { $0.touchscreen == nil }) {
        reader.problems.append(
          OptionProblem(
            severity: .warning, key: path, line: node.line, column: node.column,
            message:
              "no touchscreen is named here nor for an earlier display, which gets all panels; name one"
          ))
      }
      scene.displays.append(display)
    }
    if nodes.isEmpty {
      reader.fail("display", "is missing; expected at least one [[display]] with width and height")
    }
  }

  private static func readDisplay(_ table: inout OptionReader) -> Display? {
    let id = table.string("id", default: "main")
    let width = table.number("width", default: nil, above: 0)
    let height = table.number("height", default: nil, above: 0)
    let rotation = table.integer("rotation", default: 0, in: 0...270)
    let margin = table.number("edge_margin", default: 0, in: 0...1e6)
    let grabs = table.bool("grab", default: false)
    let touchscreen = match("touchscreen", &table)
    let zones = (table.array("dead_zones") ?? []).enumerated().map { index, node in
      table.table(node, path: table.child("dead_zones[\(index)]")) { region(&$0) }
    }
    if let id, id.isEmpty { table.fail("id", "is empty; expected a name") }
    let turn = rotation.flatMap { Display.Rotation(rawValue: $0) }
    if let rotation, turn == nil {
      table.fail("rotation", "expected 0, 90, 180 or 270 degrees, found \(rotation)")
    }
    guard let id, let width, let height, let margin, let grabs, let turn else { return nil }
    if margin * 2 >= min(width, height) {
      table.fail("edge_margin", "leaves nothing of the display; expected less than half of it")
    }
    for (index, zone) in zones.enumerated() {
      guard let zone else { continue }
      if zone.x >= width || zone.y >= height || zone.x + zone.width <= 0
        || zone.y + zone.height <= 0
      {
        table.warn("dead_zones", "number \(index + 1) lies outside the display")
      }
    }
    return Display(
      id: id, width: width, height: height, rotation: turn, edgeMargin: margin,
      deadZones: zones.compactMap { $0 }, touchscreen: touchscreen, grabs: grabs)
  }

  private static func region(_ table: inout OptionReader) -> Region? {
    let x = table.number("x", default: nil, in: -1e9...1e9)
    let y = table.number("y", default: nil, in: -1e9...1e9)
    let width = table.number("width", default: nil, above: 0)
    let height = table.number("height", default: nil, above: 0)
    guard let x, let y, let width, let height else { return nil }
    return Region(x: x, y: y, width: width, height: height)
  }

  private static func match(_ key: String, _ reader: inout OptionReader) -> DeviceMatch? {
    reader.table(key) { table in
      let name = glob("name", &table)
      let path = glob("path", &table)
      if name == nil, path == nil, table.problems.isEmpty {
        table.fail("name", "is missing, and so is path; expected a pattern such as \"Goodix*\"")
      }
      return DeviceMatch(name: name, path: path)
    }
  }

  private static func glob(_ key: String, _ table: inout OptionReader) -> Glob? {
    guard let text = table.optionalString(key) else { return nil }
    if let glob = Glob(text) { return glob }
    table.fail(
      key, "\"\(text)\" has a bracket that is not closed; expected a pattern with * ? [a-z]")
    return nil
  }

  private static func knob(
    _ node: OptionNode, _ path: String, _ reader: inout OptionReader,
    _ configuration: inout Configuration
  ) {
    let ids = configuration.pickers.map(\.id)
    let read: (Configuration.Knob, KnobSettings)? = reader.table(node, path: path) { table in
      let device = match("device", &table)
      let axis = table.choice("axis", default: Configuration.Knob.Axis.auto)
      let counts = table.integer("counts_per_step", default: 1, in: 1...10_000)
      let isReversed = table.bool("reverse", default: false)
      let acceleration = table.choice(
        "acceleration", default: Configuration.Knob.Acceleration.off)
      let picker = table.string("picker", default: "focused")
      let press = table.choice("press", default: KnobSettings.Press.next)
      let isHaptic = table.bool("haptic", default: false)
      if device == nil, table.problems.isEmpty {
        table.fail("device", "is missing; expected a pattern such as { name = \"rotary@*\" }")
      }
      if let picker, picker != "focused", !ids.contains(picker) {
        table.warn("picker", "there is no picker \"\(picker)\" in this file; it may be added later")
      }
      guard let device, let axis, let counts, let isReversed, let acceleration, let picker,
        let press, let isHaptic
      else { return nil }
      return (
        Configuration.Knob(
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

  private static func pickerList(
    _ nodes: [(node: OptionNode, path: String)], _ reader: inout OptionReader,
    _ configuration: inout Configuration
  ) {
    if nodes.count > Scene.mostPickers {
      reader.fail(
        "picker", "stands there \(nodes.count) times; expected at most \(Scene.mostPickers)")
      return
    }
    var seen: Set<String> = []
    for (node, path) in nodes {
      guard
        let picker = PickerSettings(node: node, path: path, problems: &reader.problems)
      else { continue }
      if !seen.insert(picker.id).inserted {
        reader.problems.append(
          OptionProblem(
            key: "\(path).id", line: node.line, column: node.column,
            message: "\"\(picker.id)\" is the name of an earlier picker; expected another"))
      }
      reader.problems += DisplayCheck.problems(of: picker, on: configuration.scene.displays)
      configuration.pickers.append(picker)
    }
  }
}
