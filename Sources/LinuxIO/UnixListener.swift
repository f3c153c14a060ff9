// SPDX-License-Identifier: Apache-2.0

import CLibsystemd
import CLinux
import Glibc

/// A listening Unix stream socket.
package final class UnixListener {
  /// The socket, to be watched for `.readable`.
  package let descriptor: CInt
  /// Where it listens; nil for an inherited socket without a name.
  package let path: String?
  /// Whether the service manager made the socket and keeps its file.
  package let isInherited: Bool

  private let socket: OwnedDescriptor
  private let identity: FileIdentity?

  private init(socket: consuming OwnedDescriptor, path: String?, inherited: Bool) {
    descriptor = socket.rawValue
    self.socket = socket
    self.path = path
    isInherited = inherited
    identity = inherited ? nil : path.flatMap { FileIdentity(of: $0) }
  }

  deinit {
    // Only the file that we made: by now another instance may have put its own there.
    if let path, let identity, FileIdentity(of: path) == identity { unlink(path) }
  }

  /// Listens at a path.
  ///
  /// A socket file is replaced only where connecting to it is refused, which is what a crash leaves
  /// behind. The directory is locked meanwhile, so that of two instances that start at once one
  /// wins and the other finds it listening.
  ///
  /// - Parameters:
  ///   - mode: the mode of the socket file, such as 0o660; in force before anybody can connect.
  ///   - group: the group of the socket file; nil leaves the process's own.
  package init(
    listeningAt path: String, mode: UInt32 = 0o660, group: String? = nil
  ) throws(SocketPathError) {
    let made = try SocketPath(path: path).listen(mode: mode, group: group)
    descriptor = made.rawValue
    socket = made
    self.path = path
    isInherited = false
    identity = FileIdentity(of: path)
  }

  /// The next connection, non-blocking and close-on-exec; nil where none waits.
  ///
  /// A connection that broke while it waited is skipped. Running out of descriptors
  /// (`.tooManyDescriptors`) leaves the connection waiting: stop watching for a while.
  package func accept() throws(Errno) -> OwnedDescriptor? {
    while true {
      let number = detent_accept(descriptor)
      if number >= 0 { return OwnedDescriptor(owning: number) }
      let error = Errno.current
      switch error.rawValue {
      case EAGAIN: return nil
      case EINTR, ECONNABORTED, EPROTO: continue
      default: throw error
      }
    }
  }

  /// The listening Unix stream sockets that the service manager passed (socket activation).
  ///
  /// Asking takes them: a second call finds none.
  ///
  /// - Parameter refused: called with the number of each descriptor that is something else, which is
  ///   closed.
  package static func inherited(refused: (CInt) -> Void) throws(Errno) -> [UnixListener] {
    let count = try checked(sd_listen_fds(1))
    var listeners: [UnixListener] = []
    for number in 3..<(3 + count) {
      let descriptor = OwnedDescriptor(owning: number)
      guard sd_is_socket_unix(number, detent_stream_type(), 1, nil, 0) > 0 else {
        refused(number)
        continue
      }
      try Descriptor.setNonBlockingCloseOnExec(number)
      listeners.append(
        UnixListener(socket: descriptor, path: boundPath(of: number), inherited: true))
    }
    return listeners
  }

  private static func boundPath(of descriptor: CInt) -> String? {
    var address = sockaddr_un()
    var length = socklen_t(MemoryLayout<sockaddr_un>.size)
    let result = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        getsockname(descriptor, $0, &length)
      }
    }
    guard result == 0 else { return nil }
    let path = withUnsafeBytes(of: &address.sun_path) { $0.prefix { $0 != 0 } }
    return path.isEmpty ? nil : String(decoding: path, as: UTF8.self)
  }
}

/// Which file is at a path, whatever its name.
struct FileIdentity: Hashable {
  var device: UInt64
  var inode: UInt64

  init?(of path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
  }
}
