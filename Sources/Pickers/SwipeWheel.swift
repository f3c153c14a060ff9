// SPDX-License-Identifier: Apache-2.0

package import Gestures
package import Wire

/// A radial picker that turns by one value at each swipe.
package struct SwipeWheel: PickerModel {
  package var base: PickerBase
  private let dial: Dial
  private let threshold: Double
  private let tapToSelect: Bool
  // The unwrapped index at the bottom: degrees follow from it exactly, however often the wheel went round.
  private var turn: Int
  private var grip: (finger: Int, contact: Contact)?
  private var travel = 0.0

  /// A wheel that stands on its selection.
  ///
  /// - Parameters:
  ///   - base: Values, region and selection.
  ///   - threshold: What a swipe must exceed along x, in points.
  ///   - tapToSelect: Whether a tap selects.
  package init(base: PickerBase, threshold: Double = 10, tapToSelect: Bool = true) {
    var base = base
    base.openOnFirst()
    self.base = base
    dial = Dial(region: base.region, count: base.values.count)
    self.threshold = threshold
    self.tapToSelect = tapToSelect
    turn = base.selection ?? 0
  }

  // It stands still until a finger has swiped.
  package var phase: PickerPhase { .idle }
  package var layout: PickerLayout { PickerLayout(pitch: dial.geometry.pitch, mode: .swipe) }
  package var isHeld: Bool { grip != nil }
  package func liveIndex(atUs timeUs: Int64) -> Int { dial.geometry.wrapped(turn) }
  package func position(atUs timeUs: Int64) -> PickerPosition { .degree(degree) }
  private var degree: Double { dial.geometry.offset(of: turn) }

  package mutating func resume(selection: Int?, revision: Int, index: Int) {
    base.resume(selection: selection, revision: revision)
    grip = nil
    turn = base.clamped(selection ?? index)
  }

  package mutating func fingerDown(
    _ finger: Int, at location: Point, timeUs: Int64, in context: inout PickerContext
  ) {
    guard grip == nil else { return }
    let contact = Contact(
      at: location, timeUs: context.sampleUs, minimumDistance: 0, tapSlop: context.tapSlop)
    grip = (finger, contact)
  }

  package mutating func fingerMoved(
    _ finger: Int, to location: Point, timeUs: Int64, in context: inout PickerContext
  ) {
    guard grip?.finger == finger else { return }
    grip?.contact.move(to: location)
  }

  package mutating func fingerUp(
    _ finger: Int, timeUs: Int64, in context: inout PickerContext
  ) {
    guard let (owner, contact) = grip, owner == finger else { return }
    grip = nil
    if swipe(
      from: contact.start.x, to: contact.location.x, timeUs: timeUs, in: &context)
    {
      return
    }
    guard tapToSelect, contact.isTap(liftUs: context.sampleUs),
      dial.counts(contact.start)
    else { return }
    let index = dial.index(at: contact.start, degree: degree)
    turn = dial.geometry.unwrapped(index, near: turn)
    base.setSelection(index, cause: .tap, timeUs: timeUs, in: &context)
  }

  package mutating func cancel(timeUs: Int64, in context: inout PickerContext) {
    grip = nil
    travel = 0
  }

  package mutating func select(
    _ index: Int?, cause: Cause, timeUs: Int64, in context: inout PickerContext
  ) {
    grip = nil
    travel = 0
    if let index { turn = dial.geometry.unwrapped(index, near: turn) }
    base.setSelection(index, cause: cause, timeUs: timeUs, in: &context)
  }

  package mutating func move(
    by steps: Int, cause: Cause, timeUs: Int64, in context: inout PickerContext
  ) {
    grip = nil
    travel = 0
    let index = dial.geometry.wrapped(dial.turned(turn, by: steps))
    // The line tells the index alone: who draws the wheel turns it there the shorter way.
    turn = dial.geometry.unwrapped(index, near: turn)
    base.setSelection(index, cause: cause, timeUs: timeUs, in: &context)
  }

  package mutating func touchpad(
    _ action: TouchpadAction, timeUs: Int64, in context: inout PickerContext
  ) {
    switch action {
    case .scroll(let dx, _):
      travel += dx
    case .scrollEnd:
      _ = swipe(from: 0, to: travel, timeUs: timeUs, in: &context)
      travel = 0
    case .rotateEnd, .holdEnd:
      // A scroll whose own end was left out is no part of the next one.
      travel = 0
    case .rotate, .hold, .tap:
      break
    }
  }

  private mutating func swipe(
    from start: Double, to end: Double, timeUs: Int64, in context: inout PickerContext
  ) -> Bool {
    let direction: WheelTurn.Direction
    if start > end + threshold {
      direction = .left
      // Also the only value of a wheel goes round.
      turn -= 1
    } else if start < end - threshold {
      direction = .right
      turn += 1
    } else {
      return false
    }
    context.emit(.direction(direction, degree: degree), atUs: timeUs)
    let before = base.revision
    base.setSelection(
      dial.geometry.wrapped(turn), cause: .swipe, timeUs: timeUs, in: &context)
    if base.revision != before, let cue = base.cue {
      context.emit(.cue(cue, passed: 1), atUs: timeUs)
    }
    return true
  }
}
