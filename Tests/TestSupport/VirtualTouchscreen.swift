// SPDX-License-Identifier: Apache-2.0

import CLinux
package import LinuxIO

/// Fingers on a virtual panel, by slot, in places of 0…1 of its surface.
///
/// Nothing reaches a reader before `frame()`; `down`, `move` and `up` without `frame` are one moment.
package final class VirtualTouchscreen {
  /// The device that it drives.
  package let device: VirtualDevice

  private let hasSlots: Bool
  private var currentSlot: Int32 = 0
  private var nextTrackingID: Int32 = 0
  private var slotsDown: Set<Int> = []

  /// The event node.
  package var node: String { device.node }

  /// Makes a panel: with slots, of one finger, or in mouse mode, as its description says.
  package init(_ description: DeviceDescription = .touchscreen()) throws {
    device = try VirtualDevice(description)
    hasSlots = description.axes[UInt16(ABS_MT_SLOT)] != nil
  }

  /// A finger comes down.
  ///
  /// - Parameter trackingID: what the device calls the contact; left out: the next free number.
  package func down(slot: Int = 0, x: Double, y: Double, trackingID: Int32? = nil) throws(Errno) {
    let id = trackingID ?? nextTrackingID
    nextTrackingID = (id + 1) & 0xFFFF
    if hasSlots {
      try select(slot)
      try device.emit(EV_ABS, ABS_MT_TRACKING_ID, id)
    }
    try place(slot: slot, x: x, y: y)
    slotsDown.insert(slot)
    if slotsDown.count == 1 { try device.emit(EV_KEY, button, 1) }
  }

  /// A finger moves.
  package func move(slot: Int = 0, x: Double, y: Double) throws(Errno) {
    if hasSlots { try select(slot) }
    try place(slot: slot, x: x, y: y)
  }

  /// A finger lifts.
  package func up(slot: Int = 0) throws(Errno) {
    if hasSlots {
      try select(slot)
      try device.emit(EV_ABS, ABS_MT_TRACKING_ID, -1)
    }
    slotsDown.remove(slot)
    if slotsDown.isEmpty { try device.emit(EV_KEY, button, 0) }
  }

  /// Ends the moment: what was said since the last frame reaches the readers.
  package func frame() throws(Errno) {
    try device.sync()
  }

  /// Drags a finger in real time: down, then evenly spaced frames, then up.
  ///
  /// - Parameters:
  ///   - seconds: from the down to the last frame.
  ///   - rateHz: frames per second.
  ///   - holdSeconds: how long the finger rests at the end before it lifts.
  package func drag(
    slot: Int = 0, from start: (x: Double, y: Double), to end: (x: Double, y: Double),
    seconds: Double, rateHz: Double = 100, holdSeconds: Double = 0
  ) throws(Errno) {
    let startUs = EventLoop.clockUs()
    let frames = max(1, Int((seconds * rateHz).rounded()))
    try down(slot: slot, x: start.x, y: start.y)
    try frame()
    for index in 1...frames {
      let share = Double(index) / Double(frames)
      Waiting.sleep(untilUs: startUs + Int64(share * seconds * 1_000_000))
      try move(
        slot: slot, x: start.x + share * (end.x - start.x), y: start.y + share * (end.y - start.y))
      try frame()
    }
    // From the last frame on, which may have been late.
    Waiting.sleep(untilUs: EventLoop.clockUs() + Int64(holdSeconds * 1_000_000))
    try up(slot: slot)
    try frame()
  }

  /// A short touch that does not move.
  package func tap(slot: Int = 0, x: Double, y: Double, seconds: Double = 0.06) throws(Errno) {
    let startUs = EventLoop.clockUs()
    try down(slot: slot, x: x, y: y)
    try frame()
    Waiting.sleep(untilUs: startUs + Int64(seconds * 1_000_000))
    try up(slot: slot)
    try frame()
  }

  /// A panel in mouse mode has a mouse's button.
  private var button: Int32 {
    let keys = device.description.codes[UInt16(EV_KEY)] ?? []
    return keys.contains(UInt16(BTN_TOUCH)) ? BTN_TOUCH : BTN_LEFT
  }

  private func select(_ slot: Int) throws(Errno) {
    guard currentSlot != Int32(slot) else { return }
    currentSlot = Int32(slot)
    try device.emit(EV_ABS, ABS_MT_SLOT, currentSlot)
  }

  private func place(slot: Int, x: Double, y: Double) throws(Errno) {
    if hasSlots {
      try emit(ABS_MT_POSITION_X, x)
      try emit(ABS_MT_POSITION_Y, y)
    }
    // The axes without slots follow the first finger, as the kernel's pointer emulation does.
    if !hasSlots || slot == (slotsDown.min() ?? slot) {
      try emit(ABS_X, x)
      try emit(ABS_Y, y)
    }
  }

  private func emit(_ code: Int32, _ place: Double) throws(Errno) {
    guard let axis = device.description.axes[UInt16(code)] else { return }
    try device.emit(EV_ABS, code, axis.value(at: place))
  }
}
