// SPDX-License-Identifier: Apache-2.0

/// Keeps one fault that comes again and again from filling the log: so many lines of one place in the program pass
/// in a minute, the rest is counted and told in one line.
///
/// A value; time comes in with each line.
package struct LogThrottle: Sendable {
  /// Where in the program a line comes from, and how much it matters.
  package struct Place: Hashable, Sendable {
    var file: String
    var line: UInt
    var level: LogLevel
  }

  /// How many lines of a place pass in an interval.
  package static let burst = 20
  /// The length of an interval in microseconds, unless told otherwise.
  package static let intervalUs: Int64 = 60_000_000

  private let intervalUs: Int64

  private struct Count {
    var beganUs: Int64
    var passed = 0
    var held = 0
    var last = ""
  }

  private var counts: [Place: Count] = [:]
  private var nextUs: Int64 = .max

  /// Nothing has been logged yet.
  ///
  /// - Parameter intervalUs: The length of an interval in microseconds.
  package init(intervalUs: Int64 = LogThrottle.intervalUs) { self.intervalUs = intervalUs }

  /// When the first interval in which lines were held back is over; nil where none was.
  package var dueUs: Int64? {
    counts.values.lazy.filter { $0.held > 0 }.map { $0.beganUs + intervalUs }.min()
  }

  /// Whether a line passes now.
  package mutating func passes(_ place: Place, _ message: String, nowUs: Int64) -> Bool {
    var count = counts[place] ?? Count(beganUs: nowUs)
    defer {
      counts[place] = count
      nextUs = min(nextUs, count.beganUs + intervalUs)
    }
    guard count.passed >= Self.burst else {
      count.passed += 1
      return true
    }
    count.held += 1
    count.last = message
    return false
  }

  /// Ends the intervals that are over, and tells of each place that had lines held back what they were.
  package mutating func summaries(
    nowUs: Int64, isEnding: Bool = false
  ) -> [(level: LogLevel, message: String)] {
    guard isEnding || nowUs >= nextUs else { return [] }
    var summaries: [(level: LogLevel, message: String)] = []
    nextUs = .max
    for (place, count) in counts {
      guard isEnding || nowUs - count.beganUs >= intervalUs else {
        nextUs = min(nextUs, count.beganUs + intervalUs)
        continue
      }
      counts[place] = nil
      guard count.held > 0 else { continue }
      let text = count.held == 1 ? "one more line like" : "\(count.held) more lines like"
      summaries.append((place.level, "\(text) this: \(count.last)"))
    }
    return summaries.sorted { ($0.level, $0.message) < ($1.level, $1.message) }
  }
}
