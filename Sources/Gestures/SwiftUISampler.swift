// SPDX-License-Identifier: Apache-2.0

/// The velocity of SwiftUI's drag gesture: the last three samples, the older pair of them weighing three quarters.
///
/// A sample at the newest one's time replaces it; an older one is dropped.
package struct SwiftUISampler: Sendable {
  private static let olderPairWeight = 0.75

  private struct Sample {
    var timeUs: Int64
    var position: Double
  }

  private var oldest: Sample?
  private var middle: Sample?
  private var newest: Sample?

  /// No samples.
  package init() {}

  /// Takes the position, in points along the axis, at a time.
  package mutating func add(timeUs: Int64, position: Double) {
    let sample = Sample(timeUs: timeUs, position: position)
    if let newest {
      guard timeUs >= newest.timeUs else { return }
      if timeUs == newest.timeUs {
        self.newest = sample
        return
      }
    }
    oldest = middle
    middle = newest
    newest = sample
  }

  /// Points per second: 0 for fewer than two samples, the slope of two, the weighted slopes of three.
  package var velocity: Double {
    guard let newest, let middle else { return 0 }
    let newer = Self.slope(from: middle, to: newest)
    guard let oldest else { return newer }
    let older = Self.slope(from: oldest, to: middle)
    return Self.olderPairWeight * older + (1 - Self.olderPairWeight) * newer
  }

  private static func slope(from: Sample, to: Sample) -> Double {
    (to.position - from.position) / (Double(to.timeUs - from.timeUs) / 1e6)
  }
}
