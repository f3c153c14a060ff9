// SPDX-License-Identifier: Apache-2.0

package import Pickers

/// Why a configuration cannot be used: everything that is wrong with it, in the order of the file.
package struct ConfigurationError: Error, CustomStringConvertible {
  /// The file.
  package var file: String
  /// What is wrong, warnings included.
  package var problems: [OptionProblem]

  /// One line for each problem, as in `detent.toml:12:8: error: picker[1].values.step: …`.
  package var description: String {
    problems.map { Self.line($0, file: file) }.joined(separator: "\n")
  }

  /// The line for a problem of a file.
  package static func line(_ problem: OptionProblem, file: String) -> String {
    var place = file
    if problem.line > 0 { place += ":\(problem.line):\(problem.column)" }
    let key = problem.key.isEmpty ? "" : "\(problem.key): "
    return "\(place): \(problem.severity.rawValue): \(key)\(problem.message)".escapingControls
  }
}
