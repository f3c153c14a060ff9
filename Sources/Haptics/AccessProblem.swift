// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc
package import LinuxIO

/// Why this process may not open a node: whose it is, who we are, and the cure.
package struct AccessProblem: Hashable, Sendable, CustomStringConvertible {
  /// The error: EACCES or EPERM.
  package var error: Errno
  /// The node.
  package var node: String
  /// The owner's name, or number.
  package var owner: String
  /// The group's name, or number.
  package var group: String
  /// The mode of the node, as 0o660.
  package var mode: UInt32
  /// The name of the user that this process runs as, or the number.
  package var user: String
  /// Whether this process is in the node's group.
  package var isInGroup: Bool

  /// A problem with all that is known of it.
  package init(
    error: Errno, node: String, owner: String, group: String, mode: UInt32, user: String,
    isInGroup: Bool
  ) {
    self.error = error
    self.node = node
    self.owner = owner
    self.group = group
    self.mode = mode
    self.user = user
    self.isInGroup = isInGroup
  }

  /// What is wrong and what to do, in one line.
  package var description: String {
    let digits = String(mode & 0o7777, radix: 8)
    let padding = String(repeating: "0", count: max(0, 4 - digits.count))
    return "\(node) belongs to \(owner):\(group) with mode \(padding)\(digits), and \(user) may "
      + "not open it for writing (\(error.name)): \(cure)"
  }

  private var cure: String {
    if error == .notPermitted {
      return "the service's sandbox forbids it; give the unit DeviceAllow=char-input rw"
    }
    if mode & 0o020 == 0 || group == "root" {
      return "give it to a group that may write by a udev rule (GROUP=\"input\", MODE=\"0660\"), "
        + "then run udevadm trigger"
    }
    if isInGroup {
      return "its group may write and \(user) is in it, so look for an ACL (getfacl \(node)) "
        + "or a container's device policy"
    }
    return "add \(user) to the group \(group) (SupplementaryGroups=\(group) in the unit), "
      + "then restart the service"
  }

  /// Why a node cannot be opened for writing; nil where it can.
  package static func ofOpening(_ node: String) -> AccessProblem? {
    do throws(Errno) {
      _ = try OwnedDescriptor(opening: node, flags: O_RDWR | O_NONBLOCK)
      return nil
    } catch {
      return AccessProblem(error: error, node: node)
    }
  }

  /// What there is to say about a node that could not be opened.
  init(error: Errno, node: String) {
    var status = stat()
    let isKnown = stat(node, &status) == 0
    self.init(
      error: error, node: node,
      owner: isKnown ? Self.name(status.st_uid, detent_user_name) : "somebody",
      group: isKnown ? Self.name(status.st_gid, detent_group_name) : "some group",
      mode: isKnown ? status.st_mode & 0o7777 : 0, user: Self.name(geteuid(), detent_user_name),
      isInGroup: isKnown && Self.groups().contains(status.st_gid))
  }

  private static func name(
    _ number: UInt32, _ look: (UInt32, UnsafeMutablePointer<CChar>?, Int) -> CInt
  ) -> String {
    var name = [CChar](repeating: 0, count: 256)
    guard look(number, &name, name.count) == 0 else { return String(number) }
    return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  private static func groups() -> [gid_t] {
    let count = getgroups(0, nil)
    var groups = [gid_t](repeating: 0, count: Int(max(count, 0)))
    guard getgroups(count, &groups) >= 0 else { return [getegid()] }
    return groups + [getegid()]
  }
}
