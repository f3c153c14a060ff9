// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// A bell that another thread rings to wake the loop.
///
/// It holds nothing but a descriptor, whose reads and writes are atomic, so threads may share it.
package final class Wakeup: Sendable {
  /// The descriptor to watch for `.readable`.
  package let descriptor: CInt

  /// A bell that has not rung.
  package init() throws(Errno) {
    descriptor = try retryingInterrupts { detent_eventfd() }
  }

  deinit {
    close(descriptor)
  }

  /// Rings; many rings before `clear` are one.
  package func ring() {
    var one: UInt64 = 1
    // The only failure is a counter that is full, and then the bell rings already.
    _ = withUnsafeBytes(of: &one) { try? Descriptor.write(descriptor, $0) }
  }

  /// Silences the bell, before looking at what the other thread left.
  package func clear() {
    var count: UInt64 = 0
    _ = withUnsafeMutableBytes(of: &count) { try? Descriptor.read(descriptor, into: $0) }
  }

  /// Waits for a ring without a loop, at most until a time in microseconds.
  package func wait(untilUs endUs: Int64) {
    var waits = [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)]
    let leftMS = max(0, (endUs - EventLoop.clockUs() + 999) / 1000)
    // An interrupted wait is a short one: the caller looks and waits again.
    _ = poll(&waits, 1, CInt(clamping: leftMS))
  }
}
