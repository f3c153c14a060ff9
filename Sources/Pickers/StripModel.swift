// SPDX-License-Identifier: Apache-2.0

package import Gestures
package import Wire

/// What holds a straight strip: one finger, or two on a touchpad.
package struct StripGrip: Sendable {
  // nil for a touchpad.
  fileprivate var contact: Contact?
  fileprivate let finger: Int?
  fileprivate var tracker: VelocityTracker
  // What a touchpad has scrolled, in points.
  fileprivate var travel = 0.0

  /// A finger moved.
  ///
  /// - Returns: How far it has carried the strip along `axis`; nil where it is not the one that holds it, or has not
  ///   gone far enough yet.
  fileprivate mutating func follow(
    _ finger: Int, to location: Point, along axis: PickerAxis, timeUs: Int64
  ) -> Strip.Pull? {
    guard self.finger == finger else { return nil }
    contact?.move(to: location)
    tracker.add(timeUs: timeUs, position: axis.coordinate(of: location))
    guard let contact, contact.isDragging else { return nil }
    return Strip.Pull(
      translation: axis.coordinate(of: contact.translation),
      velocity: tracker.runningVelocity(atUs: timeUs))
  }

  /// A touchpad scrolled.
  fileprivate mutating func scroll(by distance: Double, timeUs: Int64) -> Strip.Pull {
    travel += distance
    tracker.add(timeUs: timeUs, position: travel)
    return Strip.Pull(translation: travel, velocity: tracker.runningVelocity(atUs: timeUs))
  }
}

/// A straight strip, ruler or carousel: everything but where its values lie and what a tap on it means.
package protocol StripModel: PickerModel {
  /// The distance at which a drag begins, in points.
  static var minimumDistance: Double { get }
  /// The strip.
  var strip: Strip { get set }
  /// What holds it.
  var grip: StripGrip? { get set }
  /// The direction in which it lies.
  var axis: PickerAxis { get }
  /// Whether a tap selects.
  var tapToSelect: Bool { get }
  /// The index that a tap at a coordinate along the axis means, as the strip stood at the down.
  func tapTarget(at coordinate: Double) -> Int
}

extension StripModel {
  package var base: PickerBase {
    get { strip.base }
    set { strip.base = newValue }
  }
  package var phase: PickerPhase { strip.phase }
  package var glide: Glide? { strip.glide }
  package var layout: PickerLayout { PickerLayout(axis: axis, pitch: strip.geometry.pitch) }
  package var isHeld: Bool { grip != nil }
  package var deadlineUs: Int64? { strip.deadlineUs }
  package func liveIndex(atUs timeUs: Int64) -> Int { strip.liveIndex(atUs: timeUs) }
  package func position(atUs timeUs: Int64) -> PickerPosition {
    .offset(strip.offset(atUs: timeUs))
  }
  package mutating func resume(selection: Int?, revision: Int, index: Int) {
    grip = nil
    strip.resume(selection: selection, revision: revision, index: index)
  }
  package mutating func advance(toUs timeUs: Int64, in context: inout PickerContext) {
    strip.advance(toUs: timeUs, in: &context)
  }

  package mutating func fingerDown(
    _ finger: Int, at location: Point, timeUs: Int64, in context: inout PickerContext
  ) {
    guard grip == nil else { return }
    strip.grasp(timeUs: timeUs, in: &context)
    var tracker = context.makeVelocityTracker()
    tracker.add(timeUs: context.sampleUs, position: axis.coordinate(of: location))
    let contact = Contact(
      at: location, timeUs: context.sampleUs, minimumDistance: Self.minimumDistance,
      tapSlop: context.tapSlop)
    grip = StripGrip(contact: contact, finger: finger, tracker: tracker)
  }

  package mutating func fingerMoved(
    _ finger: Int, to location: Point, timeUs: Int64, in context: inout PickerContext
  ) {
    let axis = axis
    guard let pull = grip?.follow(finger, to: location, along: axis, timeUs: context.sampleUs)
    else { return }
    strip.drag(pull, cause: .drag, timeUs: timeUs, in: &context)
  }

  package mutating func fingerUp(
    _ finger: Int, timeUs: Int64, in context: inout PickerContext
  ) {
    guard let grip, grip.finger == finger, let contact = grip.contact else { return }
    self.grip = nil
    if tapToSelect, !strip.isCaught,
      contact.isTap(liftUs: context.sampleUs)
    {
      let goal = tapTarget(at: axis.coordinate(of: contact.start))
      strip.tap(on: goal, timeUs: timeUs, in: &context)
      return
    }
    strip.release(
      translation: axis.coordinate(of: contact.translation),
      velocity: contact.isDragging ? grip.tracker.velocity(liftUs: context.sampleUs) : 0,
      timeUs: timeUs, in: &context)
  }

  package mutating func cancel(timeUs: Int64, in context: inout PickerContext) {
    grip = nil
    strip.cancel(timeUs: timeUs, in: &context)
  }

  package mutating func select(
    _ index: Int?, cause: Cause, timeUs: Int64, in context: inout PickerContext
  ) {
    go(to: index, cause: cause, timeUs: timeUs, in: &context)
  }

  package mutating func move(
    by steps: Int, cause: Cause, timeUs: Int64, in context: inout PickerContext
  ) {
    let (sum, overflow) = strip.target.addingReportingOverflow(steps)
    let index = overflow ? (steps > 0 ? base.last : 0) : base.clamped(sum)
    go(to: index, cause: cause, timeUs: timeUs, in: &context)
  }

  package mutating func returnToOpening(timeUs: Int64, in context: inout PickerContext) {
    grip = nil
    strip.select(
      base.opening, goal: base.opening ?? 0, cause: .idleReset, velocity: 0, timeUs: timeUs,
      in: &context)
  }

  package mutating func touchpad(
    _ action: TouchpadAction, timeUs: Int64, in context: inout PickerContext
  ) {
    // A finger on the screen is nearer than two on the pad.
    if let grip, grip.contact != nil { return }
    switch action {
    case .scroll(let dx, let dy):
      if grip == nil { graspByTouchpad(timeUs: timeUs, in: &context) }
      let distance = axis.coordinate(of: Point(x: dx, y: dy))
      guard let pull = grip?.scroll(by: distance, timeUs: context.sampleUs) else { return }
      strip.drag(pull, cause: .drag, timeUs: timeUs, in: &context)
    case .hold:
      if grip == nil { graspByTouchpad(timeUs: timeUs, in: &context) }
    case .scrollEnd, .holdEnd, .rotateEnd:
      // Whichever end comes, the fingers are gone: a pad may leave out the one that belongs.
      guard let grip else { return }
      self.grip = nil
      strip.release(
        translation: grip.travel, velocity: grip.tracker.velocity(liftUs: context.sampleUs),
        timeUs: timeUs, in: &context)
    case .rotate, .tap:
      break
    }
  }

  package mutating func showMotion(timeUs: Int64, in context: inout PickerContext) {
    strip.showGlide(timeUs: timeUs, in: &context)
  }

  private mutating func graspByTouchpad(timeUs: Int64, in context: inout PickerContext) {
    strip.grasp(timeUs: timeUs, in: &context)
    grip = StripGrip(contact: nil, finger: nil, tracker: context.makeVelocityTracker())
  }

  private mutating func go(
    to index: Int?, cause: Cause, timeUs: Int64, in context: inout PickerContext
  ) {
    let velocity = grip?.tracker.velocity(liftUs: timeUs) ?? 0
    grip = nil
    strip.select(index, cause: cause, velocity: velocity, timeUs: timeUs, in: &context)
  }
}
