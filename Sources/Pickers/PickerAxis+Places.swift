// SPDX-License-Identifier: Apache-2.0

package import Gestures
package import Wire

extension PickerAxis {
  /// The coordinate along the axis.
  package func coordinate(of point: Point) -> Double { self == .horizontal ? point.x : point.y }

  /// Where the region begins along the axis.
  package func start(of region: Region) -> Double { self == .horizontal ? region.x : region.y }

  /// How long the region is along the axis.
  package func length(of region: Region) -> Double {
    self == .horizontal ? region.width : region.height
  }
}
