// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import LinuxIO

/// Reads a node's events back, with times of CLOCK_MONOTONIC.
package final class EventReader {
  /// One event of a kernel device.
  package struct Event: Hashable, Sendable {
    package var timeUs: Int64
    package var type: UInt16
    package var code: UInt16
    package var value: Int32
  }

  private let descriptor: OwnedDescriptor

  /// Opens a node; events that come from now on can be read.
  package init(node: String) throws {
    descriptor = try OwnedDescriptor(opening: node, flags: O_RDONLY | O_NONBLOCK)
    let fd = descriptor.rawValue
    _ = try retryingInterrupts { detent_evdev_set_clock(fd, CLOCK_MONOTONIC) }
  }

  /// The events that have come since the last call, SYN_REPORT included.
  package func read() throws -> [Event] {
    var events: [Event] = []
    var buffer = [input_event](repeating: input_event(), count: 64)
    while true {
      let count: Int
      do {
        count = try buffer.withUnsafeMutableBytes { try descriptor.read(into: $0) }
      } catch let error as Errno where error == .wouldBlock {
        return events
      }
      if count == 0 { return events }
      events += buffer.prefix(count / MemoryLayout<input_event>.size).map {
        Event(
          timeUs: Int64($0.time.tv_sec) * 1_000_000 + Int64($0.time.tv_usec), type: $0.type,
          code: $0.code, value: $0.value)
      }
    }
  }
}
