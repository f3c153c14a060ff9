// SPDX-License-Identifier: Apache-2.0

package import Gestures

/// What the configuration says about all pickers together.
package struct SceneSettings: Sendable {
  /// The estimator of release velocities.
  package var velocityMethod: VelocityTracker.Method = .detent
  /// How long a finger may rest before its lift throws nothing, in microseconds.
  package var stopAfterUs: Int64 = 50_000
  /// How far a tap may go, in millimetres of the panel.
  package var tapSlopMM = 3.0
  /// Whether glides end at once.
  package var reducesMotion = false
  /// How often a glide is shown to those who want motion, in hertz.
  package var glideHz = 60.0
  /// After how long without a contact nobody is taken to be there, in microseconds; 0 for never.
  package var idleAfterUs: Int64 = 0
  /// After how long without a contact all pickers go back to their opening selection; 0 for never.
  package var idleResetUs: Int64 = 0
  /// How many points one of libinput's scroll units is.
  package var touchpadScale = 1.0
  /// Whether the content follows the fingers on a touchpad.
  package var isNatural = true
  /// The displays, at least one.
  package var displays: [Display] = []
  /// The knobs.
  package var knobs: [KnobSettings] = []

  /// The defaults.
  package init() {}
}

/// What a knob does.
package struct KnobSettings: Hashable, Sendable {
  /// What pressing it does.
  package enum Press: String, Sendable, CaseIterable {
    /// The focus goes to the next picker.
    case next
    /// The focus goes to the picker before.
    case previous
    /// The picker's live value is selected.
    case select
    /// Nothing.
    case none
  }

  /// Which devices it is.
  package var device: DeviceMatch
  /// The picker that it turns, or nil for the one that has the focus.
  package var picker: String?
  /// What pressing it does.
  package var press: Press
  /// Whether a step is felt.
  package var isHaptic: Bool

  /// A knob.
  package init(
    device: DeviceMatch, picker: String? = nil, press: Press = .next, isHaptic: Bool = false
  ) {
    self.device = device
    self.picker = picker
    self.press = press
    self.isHaptic = isHaptic
  }
}
