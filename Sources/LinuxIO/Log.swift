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
/// journal. What one place in the program says again and again is counted rather than repeated
/// (`LogThrottle`), except for `.debug`.
package struct Log {
  /// Lines that matter less than this are dropped.
  package var threshold: LogLevel
  private let state: State

  // Copies of a log count together.
  private final class State {
    let write: (LogLevel, String, [(String, String)]) -> Void
    var throttle: LogThrottle
    private var timer: TimerSource?

    init(_ throttle: LogThrottle, _ write: @escaping (LogLevel, String, [(String, String)]) -> Void)
    {
      self.throttle = throttle
      self.write = write
    }

    func tellHeld(nowUs: Int64, isEnding: Bool = false) {
      for (level, message) in throttle.summaries(nowUs: nowUs, isEnding: isEnding) {
        write(level, message, [])
      }
    }

    func startTimer(on loop: EventLoop) throws(Errno) {
      timer = try loop.timer { [unowned self] _ in
        tellHeld(nowUs: EventLoop.clockUs())
        armTimer()
      }
    }

    func armTimer() {
      guard let timer, timer.armedForUs == nil, let dueUs = throttle.dueUs else { return }
      timer.arm(atUs: dueUs)
    }
  }

  /// A log that goes to the journal where standard error does, else to standard error.
  ///
  /// - Parameter identifier: the program's name, in front of each line.
  package init(identifier: String, threshold: LogLevel = .info) {
    self.threshold = threshold
    let journal = Journal(identifier: identifier)
    state = State(LogThrottle()) { journal.write($0, $1, $2) }
  }

  /// A log that gives each line to a function, for tests.
  package init(
    threshold: LogLevel = .debug, throttle: LogThrottle = LogThrottle(),
    to write: @escaping (LogLevel, String, [(String, String)]) -> Void
  ) {
    self.threshold = threshold
    state = State(throttle, write)
  }

  /// Writes one line; the message is not made where the level is below the threshold.
  package func callAsFunction(
    _ level: LogLevel, _ message: @autoclosure () -> String,
    _ fields: KeyValuePairs<String, String> = [:], file: StaticString = #fileID, line: UInt = #line
  ) {
    guard level <= threshold else { return }
    let text = message()
    if level < .debug {
      let nowUs = EventLoop.clockUs()
      state.tellHeld(nowUs: nowUs)
      let place = LogThrottle.Place(file: "\(file)", line: line, level: level)
      guard state.throttle.passes(place, text, nowUs: nowUs) else { return state.armTimer() }
    }
    // A field without a value says nothing.
    state.write(level, text, fields.filter { !$0.value.isEmpty }.map { ($0.key, $0.value) })
  }

  /// Tells what was held back in intervals that are over, or in all where the program ends.
  package func tellHeld(nowUs: Int64 = EventLoop.clockUs(), isEnding: Bool = false) {
    state.tellHeld(nowUs: nowUs, isEnding: isEnding)
  }

  /// Has what is held back told by a timer of a loop, when the interval is over.
  ///
  /// It is armed for as long as something is held back, so that it wakes nobody at rest. Without it, the next line of
  /// the log tells.
  package func tellHeldInTime(on loop: EventLoop) throws(Errno) {
    try state.startTimer(on: loop)
  }

  /// Writes an error: somebody must act.
  package func error(
    _ message: @autoclosure () -> String, _ fields: KeyValuePairs<String, String> = [:],
    file: StaticString = #fileID, line: UInt = #line
  ) {
    self(.error, message(), fields, file: file, line: line)
  }

  /// Writes a warning: something is worse than it should be.
  package func warning(
    _ message: @autoclosure () -> String, _ fields: KeyValuePairs<String, String> = [:],
    file: StaticString = #fileID, line: UInt = #line
  ) {
    self(.warning, message(), fields, file: file, line: line)
  }

  /// Writes what is normal and worth knowing.
  package func notice(
    _ message: @autoclosure () -> String, _ fields: KeyValuePairs<String, String> = [:],
    file: StaticString = #fileID, line: UInt = #line
  ) {
    self(.notice, message(), fields, file: file, line: line)
  }

  /// Writes what is normal.
  package func info(
    _ message: @autoclosure () -> String, _ fields: KeyValuePairs<String, String> = [:],
    file: StaticString = #fileID, line: UInt = #line
  ) {
    self(.info, message(), fields, file: file, line: line)
  }

  /// Writes what helps to find a fault.
  package func debug(
    _ message: @autoclosure () -> String, _ fields: KeyValuePairs<String, String> = [:],
    file: StaticString = #fileID, line: UInt = #line
  ) {
    self(.debug, message(), fields, file: file, line: line)
  }
}
