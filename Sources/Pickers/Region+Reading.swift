// SPDX-License-Identifier: Apache-2.0

extension Region {
  /// The least width and height, in points.
  ///
  /// Wherever the region lies, its far edge is another double than its near one.
  private static let leastLength = 0.001

  /// Reads a table with `x`, `y`, `width` and `height` in points; nil where one of them cannot be used.
  package static func read(_ table: inout OptionReader) -> Region? {
    let x = table.number("x", default: nil, in: -1e9...1e9)
    let y = table.number("y", default: nil, in: -1e9...1e9)
    let width = table.number("width", default: nil, in: leastLength...1e9)
    let height = table.number("height", default: nil, in: leastLength...1e9)
    guard let x, let y, let width, let height else { return nil }
    return Region(x: x, y: y, width: width, height: height)
  }
}
