// SPDX-License-Identifier: Apache-2.0

import CLibinput
import Gestures
import LinuxIO

/// Nodes of which libinput does not tell: refused ones, named ones, and those of which udev's word changed.
extension InputDevices {
  func addPath(_ path: String) {
    guard NodeAccess(node: path) != nil else {
      waitingRefusals.append((path, "", "there is no such node yet; it is used once it appears"))
      return
    }
    guard libinput_path_add_device(context.raw, path) == nil else { return }
    let names = [path, udev.device(at: path)?.node]
    if !waitingRefusals.contains(where: { names.contains($0.node) }) {
      waitingRefusals.append((path, "", "it is no input device"))
    }
  }

  func nodeChanged(_ device: UdevDevice) {
    let node = device.node
    let before = known[node]
    switch device.action {
    case "remove":
      toldRefusals[node] = nil
      known[node] = nil
      removeKnob(node)
    case "add":
      known[node] = NodeKnowledge(device)
      guard !isSuspended else { return }
      addKnob(device)
      tellRefusals()
      guard case .paths(let paths) = source else { return }
      for path in paths where udev.device(at: path)?.sysname == device.sysname {
        guard opener.descriptor(of: node) == nil else { continue }
        toldRefusals[path] = nil
        addPath(path)
      }
      drain()
    case "change":
      // Rules that changed, a seat that was attached, a mode that was set late: libinput looks at
      // these only when it opens a device.
      let now = NodeKnowledge(device)
      known[node] = now
      guard now != before else { return }
      wantsRescan = wantsRescan || matters(now, node: node)
      rescanIfIdle()
    default: return
    }
  }

  /// Whether a node whose description changed is used, or would be.
  private func matters(_ now: NodeKnowledge, node: String) -> Bool {
    if tracked.contains(where: { $0.device.node == node }) { return true }
    if knobReaders.contains(where: { $0.node.node == node }) { return true }
    if let device = udev.device(at: node), isKnob(device) { return true }
    if case .seat(let seat) = source, now.seat != seat { return false }
    return NodePolicy.decide(now.facts) == .open
  }

  /// Lets libinput look at every device anew, once no finger is down.
  func rescanIfIdle() {
    guard wantsRescan, !isSuspended, tracked.allSatisfy({ $0.contacts.isEmpty && !$0.isScrolling })
    else { return }
    wantsRescan = false
    suspend()
    resume()
  }

  func tellRefusals() {
    while !waitingRefusals.isEmpty {
      let (node, name, reason) = waitingRefusals.removeFirst()
      guard toldRefusals[node] != reason else { continue }
      toldRefusals[node] = reason
      handler(.refused(node: node, name: name, reason: reason))
    }
  }
}
