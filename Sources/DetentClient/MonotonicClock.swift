// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The clock of all times that the daemon tells.
public enum MonotonicClock {
  /// Now, in CLOCK_MONOTONIC microseconds.
  public static var nowUs: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
  }
}
