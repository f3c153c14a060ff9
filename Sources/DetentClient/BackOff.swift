// SPDX-License-Identifier: Apache-2.0

/// How long to wait before the next attempt to connect.
///
/// Pauses double from 0.1 s up to 5 s and are cut by up to half at random, so that many clients of a daemon that
/// restarts do not come back in the same instant.
struct BackOff {
  static let shortestUs: Int64 = 100_000
  static let longestUs: Int64 = 5_000_000

  private var pauseUs = shortestUs

  /// The next pause, in microseconds.
  ///
  /// - Parameter connectedUs: How long the connection lasted that was lost; 0 where there was none. One that lasted
  ///   longer than the longest pause begins anew; one that was refused at once does not.
  mutating func next(
    afterUs connectedUs: Int64, using random: inout some RandomNumberGenerator
  ) -> Int64 {
    if connectedUs > Self.longestUs { pauseUs = Self.shortestUs }
    defer { pauseUs = min(pauseUs * 2, Self.longestUs) }
    return Int64.random(in: pauseUs / 2...pauseUs, using: &random)
  }
}
