// SPDX-License-Identifier: Apache-2.0

import Pickers
import Scene

/// Whether a picker's display is there and holds its region.
enum DisplayCheck {
  /// What is wrong; empty where nothing is.
  ///
  /// Says nothing where there is no display at all: that is said elsewhere.
  static func problems(of picker: PickerSettings, on displays: [Display]) -> [OptionProblem] {
    guard !displays.isEmpty else { return [] }
    let names = displays.map { "\"\($0.id)\"" }.joined(separator: ", ")
    guard let id = picker.display else {
      guard displays.count == 1 else {
        return [
          problem(
            picker, "display", "is missing; expected one of \(names), since there are several")
        ]
      }
      return outside(picker, displays[0])
    }
    guard let display = displays.first(where: { $0.id == id }) else {
      return [problem(picker, "display", "there is no display \"\(id)\"; expected one of \(names)")]
    }
    return outside(picker, display)
  }

  private static func outside(_ picker: PickerSettings, _ display: Display) -> [OptionProblem] {
    let region = picker.model.base.region
    guard
      region.x < 0 || region.y < 0 || region.x + region.width > display.width
        || region.y + region.height > display.height
    else { return [] }
    return [
      problem(
        picker, "region",
        "reaches outside the display \"\(display.id)\" of \(display.width.plain) × \(display.height.plain) points"
      )
    ]
  }

  private static func problem(
    _ picker: PickerSettings, _ key: String, _ message: String
  ) -> OptionProblem {
    var node = picker.node
    if case .table(let entries) = picker.node.content {
      node = entries.first { $0.key == key }?.node ?? node
    }
    return OptionProblem(
      key: "\(picker.path).\(key)", line: node.line, column: node.column, message: message)
  }
}
