// SPDX-License-Identifier: Apache-2.0

package import Gestures

/// The circle that both radial pickers draw their values on: value i at i · 360/n + degree, the chosen one at 90.
package struct Dial: Hashable, Sendable {
  /// Where the chosen value stands: at the bottom.
  private static let bottom = 90.0
  /// The share of the radius within which an angle says nothing.
  private static let deadShare = 0.2

  /// The centre, in points.
  package let centre: Point
  /// Half the smaller side of the region, in points.
  package let radius: Double
  /// The values as a strip without ends, in degrees.
  package let geometry: StripGeometry

  /// The circle in a region.
  package init(region: Region, count: Int) {
    centre = region.centre
    radius = min(region.width, region.height) / 2
    let step = 360 / Double(count)
    geometry = StripGeometry(
      origin: Self.bottom / step, pitch: step, count: count, ends: .wrap)
  }

  /// Whether the point is far enough from the centre for its angle to mean something.
  package func counts(_ point: Point) -> Bool {
    centre.distance(to: point) >= radius * Self.deadShare
  }

  /// The index whose value is nearest to the point's angle while the wheel stands at `degree`.
  package func index(at point: Point, degree: Double) -> Int {
    let steps = ((point.angle(about: centre) - degree) / geometry.pitch)
      .truncatingRemainder(dividingBy: Double(geometry.count))
    return steps.isFinite ? geometry.wrapped(Int(steps.rounded())) : 0
  }

  /// The unwrapped index so many steps on.
  ///
  /// Whole turns are dropped, so that no number of steps is too large.
  package func turned(_ turn: Int, by steps: Int) -> Int {
    let (sum, overflow) = turn.addingReportingOverflow(steps % geometry.count)
    return overflow ? geometry.wrapped(turn) + steps % geometry.count : sum
  }
}

extension Double {
  /// The same angle in degrees, −180…180.
  package var normalizedDegrees: Double {
    let remainder = truncatingRemainder(dividingBy: 360)
    return remainder > 180 ? remainder - 360 : remainder < -180 ? remainder + 360 : remainder
  }
}
