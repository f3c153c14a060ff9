// SPDX-License-Identifier: Apache-2.0

package import Gestures
package import Wire

/// A radial picker that turns with the finger, as a ruler that wraps.
package struct RotaryWheel: PickerModel {
  private static let minimumDistance = 10.0

  private struct Grip: Sendable {
    var first: (finger: Int, contact: Contact)?
    var second: (finger: Int, contact: Contact)?
    var mayTap = true
    // Once begun, a drag goes on, whichever finger is left.
    var isDragging = false
    var tracker: VelocityTracker
    // The angle that counted last; what it has turned since the grasp, in degrees.
    var angle: Double?
    var translation = 0.0
  }

  private var strip: Strip
  private let dial: Dial
  private let tapToSelect: Bool
  private var grip: Grip?

  /// A wheel that stands on its selection.
  ///
  /// - Parameters:
  ///   - base: Values, region and selection.
  ///   - tapToSelect: Whether a tap selects.
  package init(base: PickerBase, tapToSelect: Bool = true) {
    var base = base
    base.openOnFirst()
    dial = Dial(region: base.region, count: base.values.count)
    self.tapToSelect = tapToSelect
    strip = Strip(
      base: base, geometry: dial.geometry,
      rules: Strip.Rules(
        selectsWhileDragging: true, tracksSelection: true, projectionSeconds: 0.25, limit: nil))
  }

  package var base: PickerBase {
    get { strip.base }
    set { strip.base = newValue }
  }
  package var phase: PickerPhase { strip.phase }
  package var glide: Glide? { strip.glide }
  package var layout: PickerLayout { PickerLayout(pitch: dial.geometry.pitch, mode: .rotate) }
  package var isHeld: Bool { grip != nil }
  package var deadlineUs: Int64? { strip.deadlineUs }
  package func liveIndex(atUs timeUs: Int64) -> Int { strip.liveIndex(atUs: timeUs) }
  package func position(atUs timeUs: Int64) -> PickerPosition {
    .degree(strip.offset(atUs: timeUs))
  }
  package func takesAnotherFinger() -> Bool { grip?.first != nil && grip?.second == nil }

  package mutating func resume(selection: Int?, revision: Int, index: Int) {
    grip = nil
    strip.resume(selection: selection, revision: revision, index: index)
  }

  package mutating func advance(toUs timeUs: Int64, in context: inout PickerContext) {
    strip.advance(toUs: timeUs, in: &context)
  }

  // MARK: Fingers

  package mutating func fingerDown(
    _ finger: Int, at location: Point, timeUs: Int64, in context: inout PickerContext
  ) {
    let contact = Contact(
      at: location, timeUs: context.sampleUs, minimumDistance: Self.minimumDistance,
      tapSlop: context.tapSlop)
    if grip == nil {
      grasp(timeUs: timeUs, in: &context)
      grip?.first = (finger, contact)
      guard dial.counts(location) else { return }
      grip?.angle = location.angle(about: dial.centre)
      grip?.tracker.add(timeUs: context.sampleUs, position: 0)
    } else if takesAnotherFinger() {
      grip?.second = (finger, contact)
      grip?.mayTap = false
      restartAngle()
    }
  }

  package mutating func fingerMoved(
    _ finger: Int, to location: Point, timeUs: Int64, in context: inout PickerContext
  ) {
    if grip?.first?.finger == finger {
      grip?.first?.contact.move(to: location)
      if grip?.first?.contact.isDragging ?? false { grip?.isDragging = true }
    } else if grip?.second?.finger == finger {
      grip?.second?.contact.move(to: location)
      if grip?.second?.contact.isDragging ?? false { grip?.isDragging = true }
    } else {
      return
    }
    if let angle = angle() {
      let before = grip?.angle ?? angle
      grip?.angle = angle
      turn(by: (angle - before).normalizedDegrees, timeUs: timeUs, in: &context)
    }
  }

  package mutating func fingerUp(
    _ finger: Int, timeUs: Int64, in context: inout PickerContext
  ) {
    guard let held = grip, let last = letGo(of: finger) else { return }
    grip = nil
    if held.mayTap, tapToSelect, !strip.isCaught, dial.counts(last.start),
      last.isTap(liftUs: context.sampleUs)
    {
      let index = dial.index(at: last.start, degree: strip.offsetAtDown)
      strip.tap(
        on: dial.geometry.unwrapped(index, near: strip.target), timeUs: timeUs, in: &context)
      return
    }
    release(held, timeUs: timeUs, in: &context)
  }

  package mutating func cancel(timeUs: Int64, in context: inout PickerContext) {
    grip = nil
    strip.cancel(timeUs: timeUs, in: &context)
  }

  package mutating func fingerCancelled(
    _ finger: Int, timeUs: Int64, in context: inout PickerContext
  ) {
    guard letGo(of: finger) != nil else { return }
    cancel(timeUs: timeUs, in: &context)
  }

  /// Drops a finger.
  ///
  /// Returns its contact where it was the last one.
  private mutating func letGo(of finger: Int) -> Contact? {
    guard let held = grip else { return nil }
    if held.first?.finger == finger {
      guard held.second != nil else { return held.first?.contact }
      grip?.first = held.second
    } else if held.second?.finger != finger {
      return nil
    }
    grip?.second = nil
    restartAngle()
    return nil
  }

  // MARK: Requests and touchpads

  package mutating func select(
    _ index: Int?, cause: Cause, timeUs: Int64, in context: inout PickerContext
  ) {
    let velocity = grip?.tracker.velocity(liftUs: timeUs) ?? 0
    grip = nil
    strip.select(index, cause: cause, velocity: velocity, timeUs: timeUs, in: &context)
  }

  package mutating func move(
    by steps: Int, cause: Cause, timeUs: Int64, in context: inout PickerContext
  ) {
    let velocity = grip?.tracker.velocity(liftUs: timeUs) ?? 0
    grip = nil
    let goal = dial.turned(strip.target, by: steps)
    strip.select(
      dial.geometry.wrapped(goal), goal: goal, cause: cause, velocity: velocity,
      timeUs: timeUs, in: &context)
  }

  package mutating func touchpad(
    _ action: TouchpadAction, timeUs: Int64, in context: inout PickerContext
  ) {
    if let grip, grip.first != nil { return }
    switch action {
    case .rotate(let degrees):
      if grip == nil { grasp(timeUs: timeUs, in: &context) }
      turn(by: degrees, timeUs: timeUs, in: &context)
    case .scroll(let dx, _):
      if grip == nil { grasp(timeUs: timeUs, in: &context) }
      // The chosen value at the bottom follows the fingers, along the circle's edge.
      turn(by: -dx / dial.radius * 180 / .pi, timeUs: timeUs, in: &context)
    case .hold:
      if grip == nil { grasp(timeUs: timeUs, in: &context) }
    case .scrollEnd, .rotateEnd, .holdEnd:
      guard let held = grip else { return }
      grip = nil
      release(held, timeUs: timeUs, in: &context)
    case .tap:
      break
    }
  }

  package mutating func showMotion(timeUs: Int64, in context: inout PickerContext) {
    strip.showGlide(timeUs: timeUs, in: &context)
  }

  // MARK: Turning

  private mutating func grasp(timeUs: Int64, in context: inout PickerContext) {
    strip.grasp(timeUs: timeUs, in: &context)
    grip = Grip(tracker: context.makeVelocityTracker())
  }

  /// The angle that the fingers make: one about the centre, two about each other.
  private func angle() -> Double? {
    guard let first = grip?.first?.contact.location else { return nil }
    if let second = grip?.second?.contact.location { return second.angle(about: first) }
    return dial.counts(first) ? first.angle(about: dial.centre) : nil
  }

  /// Turns from the present angle on: fingers came or went.
  private mutating func restartAngle() {
    let angle = angle()
    grip?.angle = angle
  }

  private mutating func turn(
    by degrees: Double, timeUs: Int64, in context: inout PickerContext
  ) {
    grip?.translation += degrees
    guard let translation = grip?.translation else { return }
    grip?.tracker.add(timeUs: context.sampleUs, position: translation)
    guard let held = grip, held.isDragging || held.first == nil else { return }
    let pull = Strip.Pull(
      translation: translation, velocity: held.tracker.runningVelocity(atUs: context.sampleUs))
    strip.drag(pull, cause: .drag, timeUs: timeUs, in: &context)
  }

  private mutating func release(
    _ held: Grip, timeUs: Int64, in context: inout PickerContext
  ) {
    strip.release(
      translation: held.translation,
      velocity: held.isDragging || held.first == nil
        ? held.tracker.velocity(liftUs: context.sampleUs) : 0,
      timeUs: timeUs, in: &context)
  }
}
