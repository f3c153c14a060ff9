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
  /// The distance from the start at which a drag begins, in points.
  package let minimumDistance: Double
  /// Whether a drag has begun; once begun, the distance is not looked at again.
  package private(set) var isDragging = false
  private let tapSlop: Point
  private var wasBeyondSlop = false

  /// A contact that has just come down.
  ///
  /// - Parameters:
  ///   - start: Where, in points.
  ///   - timeUs: When.
  ///   - minimumDistance: The distance from there at which a drag begins, in points.
  ///   - tapSlop: How far a tap may go along x and along y, in points: the same length on a panel whose points are no
  ///     squares.
  package init(at start: Point, timeUs: Int64, minimumDistance: Double, tapSlop: Point) {
    self.start = start
    self.startUs = timeUs
    self.location = start
    self.minimumDistance = minimumDistance
    self.tapSlop = tapSlop
  }

  /// Location − start.
  ///
  /// The minimum distance is not subtracted.
  package var translation: Point { Point(x: location.x - start.x, y: location.y - start.y) }

  /// The finger moved.
  package mutating func move(to location: Point) {
    self.location = location
    // Most frames of a drag: nothing is left to be found out.
    if isDragging, wasBeyondSlop { return }
    if start.distance(to: location) >= minimumDistance { isDragging = true }
    let stretch = tapSlop.x == tapSlop.y ? 1 : tapSlop.x / tapSlop.y
    let stretched = Point(x: location.x, y: start.y + (location.y - start.y) * stretch)
    if start.distance(to: stretched) > tapSlop.x { wasBeyondSlop = true }
  }

  /// Whether lifting at `liftUs` makes this a tap: short in time, never further than the slop from its start.
  package func isTap(liftUs: Int64) -> Bool {
    !wasBeyondSlop && liftUs - startUs <= Contact.longestTapUs
  }
}
