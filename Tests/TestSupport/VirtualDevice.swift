// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
package import LinuxIO

/// A kernel input device that a test made through uinput, gone when the last reference goes.
package final class VirtualDevice: Sendable {
  /// What was asked for.
  package let description: DeviceDescription
  /// The kernel's name of the device, such as "input7".
  package let sysname: String
  /// The event node, such as "/dev/input/event7".
  package let node: String
  /// The uinput descriptor, for drivers that answer force-feedback requests.
  let descriptor: CInt

  /// Makes the device and waits until udev knows it.
  package convenience init(_ description: DeviceDescription) throws {
    try self.init(description, flags: O_WRONLY | O_NONBLOCK)
  }

  /// Makes the device on a descriptor with these open flags.
  init(_ description: DeviceDescription, flags: CInt) throws {
    let uinput = try OwnedDescriptor(opening: "/dev/uinput", flags: flags)
    let fd = uinput.rawValue
    try Self.configure(fd, as: description)
    let createdUs = EventLoop.clockUs()
    _ = try retryingInterrupts { detent_uinput_create(fd) }
    var name = [CChar](repeating: 0, count: 64)
    _ = try retryingInterrupts { detent_uinput_sysname(fd, &name, name.count) }
    let sysname = String(
      decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    node = try InputNodes.waitForNode(
      ofDevice: "/sys/devices/virtual/input/\(sysname)", createdUs: createdUs)
    self.sysname = sysname
    self.description = description
    descriptor = uinput.release()
  }

  deinit {
    close(descriptor)
  }

  /// Sends one event of the current frame.
  package func emit(_ type: Int32, _ code: Int32, _ value: Int32) throws(Errno) {
    try emit(UInt16(type), UInt16(code), value)
  }

  /// Ends the frame: its events reach the readers together, with the time of now.
  package func sync() throws(Errno) {
    try emit(EV_SYN, SYN_REPORT, 0)
  }

  /// Sends one event as a recording has it.
  package func emit(_ type: UInt16, _ code: UInt16, _ value: Int32) throws(Errno) {
    var event = input_event()
    event.type = type
    event.code = code
    event.value = value
    let count = try withUnsafeBytes(of: &event) { bytes throws(Errno) in
      try Descriptor.write(descriptor, bytes)
    }
    guard count == MemoryLayout<input_event>.size else { throw .inputOutput }
  }

  /// Sends events of a recording as fast as the kernel takes them, many with one call.
  package func emit(_ events: some Collection<EvemuRecording.Event>) throws {
    let packets = events.map { event in
      var packet = input_event()
      packet.type = event.type
      packet.code = event.code
      packet.value = event.value
      return packet
    }
    try packets.withUnsafeBytes { try Descriptor.writeAll(descriptor, $0) }
  }

  /// Sends a frame with its end in one write: what a driver's interrupt is to a panel.
  package func emit(frame: [(type: Int32, code: Int32, value: Int32)]) throws(Errno) {
    var events = frame.map { part in
      var event = input_event()
      event.type = UInt16(part.type)
      event.code = UInt16(part.code)
      event.value = part.value
      return event
    }
    var end = input_event()
    end.type = UInt16(EV_SYN)
    end.code = UInt16(SYN_REPORT)
    events.append(end)
    // Typed throws do not pass through the array's method, so the outcome travels as a value.
    let outcome = events.withUnsafeBytes { bytes in
      Result { () throws(Errno) in try Descriptor.write(descriptor, bytes) }
    }
    let count = try outcome.get()
    guard count == events.count * MemoryLayout<input_event>.size else { throw .inputOutput }
  }

  /// Takes the device away now, before the last reference goes; what waits for it gets ENODEV.
  package func unplug() {
    _ = detent_uinput_destroy(descriptor)
  }

  private static func configure(_ fd: CInt, as description: DeviceDescription) throws(Errno) {
    for (type, codes) in description.codes {
      _ = try retryingInterrupts { detent_uinput_set_event(fd, UInt32(type)) }
      for code in codes {
        _ = try retryingInterrupts { detent_uinput_set_bit(fd, UInt32(type), UInt32(code)) }
      }
    }
    if !description.axes.isEmpty {
      // UI_ABS_SETUP sets the axis's bit, but not the one of its type, without which it is no axis.
      _ = try retryingInterrupts { detent_uinput_set_event(fd, UInt32(EV_ABS)) }
    }
    for (code, axis) in description.axes {
      var setup = uinput_abs_setup()
      setup.code = code
      setup.absinfo.minimum = axis.minimum
      setup.absinfo.maximum = axis.maximum
      setup.absinfo.fuzz = axis.fuzz
      setup.absinfo.flat = axis.flat
      setup.absinfo.resolution = axis.resolution
      _ = try retryingInterrupts { detent_uinput_abs_setup(fd, &setup) }
    }
    for property in description.properties {
      _ = try retryingInterrupts { detent_uinput_set_property(fd, UInt32(property)) }
    }
    if !description.phys.isEmpty {
      _ = try retryingInterrupts { detent_uinput_set_phys(fd, description.phys) }
    }
    var setup = uinput_setup()
    setup.id.bustype = description.bus
    setup.id.vendor = description.vendor
    setup.id.product = description.product
    setup.id.version = description.version
    setup.ff_effects_max = description.effectSlots
    withUnsafeMutableBytes(of: &setup.name) { $0.copyBytes(from: description.name.utf8.prefix(79)) }
    _ = try retryingInterrupts { detent_uinput_setup(fd, &setup) }
  }
}
