// SPDX-License-Identifier: Apache-2.0

/// The methods that clients may call, by their names.
public enum MethodName: String, Sendable, CaseIterable {
  /// Asks for how things stand, and for every later change.
  case subscribe
  /// Ends a subscription.
  case unsubscribe
  /// Asks for the states of all pickers.
  case list
  /// Asks for the state of one picker.
  case get
  /// Asks for a picker's values with their titles, a page at a time.
  case values
  /// Selects a value, or nothing.
  case select
  /// Moves a selection by some places.
  case move
  /// Adds a picker.
  case add
  /// Changes a picker.
  case update
  /// Removes a picker.
  case remove
  /// Swaps all pickers of the connection.
  case replace
  /// Tells the application's layout size of a display.
  case display
  /// Gives the focus to a picker.
  case focus
  /// Has touches swallowed, or no longer.
  case inhibit
  /// Plays a haptic cue.
  case play
  /// Asks for input devices, knobs and motors.
  case devices
  /// Asks for counters.
  case stats
  /// Asks for the JSON Schema of the protocol.
  case describe
  /// Has the configuration read again.
  case reload

  /// Whether the method changes something for others, which `allow_control` can keep to some users and groups.
  public var needsControl: Bool {
    switch self {
    case .subscribe, .unsubscribe, .list, .get, .values, .devices, .stats, .describe: false
    case .select, .move, .add, .update, .remove, .replace, .display, .focus, .inhibit, .play,
      .reload:
      true
    }
  }
}
