// SPDX-License-Identifier: Apache-2.0

import LinuxIO

/// Everything about a node on which its use depends; compared to see whether to look at it again.
struct NodeKnowledge: Hashable {
  var facts: NodePolicy.Facts
  var seat: String
  var calibration: String?
  /// Owner, group and mode.
  var ownership: String?

  init(_ device: UdevDevice) {
    facts = NodePolicy.Facts(device)
    seat = device.seat
    calibration = device.property("LIBINPUT_CALIBRATION_MATRIX")
    ownership = NodeAccess(node: device.node)?.ownership
  }
}
