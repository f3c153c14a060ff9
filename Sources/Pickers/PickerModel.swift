// SPDX-License-Identifier: Apache-2.0

package import Gestures
package import Wire

/// A headless control: it takes fingers and requests, and says what they came to.
///
/// A model is a value. It reads no clock: times come in, and what happens later is asked for by `deadlineUs`.
/// Its owner calls `advance` up to a time before it hands over anything that happened at that time.
/// docs/adding-a-picker.md shows how a new one is made.
package protocol PickerModel: Sendable {
  /// What all types have in common: values, selection, region.
  var base: PickerBase { get set }
  /// The value nearest the centre at a time.
  func liveIndex(atUs timeUs: Int64) -> Int
  /// Where it is shown at a time.
  func position(atUs timeUs: Int64) -> PickerPosition
  /// How its values lie in the region.
  var layout: PickerLayout { get }
  /// What it is doing.
  var phase: PickerPhase { get }
  /// The glide that it is in.
  var glide: Glide? { get }
  /// Whether a finger holds it.
  var isHeld: Bool { get }
  /// When it has something to say by itself next.
  var deadlineUs: Int64? { get }

  /// A finger came down inside its region.
  mutating func fingerDown(
    _ finger: Int, at location: Point, timeUs: Int64, in: inout PickerContext)
  /// A finger that came down here moved.
  mutating func fingerMoved(
    _ finger: Int, to location: Point, timeUs: Int64, in: inout PickerContext)
  /// A finger that came down here lifted.
  mutating func fingerUp(_ finger: Int, timeUs: Int64, in: inout PickerContext)
  /// What holds it, finger or touchpad, is void: all is as it was before.
  mutating func cancel(timeUs: Int64, in: inout PickerContext)
  /// One of its fingers is void.
  mutating func fingerCancelled(_ finger: Int, timeUs: Int64, in: inout PickerContext)
  /// Says what is due up to a time.
  mutating func advance(toUs timeUs: Int64, in: inout PickerContext)
  /// Selects an index, or nothing, for a reason; what holds the picker is let go.
  mutating func select(_ index: Int?, cause: Cause, timeUs: Int64, in: inout PickerContext)
  /// Moves the selection by so many values; what holds the picker is let go.
  mutating func move(by steps: Int, cause: Cause, timeUs: Int64, in: inout PickerContext)
  /// Goes back to where it opened, because nobody touched anything for a while.
  mutating func returnToOpening(timeUs: Int64, in: inout PickerContext)
  /// What a touchpad does to it while it has the focus.
  mutating func touchpad(_ action: TouchpadAction, timeUs: Int64, in: inout PickerContext)
  /// Says where it is during a glide, for those who want motion.
  mutating func showMotion(timeUs: Int64, in: inout PickerContext)
  /// The finger that would be its next was not its own until now: whether it takes a second one.
  func takesAnotherFinger() -> Bool
  /// Takes over from an earlier picker, without a word: its selection, its revision, the index that it stood on.
  mutating func resume(selection: Int?, revision: Int, index: Int)
}

extension PickerModel {
  package var glide: Glide? { nil }
  package var deadlineUs: Int64? { nil }

  package mutating func advance(toUs timeUs: Int64, in context: inout PickerContext) {}
  package mutating func showMotion(timeUs: Int64, in context: inout PickerContext) {}
  package func takesAnotherFinger() -> Bool { false }

  package mutating func returnToOpening(timeUs: Int64, in context: inout PickerContext) {
    select(base.opening, cause: .idleReset, timeUs: timeUs, in: &context)
  }

  package mutating func fingerCancelled(
    _ finger: Int, timeUs: Int64, in context: inout PickerContext
  ) {
    cancel(timeUs: timeUs, in: &context)
  }
}

/// What a touchpad does to the picker that has the focus.
package enum TouchpadAction: Hashable, Sendable {
  /// Two fingers moved, in points.
  case scroll(dx: Double, dy: Double)
  /// The scrolling fingers lifted.
  case scrollEnd
  /// Two fingers turned, in degrees clockwise.
  case rotate(degrees: Double)
  /// The turning fingers lifted.
  case rotateEnd
  /// Fingers rest on the pad.
  case hold
  /// The resting fingers lifted.
  case holdEnd
  /// A tap.
  case tap
}

/// Where a picker is shown.
package enum PickerPosition: Hashable, Sendable {
  /// A strip's offset, in points.
  case offset(Double)
  /// A wheel's turn, in degrees, unwrapped.
  case degree(Double)
  /// It has no position; a finger presses one of its values, or none.
  case fixed(pressed: Int?)
}
