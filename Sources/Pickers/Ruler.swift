// SPDX-License-Identifier: Apache-2.0

package import Wire

/// A ruler whose value under the centre is the selection, finger or not.
package struct Ruler: StripModel {
  package static let minimumDistance = 1.0

  package var strip: Strip
  package var grip: StripGrip?
  package let axis: PickerAxis
  package let tapToSelect: Bool

  /// Reads the options of a ruler.
  package init?(options: inout OptionReader, base: PickerBase) {
    let axis = options.choice("axis", default: PickerAxis.horizontal)
    let itemWidth = options.number("item_width", default: 64, above: 0)
    let tapToSelect = options.bool("tap_to_select", default: true)
    guard let axis, let itemWidth, let tapToSelect else { return nil }
    self.init(base: base, axis: axis, itemWidth: itemWidth, tapToSelect: tapToSelect)
  }

  /// A ruler at rest on its selection.
  ///
  /// - Parameters:
  ///   - base: Values, region and selection.
  ///   - axis: The direction in which it lies.
  ///   - itemWidth: The distance of two values along the axis, in points, above 0.
  ///   - tapToSelect: Whether a tap selects.
  package init(
    base: PickerBase, axis: PickerAxis = .horizontal, itemWidth: Double = 64,
    tapToSelect: Bool = true
  ) {
    self.axis = axis
    self.tapToSelect = tapToSelect
    // There is always a value under the centre, so one is always selected when it opens.
    var base = base
    base.openOnFirst()
    strip = Strip(
      base: base,
      geometry: StripGeometry(
        origin: Double(base.last) / 2, pitch: itemWidth, count: base.values.count, ends: .stop),
      rules: Strip.Rules(
        selectsWhileDragging: true, tracksSelection: true, projectionSeconds: 0.25, limit: nil))
  }

  package func tapTarget(at coordinate: Double) -> Int {
    let centre = axis.coordinate(of: base.region.centre)
    return strip.geometry.index(atOffset: strip.offsetAtDown - (coordinate - centre))
  }
}
