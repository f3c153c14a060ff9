// SPDX-License-Identifier: Apache-2.0

import LinuxIO
package import Pickers

/// The name of a user or a group that may change things, and where the file has it.
struct ControllerName: Sendable {
  var name: String
  var key: String
  var line: Int
  var column: Int

  /// What there is to say of it on this system.
  var warning: OptionProblem? {
    guard Accounts.user(named: name) == nil, Accounts.group(named: name) == nil else { return nil }
    return OptionProblem(
      severity: .warning, key: key, line: line, column: column,
      message: "this system has no user and no group \"\(name)\", so it lets nobody change things; "
        + "correct it, or make the account and reload")
  }
}

extension Configuration {
  /// What is probably not what was meant, on this system: with the accounts that it does not know.
  ///
  /// Accounts may be looked up at a server, which takes its time.
  package var warningsHere: [OptionProblem] {
    (warnings + controllers.compactMap(\.warning)).sorted {
      ($0.line, $0.column) < ($1.line, $1.column)
    }
  }
}
