// SPDX-License-Identifier: Apache-2.0

/// A bitmap of evdev event codes, as sysfs writes it or EVIOCGBIT fills it.
package struct CodeBits: Hashable, Sendable {
  private var words: [UInt64]

  /// A bitmap without a bit.
  package init() { words = [] }

  /// A bitmap of these codes.
  package init(_ codes: some Sequence<Int>) {
    words = []
    for code in codes { insert(code) }
  }

  /// The bitmap that a file of `/sys/class/input/event*/device/capabilities` holds.
  ///
  /// Those are machine words in hexadecimal, the most significant first. What is no such text is a
  /// bitmap without a bit.
  ///
  /// - Parameter wordBits: the bits of the kernel's `long`, which sysfs does not tell.
  package init(sysfs text: String, wordBits: Int = UInt.bitWidth) {
    words = []
    let parts = text.split { $0 == " " || $0 == "\n" }
    for (index, part) in parts.reversed().enumerated() {
      guard let word = UInt64(part, radix: 16) else {
        words = []
        return
      }
      for bit in 0..<min(wordBits, 64) where word >> UInt64(bit) & 1 == 1 {
        insert(index * wordBits + bit)
      }
    }
  }

  /// What an ioctl filled: the least significant byte first.
  package init(bytes: [UInt8]) {
    words = []
    for (index, byte) in bytes.enumerated() {
      for bit in 0..<8 where byte >> UInt8(bit) & 1 == 1 { insert(index * 8 + bit) }
    }
  }

  /// Whether this code's bit is set.
  package func contains(_ code: Int) -> Bool {
    code >= 0 && code / 64 < words.count && words[code / 64] >> UInt64(code % 64) & 1 == 1
  }

  /// Whether no bit is set.
  package var isEmpty: Bool { words.allSatisfy { $0 == 0 } }

  /// Whether the bits that are set are these and no other.
  package func isExactly(_ codes: some Collection<Int>) -> Bool {
    self == CodeBits(codes)
  }

  /// Whether a bit of this range of codes is set.
  package func intersects(_ codes: Range<Int>) -> Bool { codes.contains { contains($0) } }

  private mutating func insert(_ code: Int) {
    while words.count <= code / 64 { words.append(0) }
    words[code / 64] |= 1 << UInt64(code % 64)
  }
}
