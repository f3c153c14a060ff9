// SPDX-License-Identifier: Apache-2.0

package import Wire

/// What pickers of all types have in common.
package struct PickerBase: Hashable, Sendable {
  /// The values.
  package let values: ValueList
  /// Where it takes fingers, in points of its display.
  package let region: Region
  /// The cue of its ticks or selections, or nil for none.
  package let cue: Cue?
  /// The selection that it opens with.
  package private(set) var opening: Int?
  /// The selected index.
  package private(set) var selection: Int?
  /// How often the selection has changed.
  package private(set) var revision = 0

  /// A picker that stands at its opening selection.
  package init(values: ValueList, region: Region, cue: Cue?, opening: Int?) {
    self.values = values
    self.region = region
    self.cue = cue
    self.opening = opening
    selection = opening
  }

  /// The last index.
  package var last: Int { values.count - 1 }

  /// The index nearest to `index` that there is.
  package func clamped(_ index: Int) -> Int { min(max(index, 0), last) }

  /// Makes `index` the selection and says so, where it is not the selection already.
  package mutating func setSelection(
    _ index: Int?, cause: Cause, timeUs: Int64, in context: inout PickerContext
  ) {
    guard index != selection else { return }
    let previous = selection
    selection = index
    revision += 1
    context.emit(
      .selection(index: index, previous: previous, cause: cause, revision: revision), atUs: timeUs)
  }

  /// Opens on the first value where the configuration named none: for pickers that always have a selection.
  package mutating func openOnFirst() {
    guard opening == nil else { return }
    opening = 0
    selection = 0
  }

  /// Takes over selection and revision from an earlier picker, without a word.
  package mutating func resume(selection: Int?, revision: Int) {
    self.selection = selection
    self.revision = revision
  }
}
