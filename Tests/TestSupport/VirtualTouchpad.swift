// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
package import LinuxIO

/// Fingers on a virtual clickpad, in millimetres from its top left corner, paced in real time.
package final class VirtualTouchpad {
  /// A place on the touchpad in millimetres.
  package struct Place: Hashable, Sendable {
    package var xMM: Double
    package var yMM: Double

    /// A place.
    package init(xMM: Double, yMM: Double) {
      self.xMM = xMM
      self.yMM = yMM
    }
  }

  /// The device that it drives.
  package let device: VirtualDevice
  /// Frames per second of the gestures below.
  package var rateHz = 100.0

  private var count = 0
  private var nextTrackingID: Int32 = 0

  /// The event node.
  package var node: String { device.node }

  /// Makes a touchpad; its description needs slots and a resolution.
  package init(_ description: DeviceDescription = .touchpad()) throws {
    device = try VirtualDevice(description)
  }

  /// Puts fingers down, one per place, all in one frame; there must be none down.
  package func down(_ places: [Place]) throws(Errno) {
    for (slot, place) in places.enumerated() {
      try device.emit(EV_ABS, ABS_MT_SLOT, Int32(slot))
      try device.emit(EV_ABS, ABS_MT_TRACKING_ID, nextTrackingID)
      nextTrackingID = (nextTrackingID + 1) & 0xFFFF
      try put(place)
    }
    if let first = places.first { try putPointer(first) }
    count = places.count
    try device.emit(EV_KEY, BTN_TOUCH, 1)
    try device.emit(EV_KEY, tool, 1)
    try device.sync()
  }

  /// Moves the fingers that are down, all in one frame.
  package func move(_ places: [Place]) throws(Errno) {
    for (slot, place) in places.prefix(count).enumerated() {
      try device.emit(EV_ABS, ABS_MT_SLOT, Int32(slot))
      try put(place)
    }
    if let first = places.first { try putPointer(first) }
    try device.sync()
  }

  /// Lifts all fingers in one frame.
  package func up() throws(Errno) {
    guard count > 0 else { return }
    for slot in 0..<count {
      try device.emit(EV_ABS, ABS_MT_SLOT, Int32(slot))
      try device.emit(EV_ABS, ABS_MT_TRACKING_ID, -1)
    }
    try device.emit(EV_KEY, BTN_TOUCH, 0)
    try device.emit(EV_KEY, tool, 0)
    count = 0
    try device.sync()
  }

  /// Fingers side by side that move by so many millimetres at an even speed, and lift.
  ///
  /// Two of them scroll, three and more swipe.
  package func swipe(
    fingers: Int, dxMM: Double, dyMM: Double, seconds: Double = 0.4, holdSeconds: Double = 0
  ) throws(Errno) {
    let start = row(fingers).map { Place(xMM: $0.xMM - dxMM / 2, yMM: $0.yMM - dyMM / 2) }
    try gesture(seconds: seconds, holdSeconds: holdSeconds) { share in
      start.map { Place(xMM: $0.xMM + share * dxMM, yMM: $0.yMM + share * dyMM) }
    }
  }

  /// Two fingers that scroll by so many millimetres.
  package func scroll(
    dxMM: Double, dyMM: Double, seconds: Double = 0.4, holdSeconds: Double = 0
  ) throws(Errno) {
    try swipe(fingers: 2, dxMM: dxMM, dyMM: dyMM, seconds: seconds, holdSeconds: holdSeconds)
  }

  /// Two fingers that turn about their middle, and move together or apart.
  ///
  /// - Parameters:
  ///   - scale: their distance at the end as a share of that at the start, which is 30 mm.
  ///   - degrees: the turn, clockwise.
  package func pinch(scale: Double, degrees: Double, seconds: Double = 0.6) throws(Errno) {
    let centre = centre
    try gesture(seconds: seconds, holdSeconds: 0) { share in
      let radius = 15 * (1 + share * (scale - 1))
      // From the upper right to the lower left: libinput takes fingers in one row for a scroll.
      let turn = (degrees * share - 45) * .pi / 180
      let (x, y) = (radius * cos(turn), radius * sin(turn))
      return [
        Place(xMM: centre.xMM + x, yMM: centre.yMM + y),
        Place(xMM: centre.xMM - x, yMM: centre.yMM - y),
      ]
    }
  }

  /// A short touch that does not move.
  package func tap(fingers: Int = 1) throws(Errno) {
    try hold(fingers: fingers, seconds: 0.05)
  }

  /// Fingers that rest without moving, and lift.
  package func hold(fingers: Int, seconds: Double) throws(Errno) {
    let startUs = EventLoop.clockUs()
    try down(row(fingers))
    Waiting.sleep(untilUs: startUs + Int64(seconds * 1_000_000))
    try up()
  }

  /// Fingers that follow a path in real time: down at its start, lifted at its end.
  ///
  /// - Parameter path: the places of all fingers at a share of 0…1 of the time.
  package func gesture(
    seconds: Double, holdSeconds: Double = 0, path: (Double) -> [Place]
  ) throws(Errno) {
    let startUs = EventLoop.clockUs()
    try down(path(0))
    let frames = max(1, Int((seconds * rateHz).rounded()))
    for index in 1...frames {
      let share = Double(index) / Double(frames)
      Waiting.sleep(untilUs: startUs + Int64(share * seconds * 1_000_000))
      try move(path(share))
    }
    // From the last frame on, which may have been late.
    Waiting.sleep(untilUs: EventLoop.clockUs() + Int64(holdSeconds * 1_000_000))
    try up()
  }

  private var centre: Place {
    let axes = device.description.axes
    return Place(
      xMM: (axes[UInt16(ABS_MT_POSITION_X)]?.lengthMM ?? 0) / 2,
      yMM: (axes[UInt16(ABS_MT_POSITION_Y)]?.lengthMM ?? 0) / 2)
  }

  /// Fingers side by side, 18 mm apart, in the middle of the touchpad.
  private func row(_ fingers: Int) -> [Place] {
    (0..<fingers).map { index in
      Place(
        xMM: centre.xMM + 18 * (Double(index) - Double(fingers - 1) / 2), yMM: centre.yMM)
    }
  }

  private var tool: Int32 {
    switch count {
    case 1: BTN_TOOL_FINGER
    case 2: BTN_TOOL_DOUBLETAP
    case 3: BTN_TOOL_TRIPLETAP
    case 4: BTN_TOOL_QUADTAP
    default: BTN_TOOL_QUINTTAP
    }
  }

  private func put(_ place: Place) throws(Errno) {
    try emit(ABS_MT_POSITION_X, place.xMM)
    try emit(ABS_MT_POSITION_Y, place.yMM)
    try press(ABS_MT_PRESSURE)
  }

  /// A quarter of the range: a finger to libinput, and no palm.
  private func press(_ code: Int32) throws(Errno) {
    guard let axis = device.description.axes[UInt16(code)] else { return }
    try device.emit(EV_ABS, code, axis.value(at: 0.25))
  }

  private func putPointer(_ place: Place) throws(Errno) {
    try emit(ABS_X, place.xMM)
    try emit(ABS_Y, place.yMM)
    try press(ABS_PRESSURE)
  }

  private func emit(_ code: Int32, _ millimetres: Double) throws(Errno) {
    guard let axis = device.description.axes[UInt16(code)] else { return }
    try device.emit(EV_ABS, code, axis.value(atMM: millimetres))
  }
}
