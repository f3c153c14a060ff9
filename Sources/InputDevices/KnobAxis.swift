// SPDX-License-Identifier: Apache-2.0

import CLinux
import LinuxIO

/// The events of a node by which a knob turns.
enum KnobAxis: Hashable {
  /// A relative axis; each count is `unit` of its values.
  case relative(code: Int, unit: Int)
  /// An absolute axis that goes round.
  case absolute(code: Int)

  /// The axis of a node; nil where it has none that fits.
  ///
  /// - Parameters:
  ///   - relative: the node's REL_* codes.
  ///   - absolute: the node's ABS_* codes.
  static func choose(
    _ wanted: KnobOptions.Axis, relative: CodeBits, absolute: CodeBits
  ) -> KnobAxis? {
    func rel(_ code: CInt, unit: Int = 1) -> KnobAxis? {
      relative.contains(Int(code)) ? .relative(code: Int(code), unit: unit) : nil
    }
    func abs(_ code: CInt) -> KnobAxis? {
      absolute.contains(Int(code)) ? .absolute(code: Int(code)) : nil
    }
    switch wanted {
    case .dial: return rel(REL_DIAL)
    // A device with both forms sends every detent in both, so one is read. 120 is one detent.
    case .wheel: return rel(REL_WHEEL) ?? rel(REL_WHEEL_HI_RES, unit: 120)
    case .hwheel: return rel(REL_HWHEEL) ?? rel(REL_HWHEEL_HI_RES, unit: 120)
    case .x: return rel(REL_X) ?? abs(ABS_X)
    case .y: return rel(REL_Y) ?? abs(ABS_Y)
    case .auto:
      for axis in [KnobOptions.Axis.dial, .wheel, .hwheel, .x, .y] {
        if let found = choose(axis, relative: relative, absolute: absolute) { return found }
      }
      // Multi-touch axes say nothing outside of their slots.
      return (0..<Int(ABS_MT_SLOT)).first { absolute.contains($0) }.map { .absolute(code: $0) }
    }
  }
}

/// The way of an absolute axis that goes round, such as a kernel encoder in absolute mode.
struct KnobCircle {
  let minimum: Int
  let maximum: Int
  /// Whether the driver's range ends one beyond its last position, as the kernel's rotary-encoder
  /// driver has it: 24 positions are 0…23 in a range of 0…24.
  let isOneTooLong: Bool
  private(set) var position: Int

  /// The counts from the present position to a new one, the shorter way round.
  mutating func move(to new: Int) -> Int {
    let count = maximum - minimum + (isOneTooLong ? 0 : 1)
    var delta = new - position
    position = new
    guard count > 1 else { return 0 }
    if delta > count / 2 { delta -= count } else if delta < -(count / 2) { delta += count }
    return delta
  }

  /// Takes a position without counting the way there.
  mutating func jump(to new: Int) { position = new }
}
