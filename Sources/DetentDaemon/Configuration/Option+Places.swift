// SPDX-License-Identifier: Apache-2.0

import Pickers

extension OptionNode {
  /// The value of a key, where this is a table that has it.
  subscript(key: String) -> OptionNode? {
    guard case .table(let entries) = content else { return nil }
    return entries.first { $0.key == key }?.node
  }

  /// Whether this is a table.
  var isTable: Bool {
    guard case .table = content else { return false }
    return true
  }

  /// The elements of a list; empty for anything else.
  var elements: [OptionNode] {
    guard case .array(let elements) = content else { return [] }
    return elements
  }

  /// The text of a key, where this is a table that has it.
  func text(_ key: String) -> String? {
    guard case .string(let text)? = self[key]?.content else { return nil }
    return text
  }

  /// A problem with a key of this table, or with all of it, at its place in the file.
  func problem(
    _ key: String?, path: String, severity: OptionProblem.Severity = .error, _ message: String
  ) -> OptionProblem {
    let node = key.flatMap { self[$0] } ?? self
    let name = key.map { path.isEmpty ? $0 : "\(path).\($0)" } ?? path
    return OptionProblem(
      severity: severity, key: name, line: node.line, column: node.column, message: message)
  }
}
