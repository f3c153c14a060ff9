// SPDX-License-Identifier: Apache-2.0

// Two doors show linux/input.h, and either may own its structs.
import CLibevdev
import CLinux
import Glibc
import LinuxIO

/// Tells a finger that lifted from a device that vanished.
///
/// When a device is unplugged, suspended or inhibited, the kernel releases its pressed buttons
/// before anybody hears of the removal. On a panel whose finger is a button that looks like a lift,
/// and would select what the finger happened to be on. But the kernel closes such a packet with a
/// SYN_REPORT of value 1, where drivers send 0. libinput does not hand that through, so a second
/// open file listens for the buttons alone; everything else is masked.
final class ReleaseWitness {
  private let file: OwnedDescriptor
  private var wasInjected = false
  private var sawRelease = false

  /// A witness on a node; nil where the node cannot be opened again or the kernel has no masks.
  init?(node: String) {
    guard
      let file = try? OwnedDescriptor(opening: node, flags: O_RDONLY | O_NONBLOCK),
      (try? EvdevNode.maskAll(file.rawValue, exceptKeys: [Int(BTN_LEFT), Int(BTN_TOUCH)])) != nil
    else { return nil }
    self.file = file
  }

  /// Whether the last release that the kernel reported was its own doing and no finger's.
  func lastReleaseWasInjected() -> Bool {
    readAll()
    return wasInjected
  }

  private func readAll() {
    let size = MemoryLayout<input_event>.stride
    withUnsafeTemporaryAllocation(of: input_event.self, capacity: 64) { events in
      let bytes = UnsafeMutableRawBufferPointer(events)
      while let count = try? Descriptor.read(file.rawValue, into: bytes), count >= size {
        for event in events.prefix(count / size) { note(event) }
      }
    }
  }

  private func note(_ event: input_event) {
    switch (CInt(event.type), CInt(event.code)) {
    case (EV_KEY, _):
      sawRelease = event.value == 0
    case (EV_SYN, SYN_REPORT):
      if sawRelease { wasInjected = event.value != 0 }
      sawRelease = false
    case (EV_SYN, SYN_DROPPED):
      sawRelease = false
      wasInjected = false
    default: break
    }
  }
}
