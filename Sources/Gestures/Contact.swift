// SPDX-License-Identifier: Apache-2.0

/// One finger on a touchscreen, from its down on: where it began, where it is, how far it went.
package struct Contact: Sendable {
  /// The longest that a tap may last, in microseconds.
  package static let longestTapUs: Int64 = 500_000

  /// Where it came down, in points.
  package let start: Point
  /// When it came down.
  package let startUs: Int64
  /// Where it is, in points.
  package private(set) var location: Point
  /// The furthest that it has been from its start, in points.
  package private(set) var reach: Double = 0
  /// The distance from the start at which a drag begins, in points.
  package let minimumDistance: Double
  /// Whether a drag has begun; once begun, the distance is not looked at again.
  package private(set) var isDragging = false

  /// A contact that has just come down.
  package init(at start: Point, timeUs: Int64, minimumDistance: Double) {
    self.start = start
    self.startUs = timeUs
    self.location = start
    self.minimumDistance = minimumDistance
  }

  /// Location − start.
  ///
  /// The minimum distance is not subtracted.
  package var translation: Point { Point(x: location.x - start.x, y: location.y - start.y) }

  /// The finger moved.
  package mutating func move(to location: Point) {
    self.location = location
    let distance = start.distance(to: location)
    reach = max(reach, distance)
    if distance >= minimumDistance { isDragging = true }
  }

  /// Whether lifting at `liftUs` makes this a tap: short in time, never further than `slop` points from its start.
  package func isTap(liftUs: Int64, slop: Double) -> Bool {
    reach <= slop && liftUs - startUs <= Contact.longestTapUs
  }
}
