// SPDX-License-Identifier: Apache-2.0

package import Pickers
package import Wire

/// What happened, complete enough to be told to anybody at any later time.
package enum SceneEvent: Sendable {
  /// A picker said something other than a change of its selection.
  case picker(String, ValueList, PickerEvent)
  /// A selection changed.
  case selection(SelectionChange)
  /// The focus went to a picker, or to none.
  case focus(String?, timeUs: Int64)
  /// Somebody is there, or nobody any more; `resetsInMS` is how long until the idle reset then, nil where none is due.
  case activity(isActive: Bool, resetsInMS: Double?, timeUs: Int64)
  /// Touches are swallowed from now on, or no longer.
  case inhibit(isOn: Bool, timeUs: Int64)
  /// A picker came, changed or went.
  indirect case pickerChanged(Change, PickerSnapshot, timeUs: Int64)
  /// The application's layout size changed.
  indirect case display(Display, timeUs: Int64)
}

/// A change of a selection.
package struct SelectionChange: Sendable {
  /// The picker.
  package var picker: String
  /// Its values.
  package var values: ValueList
  /// The selected index, or nil for none.
  package var index: Int?
  /// The value that was selected before.
  package var previous: Value?
  /// Why.
  package var cause: Cause
  /// How often the selection has changed.
  package var revision: Int
  /// When, in CLOCK_MONOTONIC microseconds.
  package var timeUs: Int64

  /// A change of a selection.
  package init(
    picker: String, values: ValueList, index: Int?, previous: Value?, cause: Cause,
    revision: Int, timeUs: Int64
  ) {
    self.picker = picker
    self.values = values
    self.index = index
    self.previous = previous
    self.cause = cause
    self.revision = revision
    self.timeUs = timeUs
  }
}

/// A picker at one moment.
package struct PickerSnapshot: Sendable {
  /// Its name.
  package var id: String
  /// Its type's name.
  package var type: String
  /// The display that it lies on.
  package var display: String
  /// Where it takes fingers.
  package var region: Region
  /// Whether it takes fingers.
  package var isEnabled: Bool
  /// Its values.
  package var values: ValueList
  /// The selected index.
  package var selection: Int?
  /// The index nearest the centre.
  package var liveIndex: Int
  /// Where it is shown.
  package var position: PickerPosition
  /// How its values lie in the region.
  package var layout: PickerLayout
  /// What it is doing.
  package var phase: PickerPhase
  /// The glide that it is in.
  package var glide: Glide?
  /// How often its selection has changed.
  package var revision: Int
}
