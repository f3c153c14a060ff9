// SPDX-License-Identifier: Apache-2.0

/// A haptic cue, from the softest to the strongest.
public enum Cue: String, Sendable, CaseIterable {
  /// A tick while values fly by.
  case tickSoft = "tick_soft"
  /// A tick.
  case tick
  /// A light tap.
  case light
  /// A selection was made.
  case selection
  /// A medium tap.
  case medium
  /// The end of a strip was reached.
  case limit
  /// A heavy tap.
  case heavy
}
