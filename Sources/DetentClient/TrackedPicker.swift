// SPDX-License-Identifier: Apache-2.0

public import Wire

/// A picker as a client knows it: its last state, and what notifications have changed since.
public struct TrackedPicker: Hashable, Sendable, Identifiable {
  private struct Selection: Hashable, Sendable {
    var index: Int?
    var value: Value?
    var title: String?
  }

  /// How it stands, as far as notifications tell; while it glides, `offset(atUs:)` tells where it is.
  public private(set) var state: PickerState

  // What was selected before the finger that holds it took hold; nil where none does, or that is not known.
  private var selectionBefore: Selection?

  /// A picker that stands like this.
  public init(_ state: PickerState) {
    self.state = state
  }

  /// Its name.
  public var id: String { state.picker }

  // MARK: Where it is

  /// The offset of a strip in points, or the turn of a wheel in degrees, not wrapped; nil where values do not move.
  ///
  /// Where it glides, this follows the spring; under a finger it is what the last `motion` said.
  ///
  /// - Parameter timeUs: When, in CLOCK_MONOTONIC microseconds.
  public func offset(atUs timeUs: Int64) -> Double? {
    state.glide?.position(atUs: timeUs) ?? restingOffset
  }

  /// What it is doing; nil for something new.
  ///
  /// - Parameter timeUs: When, in CLOCK_MONOTONIC microseconds.
  public func phase(atUs timeUs: Int64) -> PickerPhase? {
    guard let glide = state.glide else { return state.phase }
    return timeUs < glide.restUs ? .glide : .idle
  }

  /// The place that stands at the centre, between two values while it moves; nil where values do not move.
  ///
  /// For a wheel it goes on counting beyond the last value, and below 0.
  ///
  /// - Parameter timeUs: When, in CLOCK_MONOTONIC microseconds.
  public func centre(atUs timeUs: Int64) -> Double? {
    guard let offset = offset(atUs: timeUs), let pitch = state.pitch, pitch > 0 else { return nil }
    let centre = origin(pitch) - offset / pitch
    return centre.isFinite ? centre : nil
  }

  /// The index nearest the centre.
  ///
  /// - Parameter timeUs: When, in CLOCK_MONOTONIC microseconds.
  public func liveIndex(atUs timeUs: Int64) -> Int {
    guard state.glide != nil, let centre = centre(atUs: timeUs) else { return state.liveIndex }
    return nearest(to: centre)
  }

  private var isWheel: Bool { state.degree != nil }

  private var restingOffset: Double? {
    get { state.offset ?? state.degree }
    set {
      guard isWheel else { return state.offset = newValue }
      state.degree = newValue
      state.hue = newValue.map { degree in
        let remainder = degree.truncatingRemainder(dividingBy: 360)
        return remainder < 0 ? remainder + 360 : remainder
      }
    }
  }

  /// The place that stands at the centre at offset 0.
  private func origin(_ pitch: Double) -> Double {
    switch state.type {
    case "ruler": (Double(state.count) - 1) / 2
    case "radial": 90 / pitch
    default: 0
    }
  }

  /// The index nearest to a place; the live one where the daemon's numbers make none.
  private func nearest(to centre: Double) -> Int {
    let count = Double(state.count)
    guard centre.isFinite, count > 0 else { return state.liveIndex }
    let place = centre.rounded()
    let remainder = place.truncatingRemainder(dividingBy: count)
    let wrapped = remainder < 0 ? remainder + count : remainder
    return Int(exactly: isWheel ? wrapped : min(max(place, 0), count - 1)) ?? state.liveIndex
  }

  /// The offset at which a place stands at the centre; of a wheel the one that is the shorter way from here.
  private func offset(of index: Int) -> Double? {
    guard let pitch = state.pitch, pitch > 0, let present = restingOffset else { return nil }
    let offset = (origin(pitch) - Double(index)) * pitch
    guard offset.isFinite else { return nil }
    guard isWheel else { return offset }
    let way = (offset - present).remainder(dividingBy: 360)
    // Where it is exactly opposite, wheels turn forward.
    return present + (abs(way + 180) < 1e-6 ? 180 : way)
  }

  // MARK: What happened

  mutating func apply(_ change: SelectionChanged) {
    switch change.cause {
    case .drag, .catch: hold(atUs: change.timeUs)
    case .cancel: selectionBefore = nil
    default:
      selectionBefore = nil
      if state.phase == .drag { state.phase = .idle }
      // Nothing else says that a wheel that turns at swipes has turned.
      if isWheel, state.mode != .rotate, let index = change.index {
        if let offset = offset(of: index) { restingOffset = offset }
        state.liveIndex = index
      }
    }
    if restingOffset == nil { state.liveIndex = change.index ?? 0 }
    select(Selection(index: change.index, value: change.value, title: change.title))
    state.revision = change.revision
  }

  mutating func apply(_ tick: PickerTick) {
    if state.phase != .glide { hold(atUs: tick.timeUs) }
    state.liveIndex = tick.index
  }

  mutating func apply(_ motion: PickerMotion) {
    if motion.phase == .drag { hold(atUs: motion.timeUs) }
    state.phase = motion.phase
    state.liveIndex = motion.index
    if state.glide == nil { restingOffset = motion.offset }
  }

  mutating func apply(_ settle: PickerSettle) {
    selectionBefore = nil
    state.phase = .glide
    state.glide = settle.glide
    restingOffset = settle.glide.to
  }

  mutating func apply(_ rest: PickerRest) {
    selectionBefore = nil
    state.phase = .idle
    // A glide that is called back in the instant that it began in never left where it was.
    if let glide = state.glide { restingOffset = glide.position(atUs: rest.timeUs) }
    state.glide = nil
    state.liveIndex = rest.index
    if let offset = offset(of: rest.index) { restingOffset = offset }
  }

  mutating func apply(_ press: SwatchPress) {
    state.pressed = press.isPressed ? press.index : nil
    state.phase = press.isPressed ? .drag : .idle
  }

  mutating func apply(_ turn: WheelTurn) {
    state.phase = .idle
    restingOffset = turn.degree
    if let pitch = state.pitch, pitch > 0 {
      state.liveIndex = nearest(to: origin(pitch) - turn.degree / pitch)
    }
  }

  /// Takes over a state, from a snapshot or because the picker is another now.
  mutating func apply(_ newState: PickerState) {
    let before = newState.phase == .drag ? selectionBefore : nil
    state = newState
    selectionBefore = before
  }

  /// The connection ended: what a finger held is void; a glide goes on to its end.
  mutating func disconnect() {
    state.pressed = nil
    if let selectionBefore { select(selectionBefore) }
    selectionBefore = nil
    guard state.phase == .drag else { return }
    state.phase = .idle
    let index = state.index ?? state.liveIndex
    if let offset = offset(of: index) {
      restingOffset = offset
      state.liveIndex = index
    }
  }

  private mutating func hold(atUs timeUs: Int64) {
    if let glide = state.glide {
      restingOffset = glide.position(atUs: timeUs)
      state.glide = nil
    }
    guard state.phase != .drag else { return }
    state.phase = .drag
    selectionBefore = Selection(index: state.index, value: state.value, title: state.title)
  }

  private mutating func select(_ selection: Selection) {
    state.index = selection.index
    state.value = selection.value
    state.title = selection.title
  }
}
