// SPDX-License-Identifier: Apache-2.0

import LinuxIO

/// The users and groups that may change things.
///
/// Names are looked up once, when the list is made: a look-up may ask a server somewhere, and the loop cannot wait.
struct ControlList {
  private let isOpen: Bool
  private var users: Set<UInt32> = []
  private var groups: Set<UInt32> = []

  /// - Parameter names: Users and groups; empty for all who can open the socket. One that the system does not know
  ///   permits nobody.
  init(_ names: [String]) {
    isOpen = names.isEmpty
    for name in names {
      if let user = Accounts.user(named: name) { users.insert(user) }
      if let group = Accounts.group(named: name) { groups.insert(group) }
    }
  }

  /// Whether a connected peer may change things.
  func permits(_ peer: PeerCredentials, socket: CInt) -> Bool {
    if isOpen || users.contains(peer.uid) || groups.contains(peer.gid) { return true }
    if groups.isEmpty { return false }
    return !groups.isDisjoint(with: (try? PeerCredentials.groups(of: socket)) ?? [])
  }
}
