// SPDX-License-Identifier: Apache-2.0

import CLibinput
import CLinux
import Gestures
import LinuxIO

/// Turns libinput's events of one device into Detent's.
struct EventTranslator {
  let device: TrackedDevice
  /// What the clock says.
  let nowUs: Int64
  /// Whether what ends may have ended without a finger's doing: the device goes, or is put to sleep.
  let releaseIsDoubtful: () -> Bool
  let emit: (InputEvent) -> Void

  /// Handles one event; types that mean nothing here are dropped.
  func translate(_ event: OpaquePointer, _ type: libinput_event_type) {
    switch type {
    case LIBINPUT_EVENT_TOUCH_DOWN, LIBINPUT_EVENT_TOUCH_MOTION, LIBINPUT_EVENT_TOUCH_UP,
      LIBINPUT_EVENT_TOUCH_CANCEL:
      guard device.role == .touch, let touch = libinput_event_get_touch_event(event) else { return }
      translateTouch(touch, type)
    case LIBINPUT_EVENT_POINTER_MOTION_ABSOLUTE:
      guard device.role == .pointer, let pointer = libinput_event_get_pointer_event(event)
      else { return }
      translateMotion(pointer)
    case LIBINPUT_EVENT_POINTER_BUTTON:
      guard let pointer = libinput_event_get_pointer_event(event) else { return }
      translateButton(pointer)
    case LIBINPUT_EVENT_TABLET_TOOL_TIP, LIBINPUT_EVENT_TABLET_TOOL_AXIS:
      guard let tool = libinput_event_get_tablet_tool_event(event) else { return }
      translatePen(tool, isTip: type == LIBINPUT_EVENT_TABLET_TOOL_TIP)
    case LIBINPUT_EVENT_POINTER_SCROLL_FINGER:
      guard device.role == .touchpad, let pointer = libinput_event_get_pointer_event(event)
      else { return }
      translateScroll(pointer)
    default:
      // All gesture events have numbers from here on, and the next kind is a hundred further.
      let gestures = LIBINPUT_EVENT_GESTURE_SWIPE_BEGIN.rawValue
      guard device.role == .touchpad, type.rawValue >= gestures, type.rawValue < gestures + 100,
        let gesture = libinput_event_get_gesture_event(event)
      else { return }
      translateGesture(gesture, type)
    }
  }

  /// Ends every contact without a lift, as removal, suspend and inhibit do.
  func cancelContacts() {
    guard !device.contacts.isEmpty else { return }
    let timeUs = stamp(UInt64(max(nowUs, 0)))
    device.contacts.cancelAll { send($0, timeUs) }
  }

  private func stamp(_ eventUs: UInt64) -> Int64 {
    device.clock.stamp(eventUs, nowUs: nowUs)
  }

  private func send(_ kind: InputEvent.Kind, _ timeUs: Int64) {
    emit(InputEvent(timeUs: timeUs, device: device.device.number, kind: kind))
  }

  private func translateTouch(_ touch: OpaquePointer, _ type: libinput_event_type) {
    let timeUs = stamp(libinput_event_touch_get_time_usec(touch))
    // Devices without slots have -1 here; their one finger has a slot of the seat.
    let own = libinput_event_touch_get_slot(touch)
    let slot = Int(own >= 0 ? own : libinput_event_touch_get_seat_slot(touch))
    if let hover = device.hover, isHovering(touch, type, slot, hover) { return }
    switch type {
    case LIBINPUT_EVENT_TOUCH_DOWN:
      device.contacts.down(
        slot, x: libinput_event_touch_get_x_transformed(touch, 1),
        y: libinput_event_touch_get_y_transformed(touch, 1)
      ) { send($0, timeUs) }
    case LIBINPUT_EVENT_TOUCH_MOTION:
      device.contacts.move(
        slot, x: libinput_event_touch_get_x_transformed(touch, 1),
        y: libinput_event_touch_get_y_transformed(touch, 1)
      ) { send($0, timeUs) }
    case LIBINPUT_EVENT_TOUCH_UP where own >= 0:
      device.contacts.up(slot) { send($0, timeUs) }
    case LIBINPUT_EVENT_TOUCH_UP:
      end(slot, timeUs)
    default:
      device.contacts.cancel(slot) { send($0, timeUs) }
    }
  }

  /// Follows a finger of a panel that reports hovering ones.
  ///
  /// - Returns: Whether it hovers, and the event is to be ignored.
  private func isHovering(
    _ touch: OpaquePointer, _ type: libinput_event_type, _ slot: Int, _ hover: HoverWitness
  ) -> Bool {
    settleHovering(hover, throughUs: libinput_event_touch_get_time_usec(touch))
    let isHovering = hover.isHovering(slot)
    switch type {
    case LIBINPUT_EVENT_TOUCH_DOWN, LIBINPUT_EVENT_TOUCH_MOTION:
      device.places[slot] = (
        libinput_event_touch_get_x_transformed(touch, 1),
        libinput_event_touch_get_y_transformed(touch, 1)
      )
      return isHovering
    default:
      device.places[slot] = nil
      // One that lifted and went away in one frame still has to end.
      return isHovering && !device.contacts.slots.contains(slot)
    }
  }

  /// Fingers that touch from now on are downs, and those that hover from now on are lifts.
  func settleHovering(_ hover: HoverWitness, throughUs timeUs: UInt64) {
    hover.advance(throughUs: timeUs) { change in
      guard let place = device.places[change.slot] else { return }
      let stamped = stamp(change.timeUs)
      if change.isHovering {
        device.contacts.up(change.slot) { send($0, stamped) }
      } else if !device.contacts.slots.contains(change.slot) {
        device.contacts.down(change.slot, x: place.x, y: place.y) { send($0, stamped) }
      }
    }
  }

  /// Ends a contact whose finger is a button: a lift only where a finger did it.
  private func end(_ slot: Int, _ timeUs: Int64) {
    if releaseIsDoubtful() {
      device.contacts.cancel(slot) { send($0, timeUs) }
    } else {
      device.contacts.up(slot) { send($0, timeUs) }
    }
  }

  private func translateMotion(_ pointer: OpaquePointer) {
    let timeUs = stamp(libinput_event_pointer_get_time_usec(pointer))
    let x = libinput_event_pointer_get_absolute_x_transformed(pointer, 1)
    let y = libinput_event_pointer_get_absolute_y_transformed(pointer, 1)
    guard x.isFinite, y.isFinite else { return }
    device.position = (x, y)
    device.contacts.move(0, x: x, y: y) { send($0, timeUs) }
  }

  private func translateButton(_ pointer: OpaquePointer) {
    guard libinput_event_pointer_get_button(pointer) == UInt32(BTN_LEFT) else { return }
    let timeUs = stamp(libinput_event_pointer_get_time_usec(pointer))
    let isPressed =
      libinput_event_pointer_get_button_state(pointer) == LIBINPUT_BUTTON_STATE_PRESSED
    switch device.role {
    case .pointer:
      guard isPressed else { return end(0, timeUs) }
      guard let position = device.position else { return }
      device.contacts.down(0, x: position.x, y: position.y) { send($0, timeUs) }
    case .touchpad:
      // libinput makes the button of a tap and that of a click pad the same; both act as they end,
      // so that a press can be taken back.
      if !isPressed, !releaseIsDoubtful() { send(.tap, timeUs) }
    case .touch, .pen:
      return
    }
  }

  private func translatePen(_ tool: OpaquePointer, isTip: Bool) {
    let timeUs = stamp(libinput_event_tablet_tool_get_time_usec(tool))
    let x = libinput_event_tablet_tool_get_x_transformed(tool, 1)
    let y = libinput_event_tablet_tool_get_y_transformed(tool, 1)
    guard isTip else { return device.contacts.move(0, x: x, y: y) { send($0, timeUs) } }
    if libinput_event_tablet_tool_get_tip_state(tool) == LIBINPUT_TABLET_TOOL_TIP_DOWN {
      device.contacts.down(0, x: x, y: y) { send($0, timeUs) }
    } else {
      end(0, timeUs)
    }
  }

  private func translateScroll(_ pointer: OpaquePointer) {
    let timeUs = stamp(libinput_event_pointer_get_time_usec(pointer))
    func value(_ axis: libinput_pointer_axis) -> Double {
      guard libinput_event_pointer_has_axis(pointer, axis) != 0 else { return 0 }
      return libinput_event_pointer_get_scroll_value(pointer, axis)
    }
    let dx = value(LIBINPUT_POINTER_AXIS_SCROLL_HORIZONTAL)
    let dy = value(LIBINPUT_POINTER_AXIS_SCROLL_VERTICAL)
    guard dx.isFinite, dy.isFinite else { return }
    if dx != 0 || dy != 0 {
      device.isScrolling = true
      send(.scroll(dx: dx, dy: dy), timeUs)
    } else if device.isScrolling {
      device.isScrolling = false
      // Its end is a release, and would select; the removal that follows cancels the scroll.
      if !releaseIsDoubtful() { send(.scrollEnd, timeUs) }
    }
  }

  private func translateGesture(_ gesture: OpaquePointer, _ type: libinput_event_type) {
    let fingers = Int(libinput_event_gesture_get_finger_count(gesture))
    let timeUs = stamp(libinput_event_gesture_get_time_usec(gesture))
    var isCancelled: Bool {
      libinput_event_gesture_get_cancelled(gesture) != 0 || releaseIsDoubtful()
    }
    switch type {
    case LIBINPUT_EVENT_GESTURE_SWIPE_BEGIN: send(.swipeBegin(fingers: fingers), timeUs)
    case LIBINPUT_EVENT_GESTURE_SWIPE_UPDATE:
      let dx = libinput_event_gesture_get_dx(gesture)
      let dy = libinput_event_gesture_get_dy(gesture)
      guard dx.isFinite, dy.isFinite else { return }
      send(.swipe(fingers: fingers, dx: dx, dy: dy), timeUs)
    case LIBINPUT_EVENT_GESTURE_SWIPE_END:
      send(.swipeEnd(fingers: fingers, cancelled: isCancelled), timeUs)
    case LIBINPUT_EVENT_GESTURE_PINCH_BEGIN: send(.pinchBegin(fingers: fingers), timeUs)
    case LIBINPUT_EVENT_GESTURE_PINCH_UPDATE:
      let dx = libinput_event_gesture_get_dx(gesture)
      let dy = libinput_event_gesture_get_dy(gesture)
      let scale = libinput_event_gesture_get_scale(gesture)
      let angle = libinput_event_gesture_get_angle_delta(gesture)
      guard dx.isFinite, dy.isFinite, scale.isFinite, angle.isFinite else { return }
      send(.pinch(fingers: fingers, dx: dx, dy: dy, scale: scale, angle: angle), timeUs)
    case LIBINPUT_EVENT_GESTURE_PINCH_END:
      send(.pinchEnd(fingers: fingers, cancelled: isCancelled), timeUs)
    case LIBINPUT_EVENT_GESTURE_HOLD_BEGIN: send(.holdBegin(fingers: fingers), timeUs)
    case LIBINPUT_EVENT_GESTURE_HOLD_END:
      send(.holdEnd(fingers: fingers, cancelled: isCancelled), timeUs)
    default: return
    }
  }
}
