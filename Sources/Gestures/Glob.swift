// SPDX-License-Identifier: Apache-2.0

/// A shell pattern: `*` for any text, `?` for any letter, `[a-z]` for one of some letters, `[!a-z]` for another.
package struct Glob: Hashable, Sendable {
  private enum Part: Hashable {
    case any
    case one
    case letter(Character)
    case set([ClosedRange<Character>], isNegated: Bool)
  }

  /// The pattern as it was written.
  package let pattern: String
  private let parts: [Part]

  /// The pattern, or nil where a bracket is not closed.
  package init?(_ pattern: String) {
    self.pattern = pattern
    var parts: [Part] = []
    var rest = Substring(pattern)
    while let letter = rest.popFirst() {
      switch letter {
      case "*": parts.append(.any)
      case "?": parts.append(.one)
      case "[":
        guard let set = Self.set(&rest) else { return nil }
        parts.append(set)
      default: parts.append(.letter(letter))
      }
    }
    self.parts = parts
  }

  private static func set(_ rest: inout Substring) -> Part? {
    var ranges: [ClosedRange<Character>] = []
    let isNegated = rest.first == "!" || rest.first == "^"
    if isNegated { rest.removeFirst() }
    while let low = rest.popFirst() {
      if low == "]", !ranges.isEmpty { return .set(ranges, isNegated: isNegated) }
      guard rest.first == "-", let high = rest.dropFirst().first, high != "]" else {
        ranges.append(low...low)
        continue
      }
      rest.removeFirst(2)
      guard low <= high else { return nil }
      ranges.append(low...high)
    }
    return nil
  }

  /// Whether the whole of `text` fits the pattern.
  package func matches(_ text: String) -> Bool {
    let letters = Array(text)
    var part = 0
    var place = 0
    // The last star, and how much of the text it stands for so far.
    var star: (part: Int, place: Int)?
    while place < letters.count {
      if part < parts.count, parts[part] == .any {
        star = (part, place)
        part += 1
      } else if part < parts.count, Self.fits(letters[place], parts[part]) {
        part += 1
        place += 1
      } else if let last = star {
        star = (last.part, last.place + 1)
        part = last.part + 1
        place = last.place + 1
      } else {
        return false
      }
    }
    return parts[part...].allSatisfy { $0 == .any }
  }

  private static func fits(_ letter: Character, _ part: Part) -> Bool {
    switch part {
    case .any, .one: true
    case .letter(let wanted): letter == wanted
    case .set(let ranges, let isNegated): ranges.contains { $0.contains(letter) } != isNegated
    }
  }
}

/// Which devices are meant: by name, by udev's ID_PATH, or both.
package struct DeviceMatch: Hashable, Sendable {
  /// The pattern of the kernel's name, or nil for any.
  package var name: Glob?
  /// The pattern of udev's ID_PATH, or nil for any.
  package var path: Glob?

  /// A match; without patterns it means every device.
  package init(name: Glob? = nil, path: Glob? = nil) {
    self.name = name
    self.path = path
  }

  /// Whether the device is meant.
  package func matches(name: String, path: String) -> Bool {
    (self.name?.matches(name) ?? true) && (self.path?.matches(path) ?? true)
  }
}
