// SPDX-License-Identifier: Apache-2.0

package import Gestures
import Pickers

/// Which contact: slots of two panels are different contacts.
struct ContactKey: Equatable, Comparable, Sendable {
  var device: Int
  var slot: Int

  static func < (a: ContactKey, b: ContactKey) -> Bool {
    (a.device, a.slot) < (b.device, b.slot)
  }
}

/// Where a contact goes, from its down to its end.
enum ContactRoute: Hashable, Sendable {
  /// To the picker in a slot, which knows it by a number; a change of its display ends it.
  case picker(slot: Int, finger: Int, surface: Display.Surface)
  /// To nobody.
  case swallowed
}

/// What is known of a device while it is there.
struct DeviceState: Sendable {
  var device: InputDevice
  var display: Int?
  // How far a tap may go on it along x and y, in points; nil where it does not tell its size.
  var tapSlop: Point?
  var flicker = FlickerRule()
  // How wide a wet spot is, in points.
  var flickerRadius = FlickerRule.radiusWithoutSize
  var knob: KnobSettings?
  var pad = TouchpadState()
}

/// The time of a device's latest event: it does not go back.
///
/// Apart from all else that is known of a device, and in a list that is short: every frame looks here.
struct DeviceClock: Sendable {
  let device: Int
  var lastUs: Int64 = .min
}

extension Scene {
  private static let slopWithoutSize = Point(x: 10, y: 10)

  /// For how long fingers may say nothing before they give their picker up to one that comes: drivers lose
  /// lifts, and a picker must not be held for ever by a finger that is gone.
  private static let silenceUs: Int64 = 10_000_000

  // MARK: Devices

  /// A device came.
  package mutating func deviceAdded(_ device: InputDevice) {
    devices[device.number] = describe(device)
    clocks.removeAll { $0.device == device.number }
    clocks.append(DeviceClock(device: device.number))
  }

  /// A device went, and every contact on it is void.
  package mutating func deviceRemoved(_ number: Int, timeUs: Int64) {
    guard devices[number] != nil else { return }
    let timeUs = max(timeUs, saidUs)
    advance(toUs: timeUs)
    for key in contacts.keys where key.device == number {
      contactCancelled(key, timeUs: timeUs)
    }
    cancelTouchpad(number, timeUs: timeUs)
    devices[number] = nil
    clocks.removeAll { $0.device == number }
  }

  /// The display that a touchscreen lies over.
  package func display(of number: Int) -> Display? {
    devices[number]?.display.map { settings.displays[$0] }
  }

  func describe(_ device: InputDevice) -> DeviceState {
    var state = DeviceState(device: device)
    switch device.kind {
    case .touchscreen:
      state.display =
        settings.displays.firstIndex {
          $0.touchscreen?.matches(name: device.name, path: device.path) ?? false
        } ?? settings.displays.firstIndex { $0.touchscreen == nil }
      let scale = state.display.flatMap { settings.displays[$0].pointsPerMM(of: device) }
      state.tapSlop = scale.map {
        Point(x: $0.x * settings.tapSlopMM, y: $0.y * settings.tapSlopMM)
      }
      if let scale { state.flickerRadius = (scale.x + scale.y) / 2 * FlickerRule.radiusMM }
    case .knob:
      state.knob = settings.knobs.first {
        $0.device.matches(name: device.name, path: device.path)
      }
    case .touchpad:
      break
    }
    return state
  }

  // MARK: Contacts

  mutating func contactDown(_ key: ContactKey, u: Double, v: Double, timeUs: Int64) {
    if contacts[key] != nil { contactCancelled(key, timeUs: timeUs) }
    noteActivity(timeUs: timeUs)
    if areIndicesStale { rebuildIndices() }
    let isFinger = mayBeFinger(key, u: u, v: v, timeUs: timeUs)
    let route = isFinger ? route(key, u: u, v: v, timeUs: timeUs) : .swallowed
    contacts.set(route, for: key)
    guard case .picker(let slot, let finger, let surface) = route else { return }
    // Never the number of an earlier contact, which may still be down though its picker was taken from it.
    nextFinger += 1
    let location = surface.point(u: u, v: v)
    setFocus(slot: slot, timeUs: timeUs)
    context.tapSlop = devices[key.device]?.tapSlop ?? Self.slopWithoutSize
    with(slot, heardUs: timeUs) { $0.fingerDown(finger, at: location, timeUs: timeUs, in: &$1) }
  }

  mutating func contactMoved(_ key: ContactKey, u: Double, v: Double, timeUs: Int64) {
    lastActivityUs = max(lastActivityUs, timeUs)
    guard case .picker(let slot, let finger, let surface)? = contacts[key], u.isFinite, v.isFinite
    else { return }
    let location = surface.point(u: u, v: v)
    with(slot, heardUs: timeUs) { $0.fingerMoved(finger, to: location, timeUs: timeUs, in: &$1) }
  }

  mutating func contactUp(_ key: ContactKey, timeUs: Int64) {
    lastActivityUs = max(lastActivityUs, timeUs)
    let isFinger = devices[key.device]?.flicker.ends(slot: key.slot, timeUs: timeUs) ?? true
    guard case .picker(let slot, let finger, _)? = contacts.remove(key)
    else { return }
    guard isFinger else {
      with(slot) { $0.fingerCancelled(finger, timeUs: timeUs, in: &$1) }
      return
    }
    with(slot) { $0.fingerUp(finger, timeUs: timeUs, in: &$1) }
  }

  mutating func contactCancelled(_ key: ContactKey, timeUs: Int64) {
    lastActivityUs = max(lastActivityUs, timeUs)
    _ = devices[key.device]?.flicker.ends(slot: key.slot, timeUs: timeUs)
    guard case .picker(let slot, let finger, _)? = contacts.remove(key)
    else { return }
    with(slot) { $0.fingerCancelled(finger, timeUs: timeUs, in: &$1) }
  }

  /// Cancels what holds a picker; its contacts are swallowed from now on.
  mutating func release(slot: Int, timeUs: Int64) {
    contacts.swallow(slot: slot)
    swallowTouchpads(on: slot)
    with(slot) { $0.cancel(timeUs: timeUs, in: &$1) }
  }

  private mutating func mayBeFinger(
    _ key: ContactKey, u: Double, v: Double, timeUs: Int64
  ) -> Bool {
    guard let device = devices[key.device], let index = device.display, u.isFinite, v.isFinite
    else { return true }
    let place = settings.displays[index].point(u: u, v: v)
    return devices[key.device]?.flicker.begins(
      slot: key.slot, at: place, radius: device.flickerRadius, timeUs: timeUs) ?? true
  }

  private mutating func route(_ key: ContactKey, u: Double, v: Double, timeUs: Int64)
    -> ContactRoute
  {
    guard let index = devices[key.device]?.display, !isInhibited, timeUs >= guardUntilUs,
      u >= 0, u <= 1, v >= 0, v <= 1
    else { return .swallowed }
    let display = settings.displays[index]
    let location = display.point(u: u, v: v)
    guard display.takesDown(at: location), let slot = indices[index].topmost(at: location),
      let entry = entries[slot], entry.isEnabled
    else { return .swallowed }
    if entry.model.isHeld {
      if entry.heardUs <= timeUs - Self.silenceUs {
        release(slot: slot, timeUs: timeUs)
      } else if !entry.model.takesAnotherFinger() {
        return .swallowed
      }
    }
    return .picker(slot: slot, finger: nextFinger, surface: display.surface)
  }
}
