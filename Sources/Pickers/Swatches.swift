// SPDX-License-Identifier: Apache-2.0

package import Gestures
package import Wire

/// A grid of colours: one press, one choice.
package struct Swatches: PickerModel {
  package var base: PickerBase
  private let columns: Int
  private let size: Double
  private let spacing: Double
  private var finger: Int?
  // The swatch that the finger came down on, and whether it is still inside.
  private var pressed: Int?
  private var isInside = false
  private var travel = Point(x: 0, y: 0)

  /// Reads the options of a palette.
  package init?(options: inout OptionReader, base: PickerBase) {
    let columns = options.integer("columns", default: 6, in: 1...10_000)
    let size = options.number("size", default: 44, above: 0)
    let spacing = options.number("spacing", default: 12, in: 0...1e6)
    guard let columns, let size, let spacing else { return nil }
    guard base.region.width > Double(columns - 1) * spacing else {
      options.fail(
        "columns",
        "\(columns) columns with a spacing of \(spacing.plain) points do not fit a region \(base.region.width.plain) points wide"
      )
      return nil
    }
    self.init(base: base, columns: columns, size: size, spacing: spacing)
  }

  /// A palette.
  ///
  /// - Parameters:
  ///   - base: Colours, region and selection.
  ///   - columns: How many swatches a row has, at least 1.
  ///   - size: The diameter of a swatch, in points.
  ///   - spacing: The gap between columns and between rows, in points.
  package init(base: PickerBase, columns: Int = 6, size: Double = 44, spacing: Double = 12) {
    self.base = base
    self.columns = columns
    self.size = size
    self.spacing = spacing
  }

  package var phase: PickerPhase { isInside ? .drag : .idle }
  package var isHeld: Bool { finger != nil }
  package func liveIndex(atUs timeUs: Int64) -> Int { base.selection ?? 0 }
  package func position(atUs timeUs: Int64) -> PickerPosition {
    .fixed(pressed: isInside ? pressed : nil)
  }
  package var layout: PickerLayout {
    PickerLayout(spacing: spacing, columns: columns, size: size)
  }
  package mutating func resume(selection: Int?, revision: Int, index: Int) {
    base.resume(selection: selection, revision: revision)
  }

  // MARK: Fingers

  package mutating func fingerDown(
    _ finger: Int, at location: Point, timeUs: Int64, in context: inout PickerContext
  ) {
    guard self.finger == nil else { return }
    self.finger = finger
    pressed = swatch(at: location)
    setInside(pressed != nil, timeUs: timeUs, in: &context)
  }

  package mutating func fingerMoved(
    _ finger: Int, to location: Point, timeUs: Int64, in context: inout PickerContext
  ) {
    guard self.finger == finger, let pressed else { return }
    setInside(contains(location, swatch: pressed), timeUs: timeUs, in: &context)
  }

  package mutating func fingerUp(
    _ finger: Int, timeUs: Int64, in context: inout PickerContext
  ) {
    guard self.finger == finger else { return }
    let chosen = isInside ? pressed : nil
    letGo(timeUs: timeUs, in: &context)
    if let chosen { choose(chosen, timeUs: timeUs, in: &context) }
  }

  package mutating func cancel(timeUs: Int64, in context: inout PickerContext) {
    letGo(timeUs: timeUs, in: &context)
  }

  // MARK: Requests and touchpads

  package mutating func select(
    _ index: Int?, cause: Cause, timeUs: Int64, in context: inout PickerContext
  ) {
    letGo(timeUs: timeUs, in: &context)
    base.setSelection(index, cause: cause, timeUs: timeUs, in: &context)
  }

  package mutating func move(
    by steps: Int, cause: Cause, timeUs: Int64, in context: inout PickerContext
  ) {
    letGo(timeUs: timeUs, in: &context)
    shift(by: steps, cause: cause, timeUs: timeUs, in: &context)
  }

  package mutating func touchpad(
    _ action: TouchpadAction, timeUs: Int64, in context: inout PickerContext
  ) {
    guard finger == nil else { return }
    switch action {
    case .scroll(let dx, let dy):
      travel.x += dx
      travel.y += dy
      let cells = whole(travel.x, of: columnWidth + spacing)
      let rows = whole(travel.y, of: size + spacing)
      travel.x -= Double(cells) * (columnWidth + spacing)
      travel.y -= Double(rows) * (size + spacing)
      shift(by: cells + rows * columns, cause: .scroll, timeUs: timeUs, in: &context)
    case .scrollEnd, .rotateEnd, .holdEnd:
      travel = Point(x: 0, y: 0)
    case .tap:
      let index = base.selection ?? 0
      context.emit(.press(index: index, isPressed: true), atUs: timeUs)
      context.emit(.press(index: index, isPressed: false), atUs: timeUs)
      choose(index, timeUs: timeUs, in: &context)
    case .rotate, .hold:
      break
    }
  }

  // MARK: The grid

  private var columnWidth: Double {
    (base.region.width - Double(columns - 1) * spacing) / Double(columns)
  }

  private func contains(_ location: Point, swatch: Int) -> Bool {
    let column = Double(swatch % columns)
    let row = Double(swatch / columns)
    let centre = Point(
      x: base.region.x + column * (columnWidth + spacing) + columnWidth / 2,
      y: base.region.y + size / 2 + row * (size + spacing))
    return centre.distance(to: location) <= size / 2
  }

  /// The swatch whose circle holds the point.
  ///
  /// Circles wider than their column overlap: the later lies on top.
  private func swatch(at location: Point) -> Int? {
    let row = whole(location.y - base.region.y, of: size + spacing)
    let reach = Int(min(Double(columns), (size / (columnWidth + spacing)).rounded(.up) + 1))
    let middle = whole(location.x - base.region.x, of: columnWidth + spacing)
    for column in stride(
      from: min(columns - 1, middle + reach), through: max(0, middle - reach), by: -1)
    {
      for row in stride(from: row + 1, through: row - 1, by: -1) where row >= 0 {
        let (start, overflow) = row.multipliedReportingOverflow(by: columns)
        guard !overflow, start + column < base.values.count else { continue }
        if contains(location, swatch: start + column) { return start + column }
      }
    }
    return nil
  }

  private func whole(_ distance: Double, of pitch: Double) -> Int {
    let count = (distance / pitch).rounded(.towardZero)
    return count.isNaN ? 0 : Int(min(max(count, -1e9), 1e9))
  }

  // MARK: Saying so

  private mutating func setInside(
    _ inside: Bool, timeUs: Int64, in context: inout PickerContext
  ) {
    guard inside != isInside, let pressed else { return }
    isInside = inside
    context.emit(.press(index: pressed, isPressed: inside), atUs: timeUs)
  }

  private mutating func letGo(timeUs: Int64, in context: inout PickerContext) {
    setInside(false, timeUs: timeUs, in: &context)
    finger = nil
    pressed = nil
    travel = Point(x: 0, y: 0)
  }

  private mutating func choose(_ index: Int, timeUs: Int64, in context: inout PickerContext) {
    base.setSelection(index, cause: .tap, timeUs: timeUs, in: &context)
    if let cue = base.cue { context.emit(.cue(cue, passed: nil), atUs: timeUs) }
  }

  private mutating func shift(
    by steps: Int, cause: Cause, timeUs: Int64, in context: inout PickerContext
  ) {
    guard steps != 0 else { return }
    let (sum, overflow) = (base.selection ?? (steps > 0 ? -1 : base.values.count))
      .addingReportingOverflow(steps)
    let index = overflow ? (steps > 0 ? base.last : 0) : base.clamped(sum)
    base.setSelection(index, cause: cause, timeUs: timeUs, in: &context)
  }
}
