// SPDX-License-Identifier: Apache-2.0

import Pickers
import Scene

/// Whether a picker's display is there and holds its region.
enum DisplayCheck {
  /// What is wrong; empty where nothing is.
  static func problems(of picker: PickerSettings, on displays: [Display]) -> [OptionProblem] {
    if let problem = problem(picker.node, picker.path, names: displays.map(\.id)) {
      return [problem]
    }
    let display = displays.first { $0.id == picker.display } ?? displays.first
    return display.flatMap { outside(picker, $0) }.map { [$0] } ?? []
  }

  /// What is wrong with the display that a picker's table names.
  ///
  /// Says nothing where there is no display at all: that is said elsewhere.
  static func problem(_ picker: OptionNode, _ path: String, names: [String]) -> OptionProblem? {
    let list = names.map { "\"\($0)\"" }.joined(separator: ", ")
    guard picker["display"] != nil else {
      guard names.count > 1 else { return nil }
      return picker.problem(
        "display", path: path, "is missing; expected one of \(list), since there are several")
    }
    guard let id = picker.text("display"), !names.isEmpty, !names.contains(id) else { return nil }
    return picker.problem(
      "display", path: path, "there is no display \"\(id)\"; expected one of \(list)")
  }

  /// Whether a picker reaches outside its display.
  static func outside(_ picker: PickerSettings, _ display: Display) -> OptionProblem? {
    let region = picker.model.base.region
    guard
      region.x < 0 || region.y < 0 || region.x + region.width > display.width
        || region.y + region.height > display.height
    else { return nil }
    return picker.node.problem(
      "region", path: picker.path,
      "reaches outside the display \"\(display.id)\" of \(display.width.plain) × \(display.height.plain) points"
    )
  }
}
