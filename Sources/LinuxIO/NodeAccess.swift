// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Who may open a device node, and who this process is.
package struct NodeAccess: Hashable, Sendable {
  /// The group to which the udev rules give nodes.
  private static let serviceGroup = "detent-devices"

  /// The node.
  package var node: String
  /// The owner's name, or number.
  package var owner: String
  /// The group's name, or number.
  package var group: String
  /// The permission bits, such as 0o660.
  package var mode: UInt32
  /// The name of the user that this process runs as, or the number.
  package var user: String
  /// Whether this process is in the node's group.
  package var isInGroup: Bool
  /// Whether the udev rules are installed that give the service its devices.
  package var hasServiceGroup: Bool

  /// All that is known of a node.
  package init(
    node: String, owner: String, group: String, mode: UInt32, user: String, isInGroup: Bool,
    hasServiceGroup: Bool
  ) {
    self.node = node
    self.owner = owner
    self.group = group
    self.mode = mode
    self.user = user
    self.isInGroup = isInGroup
    self.hasServiceGroup = hasServiceGroup
  }

  /// What the system knows of a node; nil where it is not there.
  package init?(node: String) {
    var status = stat()
    guard stat(node, &status) == 0 else { return nil }
    self.init(
      node: node, owner: Accounts.userName(status.st_uid),
      group: Accounts.groupName(status.st_gid), mode: status.st_mode & 0o777,
      user: Accounts.userName(geteuid()), isInGroup: Self.groups().contains(status.st_gid),
      hasServiceGroup: Accounts.group(named: Self.serviceGroup) != nil)
  }

  /// Owner, group and mode: "root:input 0660".
  package var ownership: String {
    let digits = String(mode, radix: 8)
    return "\(owner):\(group) 0" + String(repeating: "0", count: max(0, 3 - digits.count)) + digits
  }

  /// What makes the node accessible to this process.
  package var cure: String {
    // Where the udev rules are installed, nobody needs the group of all keyboards.
    if hasServiceGroup {
      return "the group \(Self.serviceGroup) has no entry in its access list: run udevadm trigger "
        + "--subsystem-match=input, or set DETENT_TYPE for it in a udev rule, see detentd(8)"
    }
    guard mode & 0o060 == 0o060, group != "root" else {
      return "no group may open it: give it one with a udev rule "
        + "(SUBSYSTEM==\"input\", GROUP=\"input\", MODE=\"0660\") and run udevadm trigger"
    }
    if isInGroup {
      return "\(user) is in its group, which may open it, so look for an access list "
        + "(getfacl \(node)) or a container's device policy"
    }
    return "add \(user) to group \(group) (SupplementaryGroups=\(group) in the service, "
      + "or usermod -aG \(group) \(user)) and start the service anew"
  }

  private static func groups() -> [gid_t] {
    let count = getgroups(0, nil)
    var groups = [gid_t](repeating: 0, count: Int(max(count, 0)))
    guard getgroups(count, &groups) >= 0 else { return [getegid()] }
    return groups + [getegid()]
  }
}
