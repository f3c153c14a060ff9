// SPDX-License-Identifier: Apache-2.0

// The compiler may find iovec through either; which one differs between debug and release.
import CLibsystemd
import CLinux
import Glibc

/// Unix stream sockets, all non-blocking and close-on-exec.
package enum UnixSocket {
  /// Connects to a socket file.
  ///
  /// - Throws: `.noEntry` and `.connectionRefused` where nobody listens, `.accessDenied` where the
  ///   mode forbids it, `.wouldBlock` where the listener's queue is full, `.nameTooLong`.
  package static func connect(to path: String) throws(Errno) -> OwnedDescriptor {
    let socket = try stream()
    let number = socket.rawValue
    try withAddress(of: path) { address, length throws(Errno) in
      _ = try retryingInterrupts { Glibc.connect(number, address, length) }
    }
    return socket
  }

  /// Sends what fits; a peer that is gone is `Errno.brokenPipe`, never SIGPIPE.
  ///
  /// - Returns: the number of bytes taken, at least 1 for a buffer that is not empty.
  /// - Throws: `.wouldBlock` where nothing fits.
  package static func send(_ socket: CInt, _ bytes: UnsafeRawBufferPointer) throws(Errno) -> Int {
    try retryingInterrupts {
      Glibc.send(socket, bytes.baseAddress, bytes.count, sendFlags)
    }
  }

  /// Sends what fits of several buffers in one call.
  ///
  /// - Parameter buffers: at most 1024 (`IOV_MAX`).
  /// - Returns: the number of bytes taken.
  package static func send(
    _ socket: CInt, gathering buffers: UnsafeBufferPointer<UnsafeRawBufferPointer>
  ) throws(Errno) -> Int {
    try retryingInterrupts {
      withUnsafeTemporaryAllocation(of: iovec.self, capacity: buffers.count) { vectors in
        for (index, buffer) in buffers.enumerated() {
          vectors.initializeElement(
            at: index,
            to: iovec(
              iov_base: UnsafeMutableRawPointer(mutating: buffer.baseAddress),
              iov_len: buffer.count))
        }
        var message = msghdr()
        message.msg_iov = vectors.baseAddress
        message.msg_iovlen = .init(vectors.count)
        return sendmsg(socket, &message, sendFlags)
      }
    }
  }

  /// Reads what there is without waiting; 0 once the peer closed.
  package static func receive(
    _ socket: CInt, into buffer: UnsafeMutableRawBufferPointer
  ) throws(Errno) -> Int {
    try retryingInterrupts {
      recv(socket, buffer.baseAddress, buffer.count, CInt(MSG_DONTWAIT))
    }
  }

  /// Lets a connection hold about twice as many bytes that its peer has not read, as far as the system allows.
  package static func doubleSendBuffer(_ socket: CInt) {
    var size: CInt = 0
    var length = socklen_t(MemoryLayout<CInt>.size)
    guard getsockopt(socket, SOL_SOCKET, SO_SNDBUF, &size, &length) == 0 else { return }
    // The kernel itself doubles what it is told.
    setsockopt(socket, SOL_SOCKET, SO_SNDBUF, &size, length)
  }

  /// Two ends that are connected to each other.
  package static func pair() throws(Errno) -> SocketPair {
    var ends: [CInt] = [-1, -1]
    _ = try retryingInterrupts { detent_stream_pair(&ends) }
    return SocketPair(
      first: OwnedDescriptor(owning: ends[0]), second: OwnedDescriptor(owning: ends[1]))
  }

  /// A stream socket that is neither bound nor connected.
  static func stream() throws(Errno) -> OwnedDescriptor {
    OwnedDescriptor(owning: try retryingInterrupts { detent_stream_socket() })
  }

  /// Calls `body` with the address of a path.
  static func withAddress<Result>(
    of path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) throws(Errno) -> Result
  ) throws(Errno) -> Result {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    // One byte stays for the zero at the end.
    guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { throw .nameTooLong }
    guard !bytes.isEmpty, !bytes.contains(0) else { throw .invalid }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    // Typed throws do not pass through withMemoryRebound, so the outcome travels as a value.
    let outcome: Swift.Result<Result, Errno> = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        do throws(Errno) {
          return .success(try body(generic, socklen_t(MemoryLayout<sockaddr_un>.size)))
        } catch {
          return .failure(error)
        }
      }
    }
    return try outcome.get()
  }

  private static var sendFlags: CInt { CInt(MSG_NOSIGNAL | MSG_DONTWAIT) }
}

/// Two connected sockets.
@frozen
package struct SocketPair: ~Copyable {
  /// One end.
  package let first: OwnedDescriptor
  /// The other end.
  package let second: OwnedDescriptor
}
