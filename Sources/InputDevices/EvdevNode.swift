// SPDX-License-Identifier: Apache-2.0

// Two doors show linux/input.h, and either may own its structs.
import CLibevdev
import CLinux
import Glibc
import LinuxIO

/// Questions to an open event node that libinput has no words for.
enum EvdevNode {
  /// The range of an absolute axis and where it stands.
  struct Axis {
    var minimum: Int
    var maximum: Int
    var value: Int
  }

  /// Bytes that hold a bit for every key code.
  static let keyBytes = Int(KEY_CNT) / 8

  /// Keeps key codes below BTN_MISC, which are what keyboards send, from this open file.
  static func maskTyping(_ descriptor: CInt) throws(Errno) {
    // A set bit lets a code through. BTN_MISC is 0x100, a whole byte.
    let allowed = (0..<keyBytes).map { $0 * 8 < Int(BTN_MISC) ? UInt8(0) : 0xff }
    _ = try retryingInterrupts {
      detent_evdev_set_mask(descriptor, UInt32(EV_KEY), allowed, allowed.count)
    }
  }

  /// Lets only these codes of a type through to this open file.
  static func allow(_ descriptor: CInt, type: CInt, codes: [Int]) throws(Errno) {
    // A set bit lets a code through; codes beyond the bits are kept out. The kernel takes whole words.
    var allowed = [UInt8](repeating: 0, count: ((codes.max() ?? 0) / 64 + 1) * 8)
    for code in codes { allowed[code / 8] |= 1 << UInt8(code % 8) }
    _ = try retryingInterrupts {
      detent_evdev_set_mask(descriptor, UInt32(type), allowed, allowed.count)
    }
  }

  /// Lets only these key codes through to this open file, and no axis at all.
  static func maskAll(_ descriptor: CInt, exceptKeys codes: [Int]) throws(Errno) {
    try allow(descriptor, type: EV_KEY, codes: codes)
    for type in [EV_REL, EV_ABS, EV_MSC, EV_SW] { try allow(descriptor, type: type, codes: []) }
  }

  /// Whether the device is still there.
  static func isAlive(_ descriptor: CInt) -> Bool {
    var version: CInt = 0
    return detent_evdev_version(descriptor, &version) >= 0
  }

  /// The range of an axis; nil where the node has no such axis.
  static func axis(_ descriptor: CInt, _ code: Int) -> Axis? {
    var bits = [UInt8](repeating: 0, count: Int(ABS_CNT) / 8)
    guard detent_evdev_bits(descriptor, UInt32(EV_ABS), &bits, bits.count) >= 0,
      bits[code / 8] & (1 << UInt8(code % 8)) != 0
    else { return nil }
    var info = input_absinfo()
    guard detent_evdev_abs(descriptor, UInt32(code), &info) >= 0 else { return nil }
    return Axis(minimum: Int(info.minimum), maximum: Int(info.maximum), value: Int(info.value))
  }

  /// Whether no button is pressed and no finger touches.
  static func isIdle(_ descriptor: CInt) -> Bool {
    var keys = [UInt8](repeating: 0, count: keyBytes)
    guard detent_evdev_keys_down(descriptor, &keys, keys.count) >= 0, keys.allSatisfy({ $0 == 0 })
    else { return false }
    guard let slots = axis(descriptor, Int(ABS_MT_SLOT)), (0..<1024).contains(slots.maximum)
    else { return true }
    let count = slots.maximum + 1
    var request = [Int32](repeating: -1, count: count + 1)
    request[0] = Int32(ABS_MT_TRACKING_ID)
    guard detent_evdev_mt_slots(descriptor, &request, count) >= 0 else { return true }
    return request.dropFirst().allSatisfy { $0 < 0 }
  }

  /// Takes the device for this open file alone, or gives it back.
  ///
  /// - Throws: `.busy` where another process holds it.
  static func grab(_ descriptor: CInt, _ on: Bool) throws(Errno) {
    _ = try retryingInterrupts { detent_evdev_grab(descriptor, on ? 1 : 0) }
  }
}
