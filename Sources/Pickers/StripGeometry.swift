// SPDX-License-Identifier: Apache-2.0

/// Where the values of a strip lie: value i stands at the centre when the offset is (origin − i) · pitch.
package struct StripGeometry: Hashable, Sendable {
  /// What happens beyond the ends.
  package enum Ends: Hashable, Sendable {
    /// The offset goes on, the index does not.
    case stop
    /// The shown offset gives way; `length` is the region's, in points.
    case giveWay(length: Double)
    /// There is no end: after the last value comes the first.
    case wrap
  }

  /// How stiff the give is: the derivative of shown over true excess at the end.
  ///
  /// A scroll view's 0.55.
  private static let stiffness = 0.55
  /// The largest share of the region's length that a shown excess is taken as, since it never reaches all of it.
  private static let largestExcess = 0.99
  /// Beyond this, indices of wheels are not told apart by doubles any more.
  private static let largestIndex = 1e15

  /// The index at offset 0, which may lie between two.
  package let origin: Double
  /// The distance of two values, in points or degrees, above 0.
  package let pitch: Double
  /// How many values there are.
  package let count: Int
  /// What happens beyond the ends.
  package let ends: Ends

  /// A strip.
  package init(origin: Double, pitch: Double, count: Int, ends: Ends) {
    self.origin = origin
    self.pitch = pitch
    self.count = count
    self.ends = ends
  }

  /// The offset that puts `index` at the centre.
  package func offset(of index: Int) -> Double { -(Double(index) - origin) * pitch }

  /// The offset at which the live index changes between `index` and its neighbour towards `target`.
  package func boundary(from index: Int, towards target: Int) -> Double {
    -(Double(index) + (target > index ? 0.5 : -0.5) - origin) * pitch
  }

  /// The index nearest the centre, rounded half away from zero; unwrapped where there are no ends.
  package func index(atOffset offset: Double) -> Int {
    let nearest = (origin - offset / pitch).rounded()
    guard !nearest.isNaN else { return 0 }
    if ends == .wrap {
      return Int(min(max(nearest, -Self.largestIndex), Self.largestIndex))
    }
    return Int(min(max(nearest, 0), Double(count - 1)))
  }

  /// The index 0..<count that an unwrapped one stands for.
  package func wrapped(_ index: Int) -> Int {
    let remainder = index % count
    return remainder < 0 ? remainder + count : remainder
  }

  /// The nearest index that can be a target.
  package func clamped(_ index: Int) -> Int {
    ends == .wrap ? index : min(max(index, 0), count - 1)
  }

  /// The unwrapped index that stands for `index` and is nearest to `near`; where it is exactly
  /// opposite, the lower, so that a wheel turns by +180 degrees.
  package func unwrapped(_ index: Int, near: Int) -> Int {
    guard ends == .wrap else { return index }
    let ahead = wrapped(index - near)
    return ahead * 2 < count ? near + ahead : near + ahead - count
  }

  /// What an offset is shown as.
  package func shown(_ offset: Double) -> Double {
    guard case .giveWay(let length) = ends else { return offset }
    let (inside, excess) = split(offset)
    guard excess != 0 else { return offset }
    let stiff = Self.stiffness * abs(excess)
    let given = stiff * length / (length + stiff)
    return inside + (excess < 0 ? -given : given)
  }

  /// The offset that is shown as `shown`.
  package func unbanded(_ shown: Double) -> Double {
    guard case .giveWay(let length) = ends else { return shown }
    let (inside, excess) = split(shown)
    guard excess != 0 else { return shown }
    let given = min(abs(excess), Self.largestExcess * length)
    let stretched = given * length / (Self.stiffness * (length - given))
    return inside + (excess < 0 ? -stretched : stretched)
  }

  private func split(_ offset: Double) -> (inside: Double, excess: Double) {
    let inside = min(max(offset, self.offset(of: count - 1)), self.offset(of: 0))
    return (inside, offset - inside)
  }
}
