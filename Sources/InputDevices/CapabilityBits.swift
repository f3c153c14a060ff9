// SPDX-License-Identifier: Apache-2.0

/// A bitmap of event codes as sysfs prints it, such as `capabilities/abs`.
struct CapabilityBits: Hashable {
  private var words: [UInt64]

  /// Reads hexadecimal words, the highest first.
  ///
  /// - Parameter wordBits: the size of the kernel's `long` as this process sees it.
  init(sysfs text: String, wordBits: Int = UInt.bitWidth) {
    let parts = text.split { $0 == " " || $0 == "\n" }.reversed()
    var words = [UInt64](repeating: 0, count: (parts.count * wordBits + 63) / 64)
    for (index, part) in parts.enumerated() {
      guard let word = UInt64(part, radix: 16) else { continue }
      let bit = index * wordBits
      words[bit / 64] |= word << UInt64(bit % 64)
    }
    self.words = words
  }

  /// Whether a code's bit is set.
  func contains(_ code: Int) -> Bool {
    guard code >= 0, code / 64 < words.count else { return false }
    return words[code / 64] & (1 << UInt64(code % 64)) != 0
  }

  /// Whether any code below a limit is set.
  func containsAny(below limit: Int) -> Bool {
    (0..<limit).contains { contains($0) }
  }
}
