// SPDX-License-Identifier: Apache-2.0

import DetentClient
import Wire

/// A picker at the moment that it is drawn.
struct WatchedPicker {
  let id: String
  let type: String
  let count: Int
  let title: String
  let index: Int?
  let liveIndex: Int
  /// The offset, or the degree of a wheel.
  let offset: Double
  let phase: String
  let pressed: Int?
  /// The index at the centre, between two values while it moves.
  let centre: Double
  /// Values and titles by index, as far as they were asked for.
  let values: [Int: PickerValue]

  /// The picker as it stands at a time.
  init(_ picker: TrackedPicker, values: [Int: PickerValue], atUs timeUs: Int64) {
    id = picker.id
    type = picker.state.type
    count = picker.state.count
    title = picker.state.title ?? "–"
    index = picker.state.index
    liveIndex = picker.liveIndex(atUs: timeUs)
    offset = picker.offset(atUs: timeUs) ?? 0
    phase = picker.phase(atUs: timeUs)?.rawValue ?? ""
    pressed = picker.state.pressed
    centre = picker.centre(atUs: timeUs) ?? Double(liveIndex)
    self.values = values
  }
}
