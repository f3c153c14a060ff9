// SPDX-License-Identifier: Apache-2.0

/// How fast values pass, from the times at which they did.
package struct TickSpeed: Sendable {
  /// After this long without a value, in microseconds, whatever comes next is the first.
  package static let pauseUs: Int64 = 500_000

  private var older: Int64?
  private var newer: Int64?
  private var newerSteps = 0
  private var newestSteps = 0
  private var newest: Int64?

  /// A speed of which nothing is known yet.
  package init() {}

  /// Takes note of values that passed.
  ///
  /// - Parameters:
  ///   - timeUs: when, on the clock of the events; a time that goes backwards is taken as equal.
  ///   - steps: how many values the live index moved, at least 1.
  package mutating func pass(atUs timeUs: Int64, steps: Int = 1) {
    let time = max(timeUs, newest ?? timeUs)
    if let newest, time - newest > Self.pauseUs { self = TickSpeed() }
    older = newer
    newer = newest
    newest = time
    newerSteps = newestSteps
    newestSteps = max(steps, 1)
  }

  /// Values per second over the last two steps; 0 after a pause, infinite for steps at one time.
  ///
  /// Two steps even out events that come in frames, and still notice a slowing finger at once.
  package var valuesPerSecond: Double {
    guard let newest, let newer else { return 0 }
    let spanUs = newest - (older ?? newer)
    let steps = newestSteps + (older == nil ? 0 : newerSteps)
    return spanUs > 0 ? Double(steps) * 1_000_000 / Double(spanUs) : .infinity
  }
}
