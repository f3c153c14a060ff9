// SPDX-License-Identifier: Apache-2.0

import DetentClient
import Wire

/// A picker at the moment that it is drawn.
struct WatchedPicker {
  let state: PickerState
  let liveIndex: Int
  /// The degree of a wheel, not wrapped; 0 for others.
  let degree: Double
  let phase: PickerPhase?
  /// The index at the centre, between two values while it moves.
  let centre: Double
  /// Values and titles by index, as far as they were asked for.
  let values: [Int: PickerValue]
  /// The columns of its longest title, as far as titles are known.
  let titleWidth: Int
  /// Whether touchpads and knobs act on it.
  let isFocused: Bool

  /// The picker as it stands at a time.
  init(
    _ picker: TrackedPicker, values: [Int: PickerValue], titleWidth: Int, isFocused: Bool,
    atUs timeUs: Int64
  ) {
    state = picker.state
    liveIndex = picker.liveIndex(atUs: timeUs)
    degree = picker.state.degree == nil ? 0 : picker.offset(atUs: timeUs) ?? 0
    phase = picker.phase(atUs: timeUs)
    centre = picker.centre(atUs: timeUs) ?? Double(liveIndex)
    self.values = values
    self.titleWidth = titleWidth
    self.isFocused = isFocused
  }

  var id: String { state.picker }
  var type: String { state.type }
  var count: Int { state.count }
  var title: String { state.title ?? "–" }

  /// The title of a place; nothing while it is not known.
  func title(_ index: Int) -> String { values[index]?.title ?? "" }
}
