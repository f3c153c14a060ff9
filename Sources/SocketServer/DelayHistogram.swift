// SPDX-License-Identifier: Apache-2.0

/// How long things took, counted by powers of two of microseconds: bounded, and cheap to add to.
package struct DelayHistogram: Sendable, Hashable {
  // Bucket n counts delays below 2^n microseconds.
  private var buckets = [Int](repeating: 0, count: 32)
  /// How many delays were counted.
  package private(set) var count = 0
  /// All of them together, in microseconds.
  package private(set) var sumUs: Int64 = 0
  /// The longest, in microseconds.
  package private(set) var longestUs: Int64 = 0

  /// Nothing counted.
  package init() {}

  /// Counts a delay in microseconds; negative ones count as 0.
  package mutating func add(_ delayUs: Int64) {
    let delayUs = max(0, delayUs)
    let bucket = Int64.bitWidth - delayUs.leadingZeroBitCount
    buckets[min(bucket, buckets.count - 1)] += 1
    count += 1
    sumUs &+= delayUs
    longestUs = max(longestUs, delayUs)
  }

  /// A time within which a share of all delays lay, in microseconds, rounded up to a power of two.
  ///
  /// - Parameter share: 0…1, such as 0.99.
  package func within(_ share: Double) -> Int64 {
    let wanted = Int((Double(count) * share).rounded(.up))
    var sum = 0
    for (bucket, count) in buckets.enumerated() {
      sum += count
      if sum >= wanted { return min(Int64(1) << Int64(bucket), longestUs) }
    }
    return longestUs
  }

  /// How many delays were below a power of two of microseconds, each with those below it, up to the longest.
  package var cumulative: [(belowUs: Int64, count: Int)] {
    var sum = 0
    var result: [(belowUs: Int64, count: Int)] = []
    for (bucket, count) in buckets.enumerated() where sum < self.count {
      sum += count
      result.append((Int64(1) << Int64(bucket), sum))
    }
    return result
  }
}
