// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc
package import LinuxIO

/// An open evdev node with force feedback, whose effects live as long as it does.
///
/// The kernel keeps effects per open file: whatever ends the process also stops and erases them.
/// Calls may block for as long as the driver likes, so they belong on a motor's own thread.
package struct ForceFeedbackDevice: ~Copyable {
  private let descriptor: OwnedDescriptor

  /// Opens a node for reading and writing: plays are writes.
  package init(opening node: String) throws(Errno) {
    descriptor = try OwnedDescriptor(opening: node, flags: O_RDWR | O_NONBLOCK)
  }

  /// The descriptor's number, to wait for hang-ups.
  package var number: CInt { descriptor.rawValue }

  /// What the device advertises.
  package borrowing func bits() throws(Errno) -> ForceFeedbackBits {
    var bytes = [UInt8](repeating: 0, count: Int(FF_CNT) / 8)
    _ = try retryingInterrupts {
      detent_evdev_bits(descriptor.rawValue, UInt32(EV_FF), &bytes, bytes.count)
    }
    return ForceFeedbackBits(CodeBits(bytes: bytes))
  }

  /// How many effects the device says it holds.
  package borrowing func slots() throws(Errno) -> Int {
    var count: CInt = 0
    _ = try retryingInterrupts { detent_ff_capacity(descriptor.rawValue, &count) }
    return Int(count)
  }

  /// Hides all events from this open file.
  ///
  /// The kernel echoes each play to every reader of the node, its author too; and on a node that has
  /// keys nothing that is typed shall ever reach us.
  package borrowing func hideEvents() throws(Errno) {
    // The kernel wants whole machine words.
    let none = [UInt8](repeating: 0, count: max(Int(EV_CNT) / 8, MemoryLayout<UInt64>.size))
    _ = try retryingInterrupts {
      detent_evdev_set_mask(descriptor.rawValue, 0, none, none.count)
    }
  }

  /// Uploads an effect into a new slot, or over the one with an id.
  ///
  /// - Returns: the effect's id.
  package borrowing func upload(
    _ effect: MotorEffect, over id: Int16 = -1
  ) throws(Errno) -> Int16 {
    var raw = effect.raw(id: id)
    _ = try retryingInterrupts { detent_ff_upload(descriptor.rawValue, &raw) }
    return raw.id
  }

  /// Stops and erases an effect; that it is gone already is no error.
  package borrowing func erase(id: Int16) {
    _ = try? retryingInterrupts { detent_ff_erase(descriptor.rawValue, CInt(id)) }
  }

  /// Plays an effect once, or stops it.
  package borrowing func write(id: Int16, isOn: Bool) throws(Errno) {
    try write(code: UInt16(bitPattern: id), value: isOn ? 1 : 0)
  }

  /// Sets the gain of the whole device, for whoever plays on it, 0 to 0xFFFF.
  package borrowing func setGain(_ gain: UInt16) throws(Errno) {
    try write(code: UInt16(FF_GAIN), value: Int32(gain))
  }

  private borrowing func write(code: UInt16, value: Int32) throws(Errno) {
    var event = input_event()
    event.type = UInt16(EV_FF)
    event.code = code
    event.value = value
    let number = descriptor.rawValue
    _ = try retryingInterrupts {
      withUnsafeBytes(of: &event) { Glibc.write(number, $0.baseAddress, $0.count) }
    }
  }
}

extension MotorEffect {
  /// The bytes of the effect in the kernel's layout, `struct ff_effect`.
  package func kernelBytes(id: Int16) -> [UInt8] {
    withUnsafeBytes(of: raw(id: id)) { Array($0) }
  }

  /// The effect in the kernel's layout.
  fileprivate func raw(id: Int16) -> ff_effect {
    var raw = ff_effect()
    raw.id = id
    raw.replay.length = lengthMS
    switch shape {
    case .rumble(let strong, let weak):
      raw.type = UInt16(FF_RUMBLE)
      raw.u.rumble = ff_rumble_effect(strong_magnitude: strong, weak_magnitude: weak)
    case .periodic(let waveform, let periodMS, let magnitude):
      raw.type = UInt16(FF_PERIODIC)
      raw.u.periodic = ff_periodic_effect()
      raw.u.periodic.waveform = waveform.code
      raw.u.periodic.period = periodMS
      raw.u.periodic.magnitude = magnitude
    case .constant(let level):
      raw.type = UInt16(FF_CONSTANT)
      raw.u.constant = ff_constant_effect()
      raw.u.constant.level = level
    case .haptic(let usage, let intensity):
      // struct ff_haptic_effect came with Linux 6.18, and the headers here may be older.
      raw.type = UInt16(ForceFeedbackCode.haptic)
      withUnsafeMutableBytes(of: &raw.u) { bytes in
        bytes.storeBytes(of: usage.usage, toByteOffset: 0, as: UInt16.self)
        bytes.storeBytes(of: usage.vendor, toByteOffset: 2, as: UInt16.self)
        bytes.storeBytes(of: usage.vendorPage, toByteOffset: 4, as: UInt8.self)
        bytes.storeBytes(of: intensity, toByteOffset: 6, as: UInt16.self)
      }
    }
    return raw
  }
}

extension MotorEffect.Waveform {
  fileprivate var code: UInt16 {
    switch self {
    case .sine: UInt16(FF_SINE)
    case .triangle: UInt16(FF_TRIANGLE)
    case .square: UInt16(FF_SQUARE)
    }
  }
}
