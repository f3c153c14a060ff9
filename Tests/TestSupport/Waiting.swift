// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO

/// Waits, for tests whose subject runs in another thread or process.
package enum Waiting {
  /// Waits until something holds.
  package static func until(
    _ what: @autoclosure () -> String, seconds: Double = 30, holds: () throws -> Bool
  ) throws {
    try value(what(), seconds: seconds) { try holds() ? () : nil }
  }

  /// Waits until something is there.
  ///
  /// - Parameters:
  ///   - what: what is awaited, for the failure's text.
  ///   - seconds: how long at most.
  ///   - find: called again and again, at most 20 ms apart, until it gives a value.
  package static func value<Value>(
    _ what: @autoclosure () -> String, seconds: Double = 30, find: () throws -> Value?
  ) throws -> Value {
    let endUs = EventLoop.clockUs() + Int64(seconds * 1_000_000)
    // Looking takes an emulated processor from what is waited for, so it grows rare.
    var pauseUs: UInt32 = 1_000
    while true {
      if let value = try find() { return value }
      guard EventLoop.clockUs() < endUs else {
        throw TestFailure("waited \(seconds) s in vain for \(what())")
      }
      usleep(pauseUs)
      pauseUs = min(pauseUs * 5 / 4, 20_000)
    }
  }

  /// Sleeps until CLOCK_MONOTONIC shows a time in microseconds.
  package static func sleep(untilUs timeUs: Int64) {
    while true {
      let leftUs = timeUs - EventLoop.clockUs()
      guard leftUs > 0 else { return }
      usleep(UInt32(min(leftUs, 500_000)))
    }
  }
}
