// SPDX-License-Identifier: Apache-2.0

package import Gestures

/// A rectangle of a display, in points.
package struct Region: Hashable, Sendable {
  /// The left edge.
  package var x: Double
  /// The top edge.
  package var y: Double
  /// The width, above 0.
  package var width: Double
  /// The height, above 0.
  package var height: Double

  /// A rectangle.
  package init(x: Double, y: Double, width: Double, height: Double) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// Whether the point lies inside; the left and top edges belong to the rectangle, the others do not.
  package func contains(_ point: Point) -> Bool {
    x <= point.x && point.x < x + width && y <= point.y && point.y < y + height
  }

  /// The middle.
  package var centre: Point { Point(x: x + width / 2, y: y + height / 2) }
}
