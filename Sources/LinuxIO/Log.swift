// SPDX-License-Identifier: Apache-2.0

/// How much a line of the log matters; the numbers are syslog's.
package enum LogLevel: Int, Comparable, Sendable, CaseIterable {
  /// The service cannot go on.
  case critical = 2
  /// Something failed, and somebody must act.
  case error = 3
  /// Something is not as it should be; the service copes.
  case warning = 4
  /// Normal, and worth knowing.
  case notice = 5
  /// Normal.
  case info = 6
  /// For those who look for a fault.
  case debug = 7

  /// Whether the left one matters more.
  package static func < (left: LogLevel, right: LogLevel) -> Bool {
    left.rawValue < right.rawValue
  }

  /// The word for it, in small letters.
  package var name: String {
    switch self {
    case .critical: "critical"
    case .error: "error"
    case .warning: "warning"
    case .notice: "notice"
    case .info: "info"
    case .debug: "debug"
    }
  }
}

/// The log of a program: structured in the journal, one line each on standard error.
///
/// Field names are capitals, digits and underscores, such as `DEVICE`; others are left out by the
/// journal.
package struct Log {
  /// Lines that matter less than this are dropped.
  package var threshold: LogLevel
  private let write: (LogLevel, String, [(String, String)]) -> Void

  /// A log that goes to the journal where standard error does, else to standard error.
  ///
  /// - Parameter identifier: the program's name, in front of each line.
  package init(identifier: String, threshold: LogLevel = .info) {
    self.threshold = threshold
    let journal = Journal(identifier: identifier)
    write = { journal.write($0, $1, $2) }
  }

  /// A log that gives each line to a function, for tests.
  package init(
    threshold: LogLevel = .debug, to write: @escaping (LogLevel, String, [(String, String)]) -> Void
  ) {
    self.threshold = threshold
    self.write = write
  }

  /// Writes one line; the message is not made where the level is below the threshold.
  package func callAsFunction(
    _ level: LogLevel, _ message: @autoclosure () -> String,
    _ fields: KeyValuePairs<String, String> = [:]
  ) {
    guard level <= threshold else { return }
    write(level, message(), fields.map { ($0.key, $0.value) })
  }

  /// Writes an error.
  package func error(
    _ message: @autoclosure () -> String, _ fields: KeyValuePairs<String, String> = [:]
  ) {
    self(.error, message(), fields)
  }

  /// Writes a warning.
  package func warning(
    _ message: @autoclosure () -> String, _ fields: KeyValuePairs<String, String> = [:]
  ) {
    self(.warning, message(), fields)
  }

  /// Writes what is normal and worth knowing.
  package func notice(
    _ message: @autoclosure () -> String, _ fields: KeyValuePairs<String, String> = [:]
  ) {
    self(.notice, message(), fields)
  }

  /// Writes what is normal.
  package func info(
    _ message: @autoclosure () -> String, _ fields: KeyValuePairs<String, String> = [:]
  ) {
    self(.info, message(), fields)
  }

  /// Writes what helps to find a fault.
  package func debug(
    _ message: @autoclosure () -> String, _ fields: KeyValuePairs<String, String> = [:]
  ) {
    self(.debug, message(), fields)
  }
}
