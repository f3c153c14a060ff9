// SPDX-License-Identifier: Apache-2.0

/// A terminal screen in memory: letters with a style each, printed line by line.
struct WatchCanvas {
  private struct Cell {
    // Empty behind a letter that is two cells wide.
    var letter = " "
    var style = ""
  }

  let width: Int
  let height: Int
  private var cells: [Cell]

  init(width: Int, height: Int) {
    self.width = max(1, width)
    self.height = max(1, height)
    cells = Array(repeating: Cell(), count: self.width * self.height)
  }

  /// Puts a text at a place; what lies outside is cut off.
  ///
  /// - Parameters:
  ///   - x: The column; a text may begin left of the canvas.
  ///   - y: The line.
  ///   - style: The numbers of an SGR sequence, such as `1;32`.
  ///   - columns: The columns that it may fill, and no others.
  mutating func put(
    _ text: String, x: Int, y: Int, style: String = "", within columns: Range<Int>? = nil
  ) {
    guard y >= 0, y < height else { return }
    let columns = (columns ?? 0..<width).clamped(to: 0..<width)
    var x = x
    for letter in text {
      let size = TextWidth.columns(of: letter)
      if size > 0, x >= columns.lowerBound, x + size <= columns.upperBound {
        cells[y * width + x] = Cell(letter: String(letter), style: style)
        if size == 2 { cells[y * width + x + 1] = Cell(letter: "", style: style) }
      }
      x += size
    }
  }

  /// Puts a text with its middle at a column.
  mutating func centre(
    _ text: String, x: Int, y: Int, style: String = "", within columns: Range<Int>? = nil
  ) {
    put(text, x: x - TextWidth.columns(of: text) / 2, y: y, style: style, within: columns)
  }

  /// The screen as text, with styles or without.
  func text(isStyled: Bool) -> String {
    var lines: [String] = []
    for row in 0..<height {
      var line = ""
      var style = ""
      for cell in cells[row * width..<(row + 1) * width] {
        if isStyled, cell.style != style {
          line += "\u{1B}[0m" + (cell.style.isEmpty ? "" : "\u{1B}[\(cell.style)m")
          style = cell.style
        }
        line += cell.letter
      }
      if isStyled, !style.isEmpty { line += "\u{1B}[0m" }
      if !isStyled { while line.last == " " { line.removeLast() } }
      lines.append(line)
    }
    return lines.joined(separator: isStyled ? "\r\n" : "\n")
  }
}
