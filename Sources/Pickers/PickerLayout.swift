// SPDX-License-Identifier: Apache-2.0

package import Wire

/// How a picker's values lie in its region, for who draws it; each type fills in what it has.
package struct PickerLayout: Hashable, Sendable {
  /// The direction in which a strip lies.
  package var axis: PickerAxis?
  /// The distance of two values, in points or degrees; nil where they do not lie on a line or circle.
  package var pitch: Double?
  /// The gap between two items, or between columns and between rows, in points.
  package var spacing: Double?
  /// How many values a row of a grid has.
  package var columns: Int?
  /// The diameter of a value's circle in a grid, in points.
  package var size: Double?
  /// How fingers turn a wheel.
  package var mode: WheelMode?

  /// A layout of these.
  package init(
    axis: PickerAxis? = nil, pitch: Double? = nil, spacing: Double? = nil, columns: Int? = nil,
    size: Double? = nil, mode: WheelMode? = nil
  ) {
    self.axis = axis
    self.pitch = pitch
    self.spacing = spacing
    self.columns = columns
    self.size = size
    self.mode = mode
  }
}
