// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A file descriptor that one owner holds, closed when that owner goes.
package struct OwnedDescriptor: ~Copyable {
  /// The descriptor's number, for calls that borrow it.
  package let rawValue: CInt

  /// Takes over an open descriptor; nobody else may close it from now on.
  package init(owning rawValue: CInt) {
    self.rawValue = rawValue
  }

  /// Opens a file with `O_CLOEXEC` added to the flags.
  ///
  /// - Parameters:
  ///   - flags: such as `O_RDWR | O_NONBLOCK`.
  ///   - mode: the mode of a file that `O_CREAT` makes.
  package init(opening path: String, flags: CInt, mode: UInt32 = 0) throws(Errno) {
    rawValue = try retryingInterrupts { open(path, flags | O_CLOEXEC, mode) }
  }

  deinit {
    // Linux closes the descriptor even where close says EINTR, so a second try could hit another file.
    close(rawValue)
  }

  /// Gives the descriptor away: the caller closes it.
  package consuming func release() -> CInt {
    let number = rawValue
    discard self
    return number
  }

  /// Reads what there is, at most the buffer's size; 0 at the end of the file.
  package borrowing func read(into buffer: UnsafeMutableRawBufferPointer) throws(Errno) -> Int {
    try Descriptor.read(rawValue, into: buffer)
  }

  /// Writes what fits, and says how many bytes that were.
  package borrowing func write(_ bytes: UnsafeRawBufferPointer) throws(Errno) -> Int {
    try Descriptor.write(rawValue, bytes)
  }
}

/// Reads and writes on descriptors that somebody else owns.
package enum Descriptor {
  /// Reads what there is, at most the buffer's size; 0 at the end of the file.
  ///
  /// `Errno.wouldBlock` is thrown where a non-blocking descriptor has nothing.
  package static func read(
    _ descriptor: CInt, into buffer: UnsafeMutableRawBufferPointer
  ) throws(Errno) -> Int {
    try retryingInterrupts { Glibc.read(descriptor, buffer.baseAddress, buffer.count) }
  }

  /// Writes what fits, and says how many bytes that were.
  ///
  /// Not for sockets, where a vanished peer would raise SIGPIPE: see `UnixSocket.send`.
  package static func write(
    _ descriptor: CInt, _ bytes: UnsafeRawBufferPointer
  ) throws(Errno) -> Int {
    try retryingInterrupts { Glibc.write(descriptor, bytes.baseAddress, bytes.count) }
  }

  /// Writes all bytes to a blocking descriptor.
  package static func writeAll(
    _ descriptor: CInt, _ bytes: UnsafeRawBufferPointer
  ) throws(Errno) {
    var rest = bytes
    while !rest.isEmpty {
      let count = try write(descriptor, rest)
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
    }
  }

  /// Makes a descriptor non-blocking and close-on-exec.
  package static func setNonBlockingCloseOnExec(_ descriptor: CInt) throws(Errno) {
    let status = try retryingInterrupts { fcntl(descriptor, F_GETFL) }
    _ = try retryingInterrupts { fcntl(descriptor, F_SETFL, status | O_NONBLOCK) }
    let flags = try retryingInterrupts { fcntl(descriptor, F_GETFD) }
    _ = try retryingInterrupts { fcntl(descriptor, F_SETFD, flags | FD_CLOEXEC) }
  }
}
