// SPDX-License-Identifier: Apache-2.0

import Gestures
import LinuxIO

/// One panel that shows up as two nodes: its touches win over its mouse.
extension InputDevices {
  func touchNode(of pointer: TrackedDevice) -> TrackedDevice? {
    tracked.first { $0.role == .touch && $0.identity.isSame(as: pointer.identity) }
  }

  func isActiveTwin(_ candidate: TrackedDevice, of touch: TrackedDevice) -> Bool {
    candidate.role == .pointer && !candidate.isSuppressed
      && candidate.identity.isSame(as: touch.identity)
  }

  func suppress(_ pointer: TrackedDevice, for touch: TrackedDevice) {
    // libinput goes on reading it: switching it off under a finger leaves libinput's debouncing in a
    // state in which the next release ends the process.
    pointer.isSuppressed = true
    waitingRefusals.append(
      (
        pointer.device.node, pointer.device.name,
        "the same panel as \(touch.device.node), which reports touches"
      ))
  }

  func settleTwins() {
    for pointer in tracked where pointer.isSuppressed && touchNode(of: pointer) == nil {
      pointer.isSuppressed = false
      pointer.position = startingPosition(of: pointer)
      toldRefusals[pointer.device.node] = nil
      handler(.added(pointer.device))
    }
    drain()
  }
}
