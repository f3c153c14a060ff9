// SPDX-License-Identifier: Apache-2.0

/// Where pickers are drawn on a screen: as large as they fit.
struct WatchLayout {
  /// How much room a picker is given.
  enum Size {
    /// All there is to see, with air between the pickers.
    case roomy
    /// All there is to see.
    case tight
    /// A line for the values.
    case small
    /// Nothing but the selection.
    case line
  }

  /// Where a picker is drawn.
  struct Place {
    let columns: Range<Int>
    var y: Int
    let size: Size
    /// How many more lines than it needs it may take.
    var spare = 0
  }

  /// A screen this wide has pickers side by side, where they do not fit below each other.
  private static let twoColumns = 100

  /// The places of the pickers that fit, from the first one on.
  private(set) var places: [Place] = []
  /// What is said of the others; nil where there are none.
  private(set) var rest: String?

  /// The places of pickers on a screen.
  init(_ pickers: [WatchedPicker], width: Int, height: Int) {
    let most = width >= Self.twoColumns ? 2 : 1
    for sizes in [[Size.roomy, .tight], [.small], [.line]] {
      for (count, size) in (1...most).flatMap({ count in sizes.map { (count, $0) } }) {
        places = Self.places(of: pickers, width: width, height: height, size: size, count: count)
        guard places.count == pickers.count else { continue }
        if size == .roomy, count == 1 { share(pickers, height: height) }
        return
      }
    }
    places = Self.places(
      of: pickers, width: width, height: height - 1, size: .line, count: most)
    rest = "and \(pickers.count - places.count) more"
  }

  /// Gives wheels the lines that are left: all others have all that they can use.
  private mutating func share(_ pickers: [WatchedPicker], height: Int) {
    let wheels = pickers.indices.filter { pickers[$0].type == "radial" }
    guard let last = places.indices.last, !wheels.isEmpty else { return }
    let used = places[last].y + WatchRenderer.height(of: pickers[last], size: .roomy)
    let spare = min(8, (height - used) / wheels.count)
    for wheel in wheels {
      places[wheel].spare = spare
      for index in places.indices where index > wheel { places[index].y += spare }
    }
  }

  private static func places(
    of pickers: [WatchedPicker], width: Int, height: Int, size: Size, count: Int
  ) -> [Place] {
    var places: [Place] = []
    var (column, y) = (0, 0)
    for picker in pickers {
      let lines = WatchRenderer.height(of: picker, size: size)
      if y + lines > height {
        column += 1
        y = 0
      }
      guard column < count, y + lines <= height else { break }
      places.append(
        Place(
          columns: width * column / count..<width * (column + 1) / count, y: y, size: size))
      // The last one needs no air below it.
      y += lines + (size == .roomy ? 1 : 0)
    }
    return places
  }
}
