// SPDX-License-Identifier: Apache-2.0

/// How long things took, counted by powers of two of microseconds: bounded, and cheap to add to.
package struct DelayHistogram: Sendable, Hashable {
  // Bucket n counts delays below 2^n microseconds.
  private var buckets = [Int](repeating: 0, count: 32)
  /// How many delays were counted.
  package private(set) var count = 0
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
}
