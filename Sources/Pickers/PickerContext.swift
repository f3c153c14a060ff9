// SPDX-License-Identifier: Apache-2.0

package import Gestures
package import Wire

/// What a picker needs to know at each step, and where it says what happened.
package struct PickerContext: Sendable {
  /// The velocity estimator of releases.
  package var velocityMethod: VelocityTracker.Method = .detent
  /// How long a position may stay unchanged before the finger counts as stopped, in microseconds.
  package var stopAfterUs: Int64 = 50_000
  /// How far a tap may go from its down along x and along y, in points of the picker's display.
  package var tapSlop = Point(x: 10, y: 10)
  /// When the device says that what is handled now happened.
  ///
  /// Velocities and the length of a tap go by it. What is said carries the scene's time, which is later where another
  /// device was heard of something later first.
  package var sampleUs: Int64 = 0
  /// Whether glides end where they begin, in time.
  package var reducesMotion = false
  /// Whether anybody wants to hear of every movement.
  package var wantsMotion = false
  /// What happened, in order.
  ///
  /// The owner empties it.
  package var events: [PickerEvent] = []

  /// The defaults.
  package init() {}

  /// A tracker by these settings.
  package func makeVelocityTracker() -> VelocityTracker {
    VelocityTracker(method: velocityMethod, stopAfterUs: stopAfterUs)
  }

  /// Says that something happened at a time.
  package mutating func emit(_ kind: PickerEvent.Kind, atUs timeUs: Int64) {
    events.append(PickerEvent(timeUs: timeUs, kind: kind))
  }
}

/// What a picker says.
package struct PickerEvent: Hashable, Sendable {
  /// What happened.
  ///
  /// Indices are 0..<count; offsets are in points, or degrees on a wheel.
  package enum Kind: Hashable, Sendable {
    /// The selection changed.
    case selection(index: Int?, previous: Int?, cause: Cause, revision: Int)
    /// A finger or a glide carried the live index to another value.
    case tick(index: Int)
    /// The strip moved.
    case motion(Motion)
    /// A release: the strip glides from here to there.
    case settle(index: Int, glide: Glide, durationMS: Double)
    /// The strip came to rest.
    case rest(index: Int)
    /// A finger pressed a swatch or left it.
    case press(index: Int, isPressed: Bool)
    /// A swipe turned the wheel, which now stands at `degree`.
    case direction(WheelTurn.Direction, degree: Double)
    /// The motor may speak. `passed` is how many values went by where that is a tick, which may be dropped when ticks
    /// come too fast; nil for any other cue.
    case cue(Cue, passed: Int?)
  }

  /// When, in CLOCK_MONOTONIC microseconds.
  package var timeUs: Int64
  /// What.
  package var kind: Kind

  /// Something that happened.
  package init(timeUs: Int64, kind: Kind) {
    self.timeUs = timeUs
    self.kind = kind
  }
}

/// Where a strip is and where it would go if the finger lifted now.
package struct Motion: Hashable, Sendable {
  /// Whether a finger or a glide moves it.
  package var phase: PickerPhase
  /// Where it is shown, in points or degrees.
  package var offset: Double
  /// The drag's translation along the axis; 0 in a glide.
  package var translation: Double
  /// The velocity, per second.
  package var velocity: Double
  /// The translation that the drag would end with if the finger lifted now; 0 in a glide.
  package var predictedEndTranslation: Double
  /// The live index.
  package var index: Int
}
