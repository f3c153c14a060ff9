// SPDX-License-Identifier: Apache-2.0

import CTestSupport
import Glibc
import LinuxIO
import Synchronization

/// A Bluetooth game controller on uhid, whose motors the kernel's own hid-microsoft and ff-memless drive.
///
/// Each change of the motors comes out as an output report, so that what a hand would feel is known with its
/// times: `log.pulses`.
package final class UhidGamepad: Sendable {
  /// When the motors were switched to which strength.
  package let log = MotorLog()
  /// The event node.
  package let node: String

  private let descriptor: CInt
  private let thread: BackgroundThread
  private let isEnded: Ending

  /// Plugs the controller in and waits until udev knows it.
  ///
  /// - Parameter name: the kernel makes the input device's name of it; it must be the only one with that name.
  package init(name: String = "Detent test gamepad") throws {
    let uhid = try OwnedDescriptor(opening: "/dev/uhid", flags: O_RDWR | O_NONBLOCK)
    let fd = uhid.rawValue
    let createdUs = EventLoop.clockUs()
    _ = try retryingInterrupts {
      detent_uhid_create(
        fd, name, 5 /* Bluetooth */, 0x045E, 0x02FD, Self.reportDescriptor,
        Self.reportDescriptor.count)
    }
    // The kernel asks while it sets the device up, so that the answers must come before the node does.
    let ending = Ending()
    let log = log
    thread = try BackgroundThread { Self.serve(fd, log: log, until: ending) }
    isEnded = ending
    do {
      node = try InputNodes.waitForNode(named: name, createdUs: createdUs)
    } catch {
      ending.isEnded.store(true, ordering: .relaxed)
      thread.join()
      throw error
    }
    descriptor = uhid.release()
  }

  deinit {
    unplug()
    close(descriptor)
  }

  /// Takes the controller away.
  package func unplug() {
    guard !isEnded.isEnded.exchange(true, ordering: .relaxed) else { return }
    thread.join()
    _ = detent_uhid_destroy(descriptor)
  }

  private final class Ending: Sendable {
    let isEnded = Atomic(false)
  }

  private static func serve(_ descriptor: CInt, log: MotorLog, until ending: Ending) {
    var report = [UInt8](repeating: 0, count: 16)
    while !ending.isEnded.load(ordering: .relaxed) {
      var waits = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&waits, 1, 20) > 0 else { continue }
      while true {
        let length = detent_uhid_read_output(descriptor, &report, report.count)
        guard length >= 0 else { break }
        // Report 3: what to do, triggers, then the motors.
        if length >= 6, report[0] == 3 {
          log.add(.motors(strong: report[4], weak: report[5]))
        }
      }
    }
  }

  /// A game pad of ten buttons (report 1) with an output report of eight bytes (report 3).
  private static let reportDescriptor: [UInt8] = [
    0x05, 0x01,  // Usage page: generic desktop
    0x09, 0x05,  // Usage: game pad
    0xA1, 0x01,  // Collection: application
    0x85, 0x01,  //   Report 1
    0x05, 0x09,  //   Usage page: buttons
    0x19, 0x01, 0x29, 0x0A,  //   Buttons 1 to 10
    0x15, 0x00, 0x25, 0x01,  //   Values 0 and 1
    0x75, 0x01, 0x95, 0x0A,  //   Ten bits
    0x81, 0x02,  //   Input: variable
    0x75, 0x06, 0x95, 0x01,  //   Six bits
    0x81, 0x03,  //   Input: padding
    0x85, 0x03,  //   Report 3
    0x06, 0x00, 0xFF,  //   Usage page: vendor's
    0x09, 0x01,  //   Usage: vendor's
    0x15, 0x00, 0x26, 0xFF, 0x00,  //   Values 0 to 255
    0x75, 0x08, 0x95, 0x08,  //   Eight bytes
    0x91, 0x02,  //   Output: variable
    0xC0,  // End of the collection
  ]
}
