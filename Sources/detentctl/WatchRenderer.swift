// SPDX-License-Identifier: Apache-2.0

import Wire

/// Draws pickers on a canvas.
struct WatchRenderer {
  private static let accent = "1;36"
  private static let faint = "2"

  /// How many lines a picker takes.
  static func height(of picker: WatchedPicker) -> Int {
    switch picker.type {
    case "ruler": 5
    case "swatches": 3 + (picker.count + 11) / 12
    case "carousel": 6
    default: 9
    }
  }

  /// Draws a picker with its top at a line.
  static func draw(_ picker: WatchedPicker, on canvas: inout WatchCanvas, y: Int) {
    let middle = canvas.width / 2
    canvas.put(picker.id, x: 1, y: y, style: faint)
    canvas.centre(picker.title, x: middle, y: y, style: accent)
    canvas.put(picker.phase, x: canvas.width - picker.phase.count - 1, y: y, style: faint)
    switch picker.type {
    case "ruler": ruler(picker, &canvas, y: y + 1)
    case "swatches": swatches(picker, &canvas, y: y + 1)
    case "carousel": carousel(picker, &canvas, y: y + 1)
    case "radial": radial(picker, &canvas, y: y + 1)
    default: break
    }
  }

  /// The indices that are near enough to be seen.
  static func visible(_ picker: WatchedPicker, width: Int) -> ClosedRange<Int> {
    if picker.type == "radial" || picker.type == "swatches" {
      return 0...min(picker.count - 1, 239)
    }
    let reach = width / 16 + 2
    let centre = Int(min(max(picker.centre.rounded(), 0), Double(picker.count - 1)))
    return max(0, centre - reach)...min(picker.count - 1, centre + reach)
  }

  private static func ruler(_ picker: WatchedPicker, _ canvas: inout WatchCanvas, y: Int) {
    let middle = canvas.width / 2
    for edge in [-5, 5] {
      canvas.put("│", x: middle + edge, y: y, style: accent)
      canvas.put("│", x: middle + edge, y: y + 1, style: accent)
      canvas.put("│", x: middle + edge, y: y + 2, style: accent)
    }
    for index in visible(picker, width: canvas.width) {
      let x = middle + Int(((Double(index) - picker.centre) * 10).rounded())
      let isLive = index == picker.liveIndex
      canvas.put(isLive ? "┃" : "╷", x: x, y: y + 1, style: isLive ? accent : faint)
      canvas.centre(
        picker.values[index]?.title ?? "", x: x, y: y + 2, style: isLive ? accent : faint)
    }
  }

  private static func swatches(_ picker: WatchedPicker, _ canvas: inout WatchCanvas, y: Int) {
    let columns = 12
    let left = (canvas.width - columns * 5) / 2
    for index in visible(picker, width: canvas.width) {
      let x = left + index % columns * 5
      let line = y + index / columns
      let colour = picker.values[index].flatMap { rgb($0.value.description) }
      let disc = index == picker.pressed ? "▄▄" : "██"
      canvas.put(disc, x: x + 1, y: line, style: colour.map { "38;2;\($0)" } ?? "")
      guard index == picker.index else { continue }
      canvas.put("(", x: x, y: line, style: accent)
      canvas.put(")", x: x + 3, y: line, style: accent)
    }
  }

  private static func carousel(_ picker: WatchedPicker, _ canvas: inout WatchCanvas, y: Int) {
    let card = max(12, min(28, canvas.width / 3))
    let middle = canvas.width / 2
    for index in visible(picker, width: canvas.width) {
      let x = middle + Int(((Double(index) - picker.centre) * Double(card + 2)).rounded())
      let isLive = index == picker.liveIndex
      let style = index == picker.index ? accent : isLive ? "" : faint
      let bar = String(repeating: "─", count: card - 2)
      canvas.centre("╭\(bar)╮", x: x, y: y, style: style)
      canvas.centre("╰\(bar)╯", x: x, y: y + 3, style: style)
      for line in 1...2 {
        canvas.put("│", x: x - card / 2, y: y + line, style: style)
        canvas.put("│", x: x - card / 2 + card - 1, y: y + line, style: style)
      }
      canvas.centre(picker.values[index]?.title ?? "", x: x, y: y + 1, style: style)
      if index == picker.index { canvas.centre("●", x: x, y: y + 2, style: style) }
    }
  }

  private static func radial(_ picker: WatchedPicker, _ canvas: inout WatchCanvas, y: Int) {
    let middle = canvas.width / 2
    for index in visible(picker, width: canvas.width) {
      let degree = Double(index) * 360 / Double(picker.count) + picker.offset
      let (sine, cosine) = Turn.sineAndCosine(degrees: degree)
      let x = middle + Int((cosine * 16).rounded())
      let line = y + 3 + Int((sine * 3).rounded())
      canvas.centre(
        picker.values[index]?.title ?? "·", x: x, y: line,
        style: index == picker.liveIndex ? accent : faint)
    }
    canvas.centre("▲", x: middle, y: y + 7, style: accent)
  }

  /// The three numbers of `#rrggbb`, as a terminal wants them.
  private static func rgb(_ text: String) -> String? {
    guard text.hasPrefix("#"), text.utf8.count == 7, let value = Int(text.dropFirst(), radix: 16)
    else { return nil }
    return "\(value >> 16);\(value >> 8 & 255);\(value & 255)"
  }
}
