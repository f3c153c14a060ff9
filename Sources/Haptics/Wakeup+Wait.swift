// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import LinuxIO

extension Wakeup {
  /// Waits for a ring without a loop, at most until a time in microseconds.
  func wait(untilUs endUs: Int64) {
    var waits = [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)]
    let leftMS = max(0, (endUs - EventLoop.clockUs() + 999) / 1000)
    // An interrupted wait is a short one: the caller looks and waits again.
    _ = poll(&waits, 1, CInt(clamping: leftMS))
  }
}
