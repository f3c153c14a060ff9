// SPDX-License-Identifier: Apache-2.0

import CToml

/// The letters of a TOML text, found by line and column.
struct TOMLSource {
  private let letters: [Unicode.Scalar]
  /// The index of the first letter of each line.
  private var lines = [0]

  /// A text without a byte order mark.
  init(_ text: String) {
    letters = Array(text.unicodeScalars)
    for (index, letter) in letters.enumerated() where letter == "\n" { lines.append(index + 1) }
  }

  /// What stands from one place up to another, or nil where there are no such places.
  func text(from begin: ctoml_place, to end: ctoml_place) -> String? {
    guard let first = index(of: begin), let last = index(of: end), first <= last else { return nil }
    var text = String.UnicodeScalarView()
    text.append(contentsOf: letters[first..<last])
    return String(text)
  }

  private func index(of place: ctoml_place) -> Int? {
    guard place.line > 0, place.column > 0, place.line <= lines.count else { return nil }
    let index = lines[Int(place.line) - 1] + Int(place.column) - 1
    return index <= letters.count ? index : nil
  }
}
