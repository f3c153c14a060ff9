// SPDX-License-Identifier: Apache-2.0

/// Takes decisions from bytes, so that a change of a byte changes one decision; zeros at the end.
struct ByteSource {
  private var rest: ArraySlice<UInt8>

  /// Decisions from these bytes.
  init(_ bytes: [UInt8]) { rest = bytes[...] }

  /// Whether none are left.
  var isEmpty: Bool { rest.isEmpty }

  /// The next byte.
  mutating func byte() -> Int { Int(rest.popFirst() ?? 0) }

  /// A number of two bytes, 0…65535.
  mutating func pair() -> Int { byte() << 8 | byte() }

  /// One of some.
  mutating func one<Element>(of choices: [Element]) -> Element { choices[byte() % choices.count] }

  /// Up to `count` bytes as they are.
  mutating func take(_ count: Int) -> ArraySlice<UInt8> {
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }
}
