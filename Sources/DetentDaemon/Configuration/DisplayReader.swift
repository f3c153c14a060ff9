// SPDX-License-Identifier: Apache-2.0

import Gestures
import Pickers
import Scene
import Wire

/// Reads the `[[display]]` tables.
enum DisplayReader {
  /// What there is, and what was meant.
  struct Result {
    /// The displays.
    var displays: [Display] = []
    /// The names of all that are there, those that could not be read included: nobody need be told that they are
    /// missing.
    var names: [String] = []
    /// The motors that displays name for themselves.
    var motors: [String: DeviceMatch] = [:]

    /// The display of a name, if it can be used.
    func named(_ name: String?) -> Display? { displays.first { $0.id == name } }
  }

  static func read(_ reader: inout OptionReader) -> Result {
    var result = Result()
    let nodes = ConfigurationReader.tables("display", &reader)
    for (node, path) in nodes {
      let name = node.text("id") ?? defaultName
      let isTaken = result.names.contains(name)
      var motor: DeviceMatch?
      let display = reader.table(node, path: path) { table in
        motor = DeviceMatch.read("motor", &table)
        return readDisplay(&table)
      }
      guard !isTaken else {
        reader.problems.append(
          node.problem(
            "id", path: path, "\"\(name)\" is the name of an earlier display; expected another"))
        continue
      }
      result.names.append(name)
      result.motors[name] = motor
      guard let display else { continue }
      if let warning = overlap(display, result.displays, node, path) {
        reader.problems.append(warning)
      }
      result.displays.append(display)
    }
    if nodes.isEmpty, reader.node("display")?.isTable != true {
      reader.fail("display", "is missing; expected at least one [[display]] with width and height")
    }
    return result
  }

  private static let defaultName = "main"

  private static func readDisplay(_ table: inout OptionReader) -> Display? {
    let id = table.string("id", default: defaultName)
    let width = table.number("width", default: nil, above: 0)
    let height = table.number("height", default: nil, above: 0)
    let rotation = readRotation(&table)
    let margin = table.number("edge_margin", default: 0, in: 0...1e6)
    let grabs = table.bool("grab", default: false)
    let touchscreen = DeviceMatch.read("touchscreen", &table)
    let zones = ConfigurationReader.tables("dead_zones", &table).map { node, path in
      (node, path, table.table(node, path: table.child(path)) { Region.read(&$0) })
    }
    if let id, id.isEmpty { table.fail("id", "is empty; expected a name") }
    guard let id, let width, let height, let margin, let grabs, let rotation else { return nil }
    if margin * 2 >= min(width, height) {
      table.fail("edge_margin", "leaves nothing of the display; expected less than half of it")
    }
    for (node, path, zone) in zones {
      guard let zone else { continue }
      if zone.x >= width || zone.y >= height || zone.x + zone.width <= 0
        || zone.y + zone.height <= 0
      {
        table.problems.append(
          OptionProblem(
            severity: .warning, key: table.child(path), line: node.line, column: node.column,
            message: "lies outside the display"))
      }
    }
    return Display(
      id: id, width: width, height: height, rotation: rotation, edgeMargin: margin,
      deadZones: zones.compactMap(\.2), touchscreen: touchscreen, grabs: grabs)
  }

  private static func readRotation(_ table: inout OptionReader) -> Display.Rotation? {
    guard let node = table.node("rotation") else { return Display.Rotation.none }
    if case .number(let degrees, _) = node.content, degrees.decimals == 0,
      let degrees = degrees.significand(at: 0),
      let rotation = Display.Rotation(rawValue: Int(degrees))
    {
      return rotation
    }
    return table.mismatch("rotation", node, expected: "0, 90, 180 or 270 degrees")
  }

  /// The first display that matches a panel gets it; says where a later one goes without.
  private static func overlap(
    _ display: Display, _ earlier: [Display], _ node: OptionNode, _ path: String
  ) -> OptionProblem? {
    guard let match = display.touchscreen else {
      guard let first = earlier.first(where: { $0.touchscreen == nil }) else { return nil }
      return node.problem(
        nil, path: path, severity: .warning,
        "gets no panel, since neither it nor \"\(first.id)\" names a touchscreen; name one")
    }
    let first = earlier.first { $0.touchscreen?.includes(match) ?? false }
    guard let first else { return nil }
    return node.problem(
      "touchscreen", path: path, severity: .warning,
      "gets no panel, since all that it names are those of \"\(first.id)\"; name another")
  }
}
