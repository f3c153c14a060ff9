// SPDX-License-Identifier: Apache-2.0

package import Wire

/// Items that are aligned one at a time; the selection waits for the release.
package struct Carousel: StripModel {
  package static let minimumDistance = 10.0

  /// How many items one drag may move by.
  package enum Limit: String, Sendable, CaseIterable {
    /// No limit where several items fit the region, else one.
    case automatic
    /// One.
    case one
    /// Three.
    case few
    /// As many as the velocity carries.
    case never
  }

  package var strip: Strip
  package var grip: StripGrip?
  package let axis: PickerAxis
  package let tapToSelect: Bool
  private let padding: Double
  private let spacing: Double
  private let itemLength: Double

  /// Reads the options of a carousel.
  package init?(options: inout OptionReader, base: PickerBase) {
    let axis = options.choice("axis", default: PickerAxis.horizontal)
    let padding = options.number("padding", default: 32, in: 0...1e6)
    let spacing = options.number("spacing", default: 16, in: 0...1e6)
    let limit = options.choice("limit", default: Limit.automatic)
    let tracksSelection = options.bool("tracks_selection", default: true)
    let tapToSelect = options.bool("tap_to_select", default: true)
    guard let axis, let padding, let spacing, let limit, let tracksSelection, let tapToSelect
    else { return nil }
    let length = axis.length(of: base.region)
    guard length > 2 * padding else {
      options.fail(
        "padding",
        "twice \(padding.plain) leaves nothing of the region's length of \(length.plain) points for an item; expected less than \((length / 2).plain)"
      )
      return nil
    }
    self.init(
      base: base, axis: axis, padding: padding, spacing: spacing, limit: limit,
      tracksSelection: tracksSelection, tapToSelect: tapToSelect)
  }

  /// A carousel at rest on its selection, or on its first item.
  ///
  /// - Parameters:
  ///   - base: Items, region and selection.
  ///   - axis: The direction in which it lies.
  ///   - padding: What is left free at both ends of the region, in points.
  ///   - spacing: The gap between two items, in points.
  ///   - limit: How many items one drag may move by.
  ///   - tracksSelection: Whether there is a selection; without one it opens where it would stand and aligns.
  ///   - tapToSelect: Whether a tap selects.
  package init(
    base: PickerBase, axis: PickerAxis = .horizontal, padding: Double = 32, spacing: Double = 16,
    limit: Limit = .automatic, tracksSelection: Bool = true, tapToSelect: Bool = true
  ) {
    self.axis = axis
    self.padding = padding
    self.spacing = spacing
    self.tapToSelect = tapToSelect
    let length = axis.length(of: base.region)
    itemLength = length - 2 * padding
    let pitch = itemLength + spacing
    let most: Int? =
      switch limit {
      case .one: 1
      case .few: 3
      case .never: nil
      case .automatic: ((length + spacing) / pitch).rounded(.down) >= 2 ? nil : 1
      }
    strip = Strip(
      base: base,
      geometry: StripGeometry(
        origin: 0, pitch: pitch, count: base.values.count, ends: .giveWay(length: length)),
      rules: Strip.Rules(
        selectsWhileDragging: false, tracksSelection: tracksSelection, projectionSeconds: 0.499,
        limit: most))
    if !tracksSelection { strip.base.resume(selection: nil, revision: base.revision) }
  }

  package var layout: PickerLayout {
    PickerLayout(axis: axis, pitch: strip.geometry.pitch, spacing: spacing)
  }

  package func tapTarget(at coordinate: Double) -> Int {
    let first = axis.start(of: base.region) + padding + strip.offsetAtDown
    let pitch = strip.geometry.pitch
    let place = ((coordinate - first) / pitch).rounded(.down)
    guard place >= 0, place < Double(base.values.count),
      coordinate - first - place * pitch < itemLength
    else { return strip.target }
    return Int(place)
  }
}
