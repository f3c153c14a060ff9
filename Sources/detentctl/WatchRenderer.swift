// SPDX-License-Identifier: Apache-2.0

import Wire

/// Draws pickers on a canvas, each in its place.
struct WatchRenderer {
  private static let accent = "1;36"
  private static let faint = "2"
  /// The rows of swatches that are drawn at most, and the values of other pickers that are asked for.
  private static let mostRows = 6
  private static let mostValues = 360

  private let picker: WatchedPicker
  private let place: WatchLayout.Place
  private var columns: Range<Int> { place.columns }
  private var middle: Int { (columns.lowerBound + columns.upperBound) / 2 }

  // MARK: What there is room for

  /// How many lines a picker takes.
  static func height(of picker: WatchedPicker, size: WatchLayout.Size) -> Int {
    switch (size, picker.type) {
    case (.line, _): 1
    case (.small, _): 2
    case (_, "ruler"): 4
    case (_, "swatches"): 1 + min(rows(of: picker), mostRows)
    case (_, "carousel"): 5
    case (_, "radial"): 2 + 2 * radius(size)
    default: 1
    }
  }

  /// The places whose titles are near enough to be seen; nil for none.
  static func visible(_ picker: WatchedPicker, width: Int) -> ClosedRange<Int>? {
    guard picker.count > 0, picker.centre.isFinite else { return nil }
    let last = picker.count - 1
    // A small one is wanted whole: a wheel shows all its values.
    guard picker.count > mostValues else { return 0...last }
    let reach = picker.type == "swatches" ? mostValues / 2 : width / 8 + 2
    let centre = min(max(picker.liveIndex, 0), last)
    return max(0, centre - reach)...min(last, centre + reach)
  }

  /// Draws a picker in its place.
  static func draw(
    _ picker: WatchedPicker, on canvas: inout WatchCanvas, at place: WatchLayout.Place
  ) {
    let renderer = WatchRenderer(picker: picker, place: place)
    renderer.heading(&canvas)
    switch (place.size, picker.type) {
    case (.line, _): break
    case (.small, "swatches"): renderer.swatches(&canvas, rows: 1)
    case (.small, _): renderer.titles(&canvas)
    case (_, "ruler"): renderer.ruler(&canvas)
    case (_, "swatches"): renderer.swatches(&canvas, rows: mostRows)
    case (_, "carousel"): renderer.carousel(&canvas)
    case (_, "radial"): renderer.radial(&canvas, radius: radius(place.size) + place.spare / 2)
    default: break
    }
  }

  private static func radius(_ size: WatchLayout.Size) -> Int { size == .roomy ? 4 : 3 }

  private static func rows(of picker: WatchedPicker) -> Int {
    let columns = max(1, picker.state.columns ?? 1)
    return (picker.count + columns - 1) / columns
  }

  // MARK: All types

  private func heading(_ canvas: inout WatchCanvas) {
    let title = TextWidth.cut(picker.title, to: columns.count / 2)
    let side = max(0, (columns.count - TextWidth.columns(of: title)) / 2 - 3)
    let name = TextWidth.cut((picker.isFocused ? "▸ " : "  ") + picker.id, to: side)
    canvas.put(name, x: columns.lowerBound, y: place.y, style: Self.faint)
    canvas.centre(title, x: middle, y: place.y, style: Self.accent)
    let state = picker.state.isEnabled ? picker.phase?.rawValue ?? "" : "off"
    guard state != "idle", state.count <= side else { return }
    canvas.put(
      state, x: columns.upperBound - state.count - 1, y: place.y,
      style: state == "off" ? Self.faint : "")
  }

  /// The columns from one value to the next, where titles stand side by side.
  private var pitch: Int { min(max(8, picker.titleWidth + 4), max(8, columns.count * 2 / 3)) }

  /// The places near the centre that lie within the columns, with the column of each one's middle.
  private func inSight(pitch: Int) -> [(index: Int, x: Int)] {
    guard picker.count > 0, picker.centre.isFinite, abs(picker.centre) < 1e15 else { return [] }
    let isWheel = picker.type == "radial"
    let reach = columns.count / 2 / max(1, pitch) + 1
    let nearest = Int(picker.centre.rounded())
    let ends = isWheel ? Int.min...Int.max : 0...picker.count - 1
    // A wheel of few values shows none of them twice.
    let span = isWheel ? min(reach, (picker.count - 1) / 2) : reach
    return (nearest - span...nearest + span).filter(ends.contains).map { place in
      let x = middle + Int(((Double(place) - picker.centre) * Double(pitch)).rounded())
      return ((place % picker.count + picker.count) % picker.count, x)
    }
  }

  private func style(of index: Int) -> String {
    index == picker.liveIndex ? Self.accent : Self.faint
  }

  private func titles(_ canvas: inout WatchCanvas) {
    for (index, x) in inSight(pitch: pitch) {
      let title = TextWidth.cut(picker.title(index), to: pitch - 1)
      canvas.centre(title, x: x, y: place.y + 1, style: style(of: index), within: columns)
    }
    for (edge, letter) in [(-pitch / 2, "["), (pitch / 2, "]")] {
      canvas.put(letter, x: middle + edge, y: place.y + 1, style: Self.accent, within: columns)
    }
  }

  // MARK: Each type

  private func ruler(_ canvas: inout WatchCanvas) {
    let half = pitch / 2
    let bar = String(repeating: "─", count: max(0, half * 2 - 1))
    for (index, x) in inSight(pitch: pitch) {
      canvas.put("╷", x: x, y: place.y + 1, style: Self.faint, within: columns)
      let title = TextWidth.cut(picker.title(index), to: pitch - 1)
      canvas.centre(title, x: x, y: place.y + 2, style: style(of: index), within: columns)
    }
    for (line, text) in [(1, "╭\(bar)╮"), (3, "╰\(bar)╯")] {
      canvas.put(text, x: middle - half, y: place.y + line, style: Self.accent, within: columns)
    }
    for (index, x) in inSight(pitch: pitch) where index == picker.liveIndex {
      canvas.put("┳", x: x, y: place.y + 1, style: Self.accent, within: columns)
    }
    for x in [middle - half, middle + half] {
      canvas.put("│", x: x, y: place.y + 2, style: Self.accent, within: columns)
    }
  }

  private func swatches(_ canvas: inout WatchCanvas, rows most: Int) {
    guard picker.count > 0 else { return }
    let whole = max(1, picker.state.columns ?? 1)
    let rowLength = most == 1 ? picker.count : whole
    let cell = min(6, max(4, columns.count / max(1, rowLength)))
    let shownInRow = min(rowLength, max(1, (columns.count - 1) / cell))
    let chosen = min(max(picker.state.pressed ?? picker.state.index ?? 0, 0), picker.count - 1)
    let rows = (picker.count + rowLength - 1) / rowLength
    // What does not fit is scrolled, so that the chosen one is seen.
    let firstRow = max(0, min(chosen / rowLength - most / 2, rows - most))
    let firstInRow = max(0, min(chosen % rowLength - shownInRow / 2, rowLength - shownInRow))
    let left = middle - shownInRow * cell / 2
    for row in firstRow..<min(rows, firstRow + most) {
      for column in firstInRow..<firstInRow + shownInRow
      where row * rowLength + column < picker.count {
        swatch(
          row * rowLength + column, on: &canvas,
          x: left + (column - firstInRow) * cell + cell / 2,
          y: place.y + 1 + row - firstRow)
      }
    }
  }

  private func swatch(_ index: Int, on canvas: inout WatchCanvas, x: Int, y: Int) {
    let value = picker.values[index]
    let isPressed = index == picker.state.pressed
    if let colour = value.flatMap({ Colour(hex: $0.value.description) }) {
      canvas.put(
        isPressed ? "▓▓" : "██", x: x - 1, y: y, style: colour.foreground, within: columns)
    } else {
      // A colour that a terminal cannot show is named.
      canvas.put(
        String((value?.title ?? "··").prefix(2)), x: x - 1, y: y, within: x - 1..<x + 1)
    }
    guard isPressed || index == picker.state.index else { return }
    let ring = isPressed ? ("▸", "◂") : ("(", ")")
    canvas.put(ring.0, x: x - 2, y: y, style: Self.accent, within: columns)
    canvas.put(ring.1, x: x + 1, y: y, style: Self.accent, within: columns)
  }

  private func carousel(_ canvas: inout WatchCanvas) {
    // As large as on the display: its length is the picker's, along its axis.
    let region = picker.state.region
    let length = picker.state.axis == .vertical ? region.height : region.width
    let share = Double(columns.count) / max(1, length)
    let spacing = picker.state.spacing ?? 0
    let item = max(0, (picker.state.pitch ?? length) - spacing)
    let card = Int(min(max(item * share, 14), max(14, Double(columns.count - 6))))
    let gap = Int(min(max(spacing * share, 1), 6))
    let bar = String(repeating: "─", count: card - 2)
    for (index, x) in inSight(pitch: card + gap) {
      let style =
        index == picker.state.index ? Self.accent : index == picker.liveIndex ? "" : Self.faint
      let left = x - card / 2
      canvas.put("╭\(bar)╮", x: left, y: place.y + 1, style: style, within: columns)
      canvas.put("╰\(bar)╯", x: left, y: place.y + 4, style: style, within: columns)
      for line in 2...3 {
        canvas.put("│", x: left, y: place.y + line, style: style, within: columns)
        canvas.put("│", x: left + card - 1, y: place.y + line, style: style, within: columns)
      }
      let title = TextWidth.cut(picker.title(index), to: card - 4)
      canvas.centre(title, x: x, y: place.y + 2, style: style, within: columns)
      if index == picker.state.index {
        canvas.centre("●", x: x, y: place.y + 3, style: style, within: columns)
      }
    }
  }

  private func radial(_ canvas: inout WatchCanvas, radius: Int) {
    guard picker.count > 0, picker.degree.isFinite else { return }
    let step = 360 / Double(picker.count)
    let y = place.y + 1 + radius
    // A letter is about twice as high as it is wide.
    let across = Double(radius) * 2 + 1
    let every = max(1, (picker.count + radius * 8 - 1) / (radius * 8))
    let isNamed = picker.titleWidth <= 3 && every == 1
    for index in stride(from: 0, to: picker.count, by: every) {
      let (sine, cosine) = Turn.sineAndCosine(degrees: Double(index) * step + picker.degree)
      let x = middle + Int((cosine * across).rounded())
      let line = y + Int((sine * Double(radius)).rounded())
      let style = isNamed || picker.count == 1 ? style(of: index) : hue(of: index, step: step)
      canvas.centre(
        isNamed ? picker.title(index) : "●", x: x, y: line, style: style, within: columns)
    }
    canvas.centre(
      TextWidth.cut(picker.title(picker.liveIndex), to: max(4, Int(across) * 2 - 5)), x: middle,
      y: y, style: Self.accent, within: columns)
    canvas.put("(", x: middle - 2, y: y + radius, style: Self.accent, within: columns)
    canvas.put(
      ")", x: middle + max(2, isNamed ? (picker.titleWidth + 3) / 2 : 2), y: y + radius,
      style: Self.accent, within: columns)
  }

  /// The colour of a value on a wheel of hues: where it is chosen, the wheel's degree is its hue.
  private func hue(of index: Int, step: Double) -> String {
    Colour(hue: 90 - Double(index) * step).foreground
  }
}
