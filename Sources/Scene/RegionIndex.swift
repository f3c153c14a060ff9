// SPDX-License-Identifier: Apache-2.0

import Gestures
import Pickers

/// Finds the topmost picker under a point, however many there are: a grid of cells, each with its pickers.
struct RegionIndex: Sendable {
  private static let side = 24

  private struct Item {
    var slot: Int
    var region: Region
  }

  private var cells: [[Item]] = []
  private var origin = Point(x: 0, y: 0)
  private var cellWidth = 1.0
  private var cellHeight = 1.0

  /// An index of regions, the later lying on top of the earlier.
  init(_ regions: [(slot: Int, region: Region)] = []) {
    guard let first = regions.first?.region else { return }
    var left = first.x
    var top = first.y
    var right = first.x + first.width
    var bottom = first.y + first.height
    for (_, region) in regions {
      left = min(left, region.x)
      top = min(top, region.y)
      right = max(right, region.x + region.width)
      bottom = max(bottom, region.y + region.height)
    }
    origin = Point(x: left, y: top)
    cellWidth = (right - left) / Double(Self.side)
    cellHeight = (bottom - top) / Double(Self.side)
    cells = Array(repeating: [], count: Self.side * Self.side)
    for (slot, region) in regions.reversed() {
      let item = Item(slot: slot, region: region)
      for row in cell(region.y - top, cellHeight)...cell(region.y + region.height - top, cellHeight)
      {
        for column in cell(
          region.x - left, cellWidth)...cell(region.x + region.width - left, cellWidth)
        {
          cells[row * Self.side + column].append(item)
        }
      }
    }
  }

  /// The slot of the topmost region that holds the point.
  func topmost(at point: Point) -> Int? {
    guard !cells.isEmpty, point.x >= origin.x, point.y >= origin.y else { return nil }
    let row = cell(point.y - origin.y, cellHeight)
    let column = cell(point.x - origin.x, cellWidth)
    return cells[row * Self.side + column].first { $0.region.contains(point) }?.slot
  }

  private func cell(_ distance: Double, _ size: Double) -> Int {
    // Without an extent there is one row, or one column.
    guard size > 0 else { return 0 }
    return Int(min(max(distance / size, 0), Double(Self.side - 1)))
  }
}
