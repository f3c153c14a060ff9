// SPDX-License-Identifier: Apache-2.0

public import Wire

/// What a client knows of the daemon: all pickers, displays, devices and who has the focus.
///
/// It is a value that is fed with what the daemon says and never asks: begin with a snapshot, apply every
/// notification, and tell it when the connection ends. What it does not know it passes over.
///
/// A store knows what its subscription asks for. Without `motion` it does not see a finger move, and without
/// `settle` and `rest` it sees no glide.
public struct PickerStore: Hashable, Sendable {
  /// The pickers, in the daemon's order.
  public private(set) var pickers: [TrackedPicker] = []
  /// The displays.
  public private(set) var displays: [DisplayState] = []
  /// Input devices, knobs and motors.
  public private(set) var devices: [DeviceState] = []
  /// The picker that touchpads and knobs act on; nil for none.
  public private(set) var focus: String?
  /// Whether touches are swallowed.
  public private(set) var isInhibited = false
  /// Whether somebody is there.
  public private(set) var isActive = true
  /// The daemon's greeting on this connection, or on the last one; nil before the first.
  public private(set) var hello: Hello?
  /// Whether there is a connection, and what stands here is how things are.
  public private(set) var isConnected = false

  private var places: [String: Int] = [:]

  /// A store that knows nothing yet.
  public init() {}

  /// The picker of this name; nil where there is none.
  public subscript(picker: String) -> TrackedPicker? { places[picker].map { pickers[$0] } }

  /// Takes over a snapshot: the result of `subscribe`.
  public mutating func apply(_ snapshot: Snapshot) {
    take(snapshot.pickers)
    displays = snapshot.displays
    devices = snapshot.devices
    focus = snapshot.focus
    isInhibited = snapshot.isInhibited
    isActive = snapshot.isActive
    isConnected = true
  }

  /// Takes over what a notification says.
  public mutating func apply(_ notification: ServerNotification) {
    switch notification {
    case .hello(let hello): greet(hello)
    case .selection(let change): update(change.picker) { $0.apply(change) }
    case .tick(let tick): update(tick.picker) { $0.apply(tick) }
    case .motion(let motion): update(motion.picker) { $0.apply(motion) }
    case .settle(let settle): update(settle.picker) { $0.apply(settle) }
    case .rest(let rest): update(rest.picker) { $0.apply(rest) }
    case .press(let press): update(press.picker) { $0.apply(press) }
    case .direction(let turn): update(turn.picker) { $0.apply(turn) }
    case .focus(let change): focus = change.picker
    case .activity(let change): isActive = change.isActive
    case .inhibit(let change): isInhibited = change.isOn
    case .picker(let change): take(change)
    case .device(let change): take(change)
    case .display(let change):
      displays.removeAll { $0.display == change.display.display }
      displays.append(change.display)
    case .resync(let resync):
      take(resync.pickers)
      focus = resync.focus
      isInhibited = resync.isInhibited
      isActive = resync.isActive
    case .haptic, .bye, .unknown: break
    }
  }

  /// Takes over what a stream of updates says.
  public mutating func apply(_ update: Update) {
    switch update {
    case .state(let store): self = store
    case .notification(let notification): apply(notification)
    case .disconnected: disconnect()
    case .refused: break
    }
  }

  /// The connection ended: what was under a finger is void, as if it had been cancelled.
  ///
  /// A selection that a drag had changed is what it was before the drag, and no swatch is pressed. A glide goes on
  /// to its end: its selection was made when the finger lifted.
  public mutating func disconnect() {
    isConnected = false
    for place in pickers.indices { pickers[place].disconnect() }
  }

  private mutating func greet(_ greeting: Hello) {
    // Another run of the daemon knows nothing of what a finger held in the last one.
    if let hello, hello.instance != greeting.instance { disconnect() }
    hello = greeting
  }

  private mutating func update(_ id: String, _ change: (inout TrackedPicker) -> Void) {
    if let place = places[id] { change(&pickers[place]) }
  }

  private mutating func take(_ states: [PickerState]) {
    var tracked: [TrackedPicker] = []
    tracked.reserveCapacity(states.count)
    for state in states {
      if var known = self[state.picker] {
        known.apply(state)
        tracked.append(known)
      } else {
        tracked.append(TrackedPicker(state))
      }
    }
    pickers = tracked
    index()
  }

  private mutating func take(_ change: PickerChanged) {
    let id = change.state.picker
    if change.change == .removed {
      guard let place = places[id] else { return }
      pickers.remove(at: place)
      index()
    } else if let place = places[id] {
      pickers[place].apply(change.state)
    } else {
      places[id] = pickers.count
      pickers.append(TrackedPicker(change.state))
    }
  }

  private mutating func take(_ change: DeviceChanged) {
    let place = devices.firstIndex { $0.id == change.device.id && $0.kind == change.device.kind }
    switch (change.change, place) {
    case (.removed, let place?): devices.remove(at: place)
    case (.removed, nil): break
    case (_, let place?): devices[place] = change.device
    case (_, nil): devices.append(change.device)
    }
  }

  private mutating func index() {
    places.removeAll(keepingCapacity: true)
    for (place, picker) in pickers.enumerated() { places[picker.id] = place }
  }
}
