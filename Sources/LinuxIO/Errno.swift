// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// An error number of the system, as `errno` and as libsystemd's negative results give it.
package struct Errno: RawRepresentable, Error, Hashable, Sendable, CustomStringConvertible {
  /// The number, positive.
  package var rawValue: CInt

  /// The error with this number.
  package init(rawValue: CInt) {
    self.rawValue = rawValue
  }

  /// What the last failed call of this thread left in `errno`.
  package static var current: Errno { Errno(rawValue: Glibc.errno) }

  /// The name as in "EACCES"; "errno 4711" for a number that has none.
  package var name: String {
    guard let text = detent_errno_name(rawValue) else { return "errno \(rawValue)" }
    return String(cString: text)
  }

  /// The name and what it means: "EACCES (Permission denied)".
  package var description: String {
    guard let text = detent_errno_description(rawValue) else { return name }
    return "\(name) (\(String(cString: text)))"
  }

  /// EPERM: not allowed, whatever the mode of the file.
  package static let notPermitted = Errno(rawValue: EPERM)
  /// ENOENT: no such file.
  package static let noEntry = Errno(rawValue: ENOENT)
  /// EINTR: a signal came first.
  package static let interrupted = Errno(rawValue: EINTR)
  /// EIO: the device failed.
  package static let inputOutput = Errno(rawValue: EIO)
  /// EBADF: not an open descriptor.
  package static let badDescriptor = Errno(rawValue: EBADF)
  /// EAGAIN: it would block.
  package static let wouldBlock = Errno(rawValue: EAGAIN)
  /// ENOMEM: out of memory.
  package static let outOfMemory = Errno(rawValue: ENOMEM)
  /// EACCES: the mode of the file says no.
  package static let accessDenied = Errno(rawValue: EACCES)
  /// EBUSY: somebody else holds it.
  package static let busy = Errno(rawValue: EBUSY)
  /// EEXIST: it is there already.
  package static let exists = Errno(rawValue: EEXIST)
  /// ENODEV: the device is gone.
  package static let noDevice = Errno(rawValue: ENODEV)
  /// EISDIR: a directory, where a file was wanted.
  package static let isDirectory = Errno(rawValue: EISDIR)
  /// EROFS: the file system may only be read.
  package static let readOnly = Errno(rawValue: EROFS)
  /// EDQUOT: the user has used up what the disk allows it.
  package static let overQuota = Errno(rawValue: EDQUOT)
  /// EINVAL: an argument makes no sense.
  package static let invalid = Errno(rawValue: EINVAL)
  /// EMFILE: the process has too many descriptors.
  package static let tooManyDescriptors = Errno(rawValue: EMFILE)
  /// ENFILE: the system has too many descriptors.
  package static let tooManyDescriptorsInSystem = Errno(rawValue: ENFILE)
  /// ENOSPC: no room, also for one more force-feedback effect.
  package static let noSpace = Errno(rawValue: ENOSPC)
  /// EPIPE: nobody reads any more.
  package static let brokenPipe = Errno(rawValue: EPIPE)
  /// ENAMETOOLONG: the path does not fit.
  package static let nameTooLong = Errno(rawValue: ENAMETOOLONG)
  /// ENOSYS: the kernel has no such call.
  package static let notImplemented = Errno(rawValue: ENOSYS)
  /// EADDRINUSE: something is at that address.
  package static let addressInUse = Errno(rawValue: EADDRINUSE)
  /// ECONNREFUSED: nobody listens there.
  package static let connectionRefused = Errno(rawValue: ECONNREFUSED)
  /// ECONNRESET: the peer closed with data unread.
  package static let connectionReset = Errno(rawValue: ECONNRESET)
  /// ETIMEDOUT: it took too long.
  package static let timedOut = Errno(rawValue: ETIMEDOUT)
  /// EPROTOTYPE: a socket of another type.
  package static let wrongSocketType = Errno(rawValue: EPROTOTYPE)
}

/// Runs a system call until no signal interrupts it.
///
/// - Parameter call: returns a negative number and sets `errno` on failure.
/// - Returns: what the call returned, at least 0.
package func retryingInterrupts<Result: FixedWidthInteger & SignedInteger>(
  _ call: () -> Result
) throws(Errno) -> Result {
  while true {
    let result = call()
    if result >= 0 { return result }
    let error = Errno.current
    if error != .interrupted { throw error }
  }
}

/// Throws where a call of libsystemd or libinput returned a negative error number.
///
/// - Parameter result: the call's result, minus an error number on failure.
/// - Returns: the result, at least 0.
@discardableResult
package func checked(_ result: CInt) throws(Errno) -> CInt {
  if result < 0 { throw Errno(rawValue: -result) }
  return result
}
