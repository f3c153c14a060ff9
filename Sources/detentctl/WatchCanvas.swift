// SPDX-License-Identifier: Apache-2.0

/// A terminal screen in memory: letters with a style each, printed line by line.
struct WatchCanvas {
  private struct Cell {
    var letter: Character = " "
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
  /// - Parameter style: The numbers of an SGR sequence, such as `1;32`.
  mutating func put(_ text: String, x: Int, y: Int, style: String = "") {
    guard y >= 0, y < height else { return }
    for (index, letter) in text.enumerated() where x + index >= 0 && x + index < width {
      cells[y * width + x + index] = Cell(letter: letter, style: style)
    }
  }

  /// Puts a text with its middle at a column.
  mutating func centre(_ text: String, x: Int, y: Int, style: String = "") {
    put(text, x: x - text.count / 2, y: y, style: style)
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
        line.append(cell.letter)
      }
      if isStyled, !style.isEmpty { line += "\u{1B}[0m" }
      if !isStyled { while line.last == " " { line.removeLast() } }
      lines.append(line)
    }
    return lines.joined(separator: isStyled ? "\r\n" : "\n")
  }
}
