// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO

/// Who may open a node, and what to do for those who may not.
struct AccessReport {
  /// The group to which the udev rules give nodes.
  private static let serviceGroup = "detent-devices"

  var node: String
  var owner: String
  var group: String
  /// The permission bits, such as 0o660.
  var mode: UInt32
  /// The group's bits allow reading and writing.
  var groupMayOpen: Bool { mode & 0o060 == 0o060 }

  /// Nil where the node is not there.
  init?(node: String) {
    var status = stat()
    guard stat(node, &status) == 0 else { return nil }
    self.node = node
    owner = Accounts.userName(status.st_uid)
    group = Accounts.groupName(status.st_gid)
    mode = status.st_mode & 0o777
  }

  /// Owner, group and mode: "root:input 0660".
  var ownership: String {
    let digits = String(mode, radix: 8)
    return "\(owner):\(group) 0" + String(repeating: "0", count: max(0, 3 - digits.count)) + digits
  }

  /// What makes the node accessible to this process.
  var cure: String {
    let user = Accounts.userName(geteuid())
    // Where the udev rules are installed, nobody needs the group of all keyboards.
    if Accounts.group(named: Self.serviceGroup) != nil {
      return "the group \(Self.serviceGroup) has no entry in its access list: run udevadm trigger "
        + "--subsystem-match=input, or set DETENT_TYPE for it in a udev rule, see detentd(8)"
    }
    if groupMayOpen, group != "root" {
      return "add \(user) to group \(group) (SupplementaryGroups=\(group) in the service, "
        + "or usermod -aG \(group) \(user)) and start the service anew"
    }
    return "no group may open it: give it one with a udev rule "
      + "(SUBSYSTEM==\"input\", GROUP=\"input\", MODE=\"0660\") and run udevadm trigger"
  }

  /// Why a node could not be opened, in one line with the cure.
  static func explain(_ error: Errno, node: String) -> String {
    guard let report = AccessReport(node: node) else { return "\(error)" }
    switch error {
    case .accessDenied:
      return "\(error): it is \(report.ownership); \(report.cure)"
    case .notPermitted:
      return "\(error): it is \(report.ownership); the service's device policy forbids it, "
        + "allow it with DeviceAllow=char-input rw"
    default:
      return "\(error): it is \(report.ownership)"
    }
  }
}
