// SPDX-License-Identifier: Apache-2.0

/// Makes inputs out of a seed: the same ones for the same seed, on any machine.
package struct InputGenerator: RandomNumberGenerator {
  private var state: UInt64
  private let seeds: [[UInt8]]
  private let words: [[UInt8]]

  /// Inputs for a target.
  ///
  /// - Parameter known: Inputs to begin with, besides the target's own.
  package init(seed: UInt64, target: any FuzzTarget.Type, known: [[UInt8]] = []) {
    state = seed
    seeds = target.seeds + known
    words = target.words.map { Array($0.utf8) }
  }

  /// The next random number, by SplitMix64 (Steele, Lea and Flood, 2014).
  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// The next input: one of the known ones, changed in a few places.
  package mutating func input() -> [UInt8] {
    var bytes = seeds.randomElement(using: &self) ?? []
    for _ in 0..<(1 << Int.random(in: 0...4, using: &self)) { change(&bytes) }
    return bytes
  }

  private mutating func change(_ bytes: inout [UInt8]) {
    let place = Int.random(in: 0...bytes.count, using: &self)
    let end = min(bytes.count, place + Int.random(in: 0...12, using: &self))
    switch Int.random(in: 0..<7, using: &self) {
    case 0 where place < bytes.count: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &self)
    case 1 where place < bytes.count: bytes[place] = .random(in: 0...255, using: &self)
    case 2: bytes.insert(.random(in: 0...255, using: &self), at: place)
    case 3: bytes.removeSubrange(place..<end)
    case 4: bytes.insert(contentsOf: bytes[place..<end], at: place)
    case 5:
      // The head of this with the tail of another.
      let other = seeds.randomElement(using: &self) ?? []
      let from = Int.random(in: 0...other.count, using: &self)
      bytes.replaceSubrange(place..., with: other[from...])
    default: bytes.insert(contentsOf: words.randomElement(using: &self) ?? [0], at: place)
    }
  }
}
