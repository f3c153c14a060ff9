// SPDX-License-Identifier: Apache-2.0

import Gestures
import Pickers

/// What the fingers on a touchpad are doing.
struct TouchpadState: Sendable {
  // The picker that they hold, from the first event of a sequence to its end.
  var slot: Int?
  // Whether the rest of the sequence goes to nobody.
  var isSwallowed = false
  var swipe = Point(x: 0, y: 0)
}

extension Scene {
  /// How far a swipe must go to move the focus, in libinput's gesture units, which are those of a 1000 dpi mouse:
  /// about 4 mm of finger travel, what libinput itself takes for a swipe at all being a millimetre or two.
  private static let swipeDistance = 150.0

  mutating func touchpad(_ kind: InputEvent.Kind, device: Int, timeUs: Int64) {
    noteActivity(timeUs: timeUs)
    switch kind {
    case .scroll(let dx, let dy):
      let scale = settings.isNatural ? settings.touchpadScale : -settings.touchpadScale
      guard (dx * scale).isFinite, (dy * scale).isFinite else { return }
      act(.scroll(dx: dx * scale, dy: dy * scale), device: device, timeUs: timeUs)
    case .scrollEnd:
      end(.scrollEnd, device: device, timeUs: timeUs)
    case .holdBegin:
      act(.hold, device: device, timeUs: timeUs)
    case .holdEnd:
      end(.holdEnd, device: device, timeUs: timeUs)
    case .pinchBegin:
      let isSwallowed = isInhibited || timeUs < guardUntilUs
      cancelTouchpad(device, timeUs: timeUs)
      devices[device]?.pad.isSwallowed = isSwallowed
    case .pinch(_, _, _, _, let angle):
      guard angle.isFinite else { return }
      act(.rotate(degrees: angle), device: device, timeUs: timeUs)
    case .pinchEnd(_, let isCancelled):
      if isCancelled {
        cancelTouchpad(device, timeUs: timeUs)
      } else {
        end(.rotateEnd, device: device, timeUs: timeUs)
      }
    case .tap:
      act(.tap, device: device, timeUs: timeUs)
      end(.holdEnd, device: device, timeUs: timeUs)
    case .swipeBegin:
      let isSwallowed = isInhibited || timeUs < guardUntilUs
      cancelTouchpad(device, timeUs: timeUs)
      devices[device]?.pad.isSwallowed = isSwallowed
    case .swipe(_, let dx, let dy):
      guard dx.isFinite, dy.isFinite else { return }
      devices[device]?.pad.swipe.x += dx
      devices[device]?.pad.swipe.y += dy
    case .swipeEnd(_, let isCancelled):
      endSwipe(device: device, isCancelled: isCancelled, timeUs: timeUs)
    default:
      break
    }
  }

  /// What the fingers hold is void.
  mutating func cancelTouchpad(_ device: Int, timeUs: Int64) {
    guard let slot = devices[device]?.pad.slot else {
      devices[device]?.pad = TouchpadState()
      return
    }
    devices[device]?.pad = TouchpadState()
    with(slot) { $0.cancel(timeUs: timeUs, in: &$1) }
  }

  /// Something else took the picker: what a touchpad does on it goes to nobody until the fingers lift, as a contact would.
  mutating func swallowTouchpads(on slot: Int) {
    for number in devices.keys where devices[number]?.pad.slot == slot {
      devices[number]?.pad = TouchpadState(isSwallowed: true)
    }
  }

  private mutating func act(_ action: TouchpadAction, device: Int, timeUs: Int64) {
    guard let pad = devices[device]?.pad, !pad.isSwallowed else { return }
    if pad.slot == nil {
      guard !isInhibited, timeUs >= guardUntilUs, let slot = focus.flatMap({ slots[$0] }),
        let entry = entries[slot], entry.isEnabled, !entry.model.isHeld
      else {
        devices[device]?.pad.isSwallowed = true
        return
      }
      devices[device]?.pad.slot = slot
    }
    guard let slot = devices[device]?.pad.slot else { return }
    entries[slot]?.heardUs = timeUs
    with(slot) { $0.touchpad(action, timeUs: timeUs, in: &$1) }
  }

  private mutating func end(_ action: TouchpadAction, device: Int, timeUs: Int64) {
    let slot = devices[device]?.pad.slot
    devices[device]?.pad = TouchpadState()
    guard let slot else { return }
    with(slot) { $0.touchpad(action, timeUs: timeUs, in: &$1) }
  }

  private mutating func endSwipe(device: Int, isCancelled: Bool, timeUs: Int64) {
    guard let pad = devices[device]?.pad else { return }
    devices[device]?.pad = TouchpadState()
    guard !isCancelled, !pad.isSwallowed, !isInhibited, timeUs >= guardUntilUs,
      abs(pad.swipe.x) >= Self.swipeDistance, abs(pad.swipe.x) > abs(pad.swipe.y)
    else { return }
    // As on a row of pages: a swipe to the left brings the next.
    moveFocus(by: pad.swipe.x < 0 ? 1 : -1, timeUs: timeUs)
  }
}
