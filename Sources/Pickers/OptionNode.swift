// SPDX-License-Identifier: Apache-2.0

package import Wire

/// A value of the configuration with its place in the file.
///
/// Both TOML files and the pickers that clients send as JSON become trees of these, so that one reader serves both.
package struct OptionNode: Hashable, Sendable {
  /// The value.
  package indirect enum Content: Hashable, Sendable {
    /// `true` or `false`
    case bool(Bool)
    /// A number; `decimals` is how many the file wrote, so that 1.50 can be shown as it was meant.
    case number(DecimalNumber, decimals: Int)
    /// A text.
    case string(String)
    /// A list.
    case array([OptionNode])
    /// Keys with values, in the order of the file.
    case table([OptionEntry])
    /// Something that the configuration has no use for, by name: a date, a time, infinity, null.
    case other(String)
  }

  /// The value.
  package var content: Content
  /// The line, from 1; 0 where the value did not come from a file.
  package var line: Int
  /// The column, from 1; 0 where the value did not come from a file.
  package var column: Int

  /// A value and its place.
  package init(_ content: Content, line: Int = 0, column: Int = 0) {
    self.content = content
    self.line = line
    self.column = column
  }
}

/// A key of a table with its value.
package struct OptionEntry: Hashable, Sendable {
  /// The key.
  package var key: String
  /// The line of the key, from 1; 0 where it did not come from a file.
  package var line: Int
  /// The column of the key, from 1; 0 where it did not come from a file.
  package var column: Int
  /// The value.
  package var node: OptionNode

  /// A key and its value.
  package init(key: String, line: Int = 0, column: Int = 0, node: OptionNode) {
    self.key = key
    self.line = line
    self.column = column
    self.node = node
  }
}

/// An error or a warning about the configuration.
package struct OptionProblem: Hashable, Sendable, Error {
  /// Whether the configuration can still be used.
  package enum Severity: String, Sendable {
    /// The configuration cannot be used.
    case error
    /// The configuration can be used, and probably is not what was meant.
    case warning
  }

  /// Whether the configuration can still be used.
  package var severity: Severity
  /// The key with all that it lies in, such as `picker[2].values.step`.
  package var key: String
  /// The line, from 1; 0 where the value did not come from a file.
  package var line: Int
  /// The column, from 1; 0 where the value did not come from a file.
  package var column: Int
  /// What is wrong and what was expected.
  package var message: String

  /// A problem.
  package init(
    severity: Severity = .error, key: String, line: Int, column: Int, message: String
  ) {
    self.severity = severity
    self.key = key
    self.line = line
    self.column = column
    self.message = message
  }
}
