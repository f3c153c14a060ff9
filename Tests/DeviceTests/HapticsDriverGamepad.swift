// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import Synchronization

/// A Bluetooth game controller on uhid, which the kernel drives with its own ff-memless.
///
/// hid-microsoft sends the strengths of the motors as an output report whenever they change, so that
/// what a hand would feel comes back with its times.
final class DriverGamepad: Sendable {
  /// When the motors were switched to which strength.
  let log = DriverLog()
  /// The device node.
  let node: String

  private let descriptor: CInt
  private let isDone = Mutex(false)
  private let isClosed = Mutex(false)

  /// Plugs the controller in and waits for udev to know it.
  init(name: String) throws {
    let fd = try OwnedDescriptor(opening: "/dev/uhid", flags: O_RDWR | O_NONBLOCK).release()
    descriptor = fd
    // struct uhid_create2_req, packed, after its type.
    var create = [UInt8](repeating: 0, count: 4 + 4372)
    Self.put(11, 4, at: 0, in: &create)
    create.replaceSubrange(4..<(4 + name.utf8.count), with: name.utf8)
    Self.put(UInt32(Self.descriptor.count), 2, at: 260, in: &create)
    Self.put(0x05, 2, at: 262, in: &create)  // BUS_BLUETOOTH
    Self.put(0x045E, 4, at: 264, in: &create)
    Self.put(0x02FD, 4, at: 268, in: &create)
    create.replaceSubrange(280..<(280 + Self.descriptor.count), with: Self.descriptor)
    do {
      _ = try create.withUnsafeBytes { bytes in try Descriptor.write(fd, bytes) }
      node = try HapticsNodes.node(named: name)
    } catch {
      close(fd)
      throw error
    }
    HapticsThread.start { [self] in serve() }
  }

  /// Takes the controller away; returns when it is gone.
  func unplug() {
    isDone.withLock { $0 = true }
    while !isClosed.withLock({ $0 }) { usleep(1_000) }
  }

  private func serve() {
    var event = [UInt8](repeating: 0, count: 4380)
    while !isDone.withLock({ $0 }) {
      var waits = [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)]
      guard poll(&waits, 1, 50) > 0 else { continue }
      while Glibc.read(descriptor, &event, event.count) > 0 {
        // UHID_OUTPUT with report 3: what to do, then the strengths of the motors.
        if event[0] == 6, event[4] == 3 {
          log.add(.motors(strong: event[8], weak: event[9]))
        }
      }
    }
    close(descriptor)
    isClosed.withLock { $0 = true }
  }

  private static func put(_ value: UInt32, _ bytes: Int, at index: Int, in data: inout [UInt8]) {
    for byte in 0..<bytes { data[index + byte] = UInt8(truncatingIfNeeded: value >> (8 * byte)) }
  }

  /// A game pad of ten buttons (report 1), and an output report of eight bytes (report 3).
  private static let descriptor: [UInt8] = [
    0x05, 0x01, 0x09, 0x05, 0xA1, 0x01,
    0x85, 0x01, 0x05, 0x09, 0x19, 0x01, 0x29, 0x0A, 0x15, 0x00, 0x25, 0x01, 0x75, 0x01, 0x95, 0x0A,
    0x81, 0x02, 0x75, 0x06, 0x95, 0x01, 0x81, 0x03,
    0x85, 0x03, 0x06, 0x00, 0xFF, 0x09, 0x01, 0x15, 0x00, 0x26, 0xFF, 0x00, 0x75, 0x08, 0x95, 0x08,
    0x91, 0x02,
    0xC0,
  ]
}
