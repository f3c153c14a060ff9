// SPDX-License-Identifier: Apache-2.0

import CMath

/// A place on a display, or the way between two, in points.
package struct Point: Hashable, Sendable {
  /// To the right.
  package var x: Double
  /// Down.
  package var y: Double

  /// A place.
  package init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  /// The straight distance to `other`, in points.
  package func distance(to other: Point) -> Double { hypot(other.x - x, other.y - y) }

  /// The angle of the line from `centre` to here, in degrees −180…180: 0 to the right, 90 down.
  package func angle(about centre: Point) -> Double {
    atan2(y - centre.y, x - centre.x) * 180 / .pi
  }
}
