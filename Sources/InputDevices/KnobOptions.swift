// SPDX-License-Identifier: Apache-2.0

package import Gestures

/// Which nodes are a knob, and how its counts become steps.
package struct KnobOptions: Hashable, Sendable {
  /// What turning it sends.
  package enum Axis: String, Hashable, Sendable, CaseIterable {
    /// The first of the others that the device has, else its first absolute axis.
    case auto
    /// REL_DIAL, what dials send.
    case dial
    /// REL_WHEEL, or REL_WHEEL_HI_RES where the device has only that.
    case wheel
    /// REL_HWHEEL, or REL_HWHEEL_HI_RES where the device has only that.
    case hwheel
    /// REL_X, what the kernel's rotary-encoder driver sends, or ABS_X.
    case x
    /// REL_Y or ABS_Y.
    case y
  }

  /// How steps grow with the speed of turning; the constants are in `KnobCounter`.
  package enum Acceleration: String, Hashable, Sendable, CaseIterable {
    /// A detent is always one step.
    case off
    /// At most three steps a detent.
    case low
    /// At most six steps a detent.
    case medium
    /// At most twelve steps a detent.
    case high
  }

  /// Which devices it is, by name and place.
  package var device: DeviceMatch
  /// What turning it sends.
  package var axis: Axis
  /// How many counts of the device make one detent; 1 or more.
  package var countsPerStep: Int
  /// Whether clockwise counts as counterclockwise.
  package var isReversed: Bool
  /// How steps grow with the speed of turning.
  package var acceleration: Acceleration

  /// A knob; what is left out is as the configuration's defaults.
  package init(
    device: DeviceMatch, axis: Axis = .auto, countsPerStep: Int = 1, isReversed: Bool = false,
    acceleration: Acceleration = .off
  ) {
    self.device = device
    self.axis = axis
    self.countsPerStep = max(1, countsPerStep)
    self.isReversed = isReversed
    self.acceleration = acceleration
  }
}
