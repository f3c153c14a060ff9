// SPDX-License-Identifier: Apache-2.0

/// Why a selection changed.
public enum Cause: String, Sendable, CaseIterable {
  /// A dragging finger carried the ruler to another value.
  case drag
  /// A finger lifted.
  case release
  /// A tap on a value.
  case tap
  /// A swipe turned the radial wheel.
  case swipe
  /// Two fingers scrolled on a touchpad.
  case scroll
  /// A knob turned.
  case knob
  /// A finger caught a gliding strip.
  case `catch`
  /// A drag was cancelled and its selection taken back.
  case cancel
  /// A `move` request.
  case move
  /// A `select` request.
  case select
  /// Nobody touched anything for a while.
  case idleReset = "idle_reset"
  /// The configuration changed and the old selection is gone.
  case configuration
  /// The selection was remembered over a restart.
  case restore
}
