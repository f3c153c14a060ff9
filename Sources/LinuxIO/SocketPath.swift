// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// The steps from a path to a socket that listens there.
struct SocketPath {
  var path: String

  /// Binds and listens; see `UnixListener.init(listeningAt:mode:group:)`.
  func listen(mode: UInt32, group: String?) throws(SocketPathError) -> OwnedDescriptor {
    var gid: UInt32?
    if let group {
      guard let number = Accounts.group(named: group) else {
        throw .unknownGroup(path: path, group: group)
      }
      gid = number
    }
    let directory = try lockDirectory()
    defer { _ = directory.rawValue }
    let socket = try make()
    if try !bind(socket.rawValue) {
      try removeStale()
      guard try bind(socket.rawValue) else {
        throw .failed(path: path, step: "bind", error: .addressInUse)
      }
    }
    do throws(SocketPathError) {
      if let gid, lchown(path, .max, gid) != 0 {
        throw .failed(path: path, step: "give it to group \(group ?? "")", error: .current)
      }
      if chmod(path, mode) != 0 { throw .failed(path: path, step: "chmod", error: .current) }
      if Glibc.listen(socket.rawValue, CInt(SOMAXCONN)) != 0 {
        throw .failed(path: path, step: "listen", error: .current)
      }
    } catch {
      unlink(path)
      throw error
    }
    return socket
  }

  private var directory: String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Holds others that start at this path off until the descriptor is closed.
  private func lockDirectory() throws(SocketPathError) -> OwnedDescriptor {
    let opened: OwnedDescriptor
    do throws(Errno) {
      opened = try OwnedDescriptor(opening: directory, flags: O_RDONLY | O_DIRECTORY)
    } catch {
      if error == .noEntry { throw .noDirectory(path: path, directory: directory) }
      throw .failed(path: path, step: "open \(directory)", error: error)
    }
    // Anybody who can read the directory could hold the lock for ever, so patience has an end.
    for _ in 0..<40 {
      if flock(opened.rawValue, LOCK_EX | LOCK_NB) == 0 { return opened }
      usleep(50_000)
    }
    throw .failed(path: path, step: "lock \(directory)", error: .addressInUse)
  }

  private func make() throws(SocketPathError) -> OwnedDescriptor {
    do throws(Errno) {
      let socket = try UnixSocket.stream()
      // The file gets this mode, less the umask, so that nobody slips in before its group is set.
      _ = try retryingInterrupts { fchmod(socket.rawValue, 0o600) }
      return socket
    } catch {
      throw .failed(path: path, step: "socket", error: error)
    }
  }

  /// Whether the path was free.
  private func bind(_ socket: CInt) throws(SocketPathError) -> Bool {
    do throws(Errno) {
      try UnixSocket.withAddress(of: path) { address, length throws(Errno) in
        _ = try retryingInterrupts { Glibc.bind(socket, address, length) }
      }
      return true
    } catch {
      switch error {
      case .addressInUse: return false
      case .nameTooLong: throw .tooLong(path: path)
      default: throw .failed(path: path, step: "bind", error: error)
      }
    }
  }

  /// Deletes the socket file of an instance that is no more; throws for anything else.
  private func removeStale() throws(SocketPathError) {
    var status = stat()
    guard lstat(path, &status) == 0 else {
      // Gone since: bind will tell.
      if errno == ENOENT { return }
      throw .failed(path: path, step: "stat", error: .current)
    }
    guard status.st_mode & S_IFMT == S_IFSOCK else {
      throw .foreign(path: path, what: Self.kind(of: status.st_mode))
    }
    let refusal: Errno
    var pid: Int32?
    do throws(Errno) {
      let peer = try UnixSocket.connect(to: path)
      pid = (try? PeerCredentials(of: peer.rawValue))?.pid
      refusal = .addressInUse
    } catch {
      refusal = error
    }
    switch refusal {
    case .connectionRefused:
      if unlink(path) != 0, errno != ENOENT {
        throw .failed(path: path, step: "delete the stale socket", error: .current)
      }
    case .noEntry: return
    case .addressInUse, .wouldBlock:
      // A listener in another pid namespace shows as process 0.
      throw .inUse(path: path, pid: pid == 0 ? nil : pid)
    case .wrongSocketType: throw .foreign(path: path, what: "a socket of another type")
    default: throw .failed(path: path, step: "connect to what is there", error: refusal)
    }
  }

  private static func kind(of mode: UInt32) -> String {
    switch mode & S_IFMT {
    case S_IFREG: "a file"
    case S_IFDIR: "a directory"
    case S_IFLNK: "a symbolic link"
    case S_IFIFO: "a named pipe"
    case S_IFCHR, S_IFBLK: "a device"
    default: "something"
    }
  }
}
