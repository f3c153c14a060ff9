// SPDX-License-Identifier: Apache-2.0

import Gestures
import Pickers

extension DeviceMatch {
  /// Reads a table such as `{ name = "Goodix*" }`; nil where it is absent or wrong.
  static func read(_ key: String, _ reader: inout OptionReader) -> DeviceMatch? {
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
    if text.isEmpty {
      table.fail(key, "is empty; expected a pattern such as \"Goodix*\"")
      return nil
    }
    if let glob = Glob(text) { return glob }
    table.fail(
      key,
      "\"\(text)\" has a bracket that is not closed or a range that runs backwards; "
        + "expected a pattern with * ? [a-z]")
    return nil
  }

  /// Whether everything that `other` means is meant here too, as far as patterns tell without a device.
  func includes(_ other: DeviceMatch) -> Bool {
    Self.includes(name, other.name) && Self.includes(path, other.path)
  }

  private static func includes(_ wide: Glob?, _ narrow: Glob?) -> Bool {
    guard let wide else { return true }
    guard let narrow else { return wide.pattern.allSatisfy { $0 == "*" } }
    return wide == narrow || wide.matches(narrow.pattern)
  }
}
