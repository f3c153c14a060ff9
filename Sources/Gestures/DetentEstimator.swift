// SPDX-License-Identifier: Apache-2.0

/// The velocity of a finger at its lift, along one axis, from the times and positions of its
/// samples.
///
/// A window of samples is kept; at the lift every motion that a finger is known to make is weighed
/// by how well it foretells them, and the velocity is the weighted mean of what they say
/// (docs/gestures.md). Positions may be in any unit.
package struct DetentEstimator: Sendable {
  /// One sample, or the mean of several that came within ``DetentModel/mergeUs``.
  private struct Entry {
    var firstUs: Int64 = 0
    var newestUs: Int64 = 0
    /// The sum of the times after the first, in microseconds.
    var elapsedUs: Int64 = 0
    /// The first position, and the sum of what the others lie beyond it, so that equal ones stay
    /// equal.
    var first = 0.0
    var beyond = 0.0
    var number: Int32 = 0
    /// Whether any of them changed the position.
    var moved = false

    var timeUs: Double { Double(firstUs) + Double(elapsedUs) / Double(number) }
    var position: Double { first + beyond / Double(number) }
  }

  // A ring that is made with the first sample and shared by copies until one of them changes: an estimator that waits
  // for a finger takes no room.
  private var entries: [Entry] = []
  private var oldest = 0
  private var count = 0
  private var touchUs: Int64 = 0
  private var newestUs: Int64 = 0
  private var newestPosition = 0.0
  private var changedUs: Int64 = 0

  /// An estimator without samples.
  package init() {}

  /// Forgets all samples.
  package mutating func reset() {
    count = 0
    oldest = 0
  }

  private func slot(_ index: Int) -> Int {
    let slot = oldest + index
    return slot < DetentModel.capacity ? slot : slot - DetentModel.capacity
  }

  /// Takes the position along the axis at a time; the first is that of the touch.
  ///
  /// A sample at the newest one's time, or before it, replaces it. A position that is not finite is
  /// ignored.
  ///
  /// - Parameters:
  ///   - timeUs: CLOCK_MONOTONIC microseconds.
  ///   - position: In any unit.
  package mutating func add(timeUs: Int64, position: Double) {
    guard position.isFinite else { return }
    guard count > 0 else {
      if entries.isEmpty {
        entries = Array(repeating: Entry(), count: DetentModel.capacity)
      }
      touchUs = timeUs
      changedUs = timeUs
      append(timeUs: timeUs, position: position, moved: true)
      return
    }
    let moved = position != newestPosition
    if moved { changedUs = max(timeUs, newestUs) }
    let last = slot(count - 1)
    if timeUs <= newestUs {
      if entries[last].number == 1 {
        entries[last].first = position
      } else {
        entries[last].beyond += position - newestPosition
      }
      if moved { entries[last].moved = true }
      newestPosition = position
    } else if count > 1, Self.elapsed(entries[last].firstUs, timeUs) < Double(DetentModel.mergeUs) {
      entries[last].newestUs = timeUs
      entries[last].elapsedUs += timeUs - entries[last].firstUs
      entries[last].beyond += position - entries[last].first
      entries[last].number += 1
      if moved { entries[last].moved = true }
      newestUs = timeUs
      newestPosition = position
    } else {
      append(timeUs: timeUs, position: position, moved: moved)
    }
  }

  private mutating func append(timeUs: Int64, position: Double, moved: Bool) {
    if count == DetentModel.capacity {
      oldest = slot(1)
      count -= 1
    }
    let entry = Entry(
      firstUs: timeUs, newestUs: timeUs, elapsedUs: 0, first: position, beyond: 0, number: 1,
      moved: moved)
    entries[slot(count)] = entry
    count += 1
    newestUs = timeUs
    newestPosition = position
  }

  /// The velocity of a finger that lifts at `liftUs`, in the position's unit per second; always
  /// finite.
  ///
  /// - Parameters:
  ///   - liftUs: CLOCK_MONOTONIC microseconds.
  ///   - stopAfterUs: A position that did not change for longer than this, or for longer than a
  ///     slow device takes to report, is that of a finger at rest: 0.
  package func velocity(liftUs: Int64, stopAfterUs: Int64) -> Double {
    let used = usedCount
    guard used > 1 else { return 0 }
    let period = periodUs(used)
    let still = Self.elapsed(changedUs, liftUs)
    guard still <= max(Double(stopAfterUs), DetentModel.stopPeriods * period) else { return 0 }

    let newest = entries[slot(used - 1)].newestUs
    let gap = max(0, Self.elapsed(newest, liftUs))
    let late = gap > DetentModel.onTimePeriods * period
    var window = DetentWindow(
      touch: -Self.elapsed(touchUs, newest) / 1e6,
      lift: (late ? DetentModel.latePeriods * period : gap) / 1e6)
    for index in 0..<used {
      let entry = entries[slot(index)]
      let age = Double(newest) - entry.timeUs
      guard age <= Double(DetentModel.horizonUs) else { continue }
      window.append(time: -age / 1e6, position: entry.position)
    }
    guard window.count > 1 else { return 0 }
    if window.count == 2 {
      let slope = window.slope
      return slope.isFinite ? slope : 0
    }
    guard window.prepare() else { return 0 }
    var posterior = DetentPosterior()
    DetentJerkHypotheses().weigh(window, into: &posterior)
    DetentStrokeHypotheses().weigh(window, into: &posterior)
    let velocity = posterior.velocity
    guard velocity != 0, window.bearsOut(velocity) else { return 0 }
    let scaled = velocity * window.travel
    return scaled.isFinite ? scaled : 0
  }

  /// From one time to another in microseconds, where a difference of two Int64 could overflow.
  private static func elapsed(_ fromUs: Int64, _ toUs: Int64) -> Double {
    Double(toUs) - Double(fromUs)
  }

  /// The entries without those that only repeat the last position, as some devices do when the
  /// finger leaves.
  private var usedCount: Int {
    guard count > 2, Self.elapsed(changedUs, newestUs) < Double(DetentModel.repeatUs) else {
      return count
    }
    var used = count
    while used > 2, !entries[slot(used - 1)].moved { used -= 1 }
    return used
  }

  /// The device's period in microseconds, from the latest intervals.
  private func periodUs(_ used: Int) -> Double {
    var sorted = InlineArray<32, Double>(repeating: 0)
    var number = 0
    var index = used - 1
    while index > 0, number < DetentModel.periodIntervals {
      let interval = entries[slot(index)].timeUs - entries[slot(index - 1)].timeUs
      var place = number
      while place > 0, sorted[place - 1] > interval {
        sorted[place] = sorted[place - 1]
        place -= 1
      }
      sorted[place] = interval
      number += 1
      index -= 1
    }
    let period = sorted[Int(DetentModel.periodQuantile * Double(number - 1) + 0.5)]
    return min(period, DetentModel.slowestPeriodUs)
  }
}
