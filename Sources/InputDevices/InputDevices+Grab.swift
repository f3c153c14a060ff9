// SPDX-License-Identifier: Apache-2.0

import Gestures
import LinuxIO

/// Having a device alone.
extension InputDevices {
  /// Takes a device for this service alone, or gives it back.
  ///
  /// A device on which something is pressed is taken later: other readers would never see the end of
  /// it. The outcome comes as `Change.grab`.
  package func grab(device number: Int, _ on: Bool) {
    guard let device = tracked.first(where: { $0.device.number == number }) else { return }
    guard on else {
      wantedGrabs.remove(number)
      if let descriptor = opener.descriptor(of: device.device.node) {
        // It fails only where nothing was grabbed.
        try? EvdevNode.grab(descriptor, false)
      }
      return
    }
    wantedGrabs.insert(number)
    retryGrabs()
  }

  func retryGrabs() {
    var isWaiting = false
    for number in wantedGrabs.sorted() {
      guard let device = tracked.first(where: { $0.device.number == number }),
        let descriptor = opener.descriptor(of: device.device.node)
      else { continue }
      guard EvdevNode.isIdle(descriptor) else {
        isWaiting = true
        continue
      }
      wantedGrabs.remove(number)
      do throws(Errno) {
        try EvdevNode.grab(descriptor, true)
        handler(.grab(device.device, .held))
      } catch {
        handler(.grab(device.device, error == .busy ? .heldByAnother : .failed(error)))
      }
    }
    if isWaiting { grabTimer?.arm(atUs: EventLoop.clockUs() + 250_000) }
  }
}
