// SPDX-License-Identifier: Apache-2.0

import CLibsystemd
import Glibc

/// What is waited for on a descriptor, and what is the case there.
package struct Interest: OptionSet, Hashable, Sendable {
  /// The bits, as in `epoll_event.events`.
  package let rawValue: UInt32

  /// The interest with these `EPOLL*` bits.
  package init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// An interest in reading, in writing, in both or in neither.
  package init(readable: Bool, writable: Bool) {
    rawValue = (readable ? EPOLLIN.rawValue : 0) | (writable ? EPOLLOUT.rawValue : 0)
  }

  /// There is something to read, or a connection to accept, or the end of the file (EPOLLIN).
  package static let readable = Interest(rawValue: EPOLLIN.rawValue)
  /// A write would not block (EPOLLOUT).
  package static let writable = Interest(rawValue: EPOLLOUT.rawValue)
  /// The other end is gone, or the device (EPOLLHUP); always reported.
  package static let hangup = Interest(rawValue: EPOLLHUP.rawValue)
  /// An error is pending (EPOLLERR); always reported.
  package static let error = Interest(rawValue: EPOLLERR.rawValue)
}
