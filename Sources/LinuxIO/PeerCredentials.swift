// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// Who is at the other end of a Unix socket, as the kernel noted when the peer connected.
package struct PeerCredentials: Hashable, Sendable {
  /// The process.
  package var pid: Int32
  /// The effective user.
  package var uid: UInt32
  /// The effective group.
  package var gid: UInt32

  /// Credentials, such as a test needs them.
  package init(pid: Int32, uid: UInt32, gid: UInt32) {
    self.pid = pid
    self.uid = uid
    self.gid = gid
  }

  /// The credentials of a connected socket's peer.
  package init(of socket: CInt) throws(Errno) {
    var peer = detent_peer()
    _ = try retryingInterrupts { detent_peer_credentials(socket, &peer) }
    self.init(pid: peer.pid, uid: peer.uid, gid: peer.gid)
  }

  /// The supplementary groups of a connected socket's peer; empty where it has none.
  package static func groups(of socket: CInt) throws(Errno) -> [UInt32] {
    // NGROUPS_MAX is 65536; hardly anybody has more than a few dozen.
    var capacity = 64
    while true {
      var groups = [gid_t](repeating: 0, count: capacity)
      let count = detent_peer_groups(socket, &groups, CInt(capacity))
      if count >= 0 { return Array(groups.prefix(Int(count))) }
      let error = Errno.current
      guard error.rawValue == ERANGE, capacity < 65536 else { throw error }
      capacity *= 4
    }
  }

  /// The short name of the peer's program, as `ps` shows it; nil once the process is gone.
  package var command: String? {
    guard
      let file = try? OwnedDescriptor(opening: "/proc/\(pid)/comm", flags: O_RDONLY)
    else { return nil }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = bytes.withUnsafeMutableBytes { (try? file.read(into: $0)) ?? 0 }
    let line = bytes.prefix(count).prefix { $0 != UInt8(ascii: "\n") }
    return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
  }
}

/// Names and numbers of users and groups.
package enum Accounts {
  /// The group's number; nil for a name that the system does not know.
  package static func group(named name: String) -> UInt32? {
    var number: gid_t = 0
    return detent_group_id(name, &number) == 0 ? number : nil
  }

  /// The user's number; nil for a name that the system does not know.
  package static func user(named name: String) -> UInt32? {
    var number: uid_t = 0
    return detent_user_id(name, &number) == 0 ? number : nil
  }

  /// The group's name, or its number where it has none.
  package static func groupName(_ gid: UInt32) -> String {
    name { detent_group_name(gid, $0, $1) } ?? "\(gid)"
  }

  /// The user's name, or its number where it has none.
  package static func userName(_ uid: UInt32) -> String {
    name { detent_user_name(uid, $0, $1) } ?? "\(uid)"
  }

  private static func name(_ find: (UnsafeMutablePointer<CChar>, Int) -> CInt) -> String? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
      guard let base = buffer.baseAddress, find(base, buffer.count) == 0 else { return nil }
      return String(cString: base)
    }
  }
}
