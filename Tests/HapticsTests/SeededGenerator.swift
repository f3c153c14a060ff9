// SPDX-License-Identifier: Apache-2.0

/// SplitMix64: random numbers that come again with the same seed.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  /// A generator with a new seed, printed so that a failure can be repeated.
  static func printed(_ test: String = #function) -> SeededGenerator {
    let seed = UInt64.random(in: 0...UInt64.max)
    print("\(test): seed \(seed)")
    return SeededGenerator(seed: seed)
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
