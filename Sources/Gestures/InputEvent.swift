// SPDX-License-Identifier: Apache-2.0

/// What a device said, in libinput's words and units.
package struct InputEvent: Hashable, Sendable {
  /// What happened.
  package enum Kind: Hashable, Sendable {
    /// A finger came down; x and y are 0…1 of the surface, its calibration applied.
    case down(slot: Int, x: Double, y: Double)
    /// A finger moved.
    case move(slot: Int, x: Double, y: Double)
    /// A finger lifted.
    case up(slot: Int)
    /// The contact is void: neither a lift nor a tap.
    case cancel(slot: Int)
    /// Two fingers scrolled, in libinput's scroll units (about 10 per millimetre of travel).
    case scroll(dx: Double, dy: Double)
    /// The scrolling fingers lifted.
    case scrollEnd
    /// Three or more fingers began to swipe.
    case swipeBegin(fingers: Int)
    /// Three or more fingers swiped, in libinput's gesture units.
    case swipe(fingers: Int, dx: Double, dy: Double)
    /// The swipe ended.
    case swipeEnd(fingers: Int, cancelled: Bool)
    /// Two or more fingers began to pinch.
    case pinchBegin(fingers: Int)
    /// A pinch moved: the scale since its begin, the turn since the last event in degrees clockwise.
    case pinch(fingers: Int, dx: Double, dy: Double, scale: Double, angle: Double)
    /// The pinch ended.
    case pinchEnd(fingers: Int, cancelled: Bool)
    /// Fingers rest on the touchpad.
    case holdBegin(fingers: Int)
    /// The resting fingers lifted, or, cancelled, began something else.
    case holdEnd(fingers: Int, cancelled: Bool)
    /// A tap on a touchpad.
    case tap
    /// A knob turned by `steps` detents, clockwise positive.
    case turn(steps: Int)
    /// A knob was pressed.
    case press
  }

  /// CLOCK_MONOTONIC microseconds of the kernel's event.
  package var timeUs: Int64
  /// The device's number.
  package var device: Int
  /// What happened.
  package var kind: Kind

  /// An event.
  package init(timeUs: Int64, device: Int, kind: Kind) {
    self.timeUs = timeUs
    self.device = device
    self.kind = kind
  }
}
