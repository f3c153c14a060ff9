// SPDX-License-Identifier: Apache-2.0

/// The notifications, by the name of their method.
public enum EventName: String, Sendable, CaseIterable {
  /// A selection changed.
  case selection
  /// A finger or a glide carried a picker to another value.
  case tick
  /// A picker moved. Sent only to those that ask for it.
  case motion
  /// A finger let go, and the picker glides from here to there.
  case settle
  /// A picker came to rest.
  case rest
  /// A finger pressed a swatch or left it.
  case press
  /// A swipe turned a wheel.
  case direction
  /// The focus of touchpads and knobs went to a picker.
  case focus
  /// Somebody is there, or nobody any more.
  case activity
  /// Touches are swallowed, or no longer.
  case inhibit
  /// A picker came, changed or went.
  case picker
  /// An input device or a motor came, changed or went.
  case device
  /// The application's layout size of a display changed.
  case display
  /// A haptic cue was due.
  case haptic
}
