// SPDX-License-Identifier: Apache-2.0

/// The events of a recording, by the words that stand in it.
enum RecordingEvent: String, CaseIterable {
  case down, move, up, cancel
  case scroll
  case scrollEnd = "scroll_end"
  case swipeBegin = "swipe_begin"
  case swipe
  case swipeEnd = "swipe_end"
  case pinchBegin = "pinch_begin"
  case pinch
  case pinchEnd = "pinch_end"
  case holdBegin = "hold_begin"
  case holdEnd = "hold_end"
  case tap, turn, press, added, removed

  /// The members that a line of this event may have.
  var members: [String] { ["time_us", "device", "event"] + ownMembers }

  private var ownMembers: [String] {
    switch self {
    case .down, .move: ["slot", "x", "y"]
    case .up, .cancel: ["slot"]
    case .scroll: ["dx", "dy"]
    case .swipeBegin, .holdBegin, .pinchBegin: ["fingers"]
    case .swipe: ["fingers", "dx", "dy"]
    case .pinch: ["fingers", "dx", "dy", "scale", "angle"]
    case .swipeEnd, .pinchEnd, .holdEnd: ["fingers", "cancelled"]
    case .turn: ["steps"]
    case .scrollEnd, .tap, .press, .added, .removed: []
    }
  }
}
