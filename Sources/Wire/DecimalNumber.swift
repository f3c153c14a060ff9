// SPDX-License-Identifier: Apache-2.0

/// An exact decimal number: `significand` × 10^`exponent`.
///
/// Steps of 0.1 add up without the error that binary fractions carry, so a value three steps from 0 is 0.3 and
/// never 0.30000000000000004. Two numbers that are equal have the same fields: 72 and 72.0 are one value.
public struct DecimalNumber: Hashable, Sendable {
  /// The digits, signed, without trailing zeros (0 for zero).
  public let significand: Int64
  /// The power of ten, −400…400 (0 for zero).
  public let exponent: Int

  /// The value `significand` × 10^`exponent`.
  public init(_ significand: Int64, exponent: Int = 0) {
    var digits = significand
    var power = exponent
    while digits != 0, digits % 10 == 0 {
      digits /= 10
      power += 1
    }
    self.significand = digits
    self.exponent = digits == 0 ? 0 : power
  }

  /// The decimal that `text` writes, as in `-12`, `0.25` or `1.5e3`.
  ///
  /// Returns nil for anything else, for more than 18 significant digits, and for powers of ten beyond ±400.
  public init?(_ text: some StringProtocol) {
    var bytes = text.utf8.makeIterator()
    var next = bytes.next()
    var negative = false
    if next == UInt8(ascii: "-") || next == UInt8(ascii: "+") {
      negative = next == UInt8(ascii: "-")
      next = bytes.next()
    }
    var digits: Int64 = 0
    var power = 0
    var seenDigit = false
    var seenPoint = false
    while let byte = next, byte != UInt8(ascii: "e"), byte != UInt8(ascii: "E") {
      next = bytes.next()
      if byte == UInt8(ascii: "_") { continue }
      if byte == UInt8(ascii: ".") {
        guard !seenPoint else { return nil }
        seenPoint = true
        continue
      }
      guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
      seenDigit = true
      guard digits < 100_000_000_000_000_000 else { return nil }
      digits = digits * 10 + Int64(byte - UInt8(ascii: "0"))
      if seenPoint { power -= 1 }
    }
    guard seenDigit else { return nil }
    if next != nil {
      var exponentText = ""
      while let byte = bytes.next() { exponentText.unicodeScalars.append(Unicode.Scalar(byte)) }
      guard let exponent = Int(exponentText), (-400...400).contains(exponent) else { return nil }
      power += exponent
    }
    guard (-400...400).contains(power) else { return nil }
    self.init(negative ? -digits : digits, exponent: power)
  }

  /// The decimal whose shortest text is that of `value`.
  ///
  /// Returns nil for infinities, NaN and numbers that do not fit.
  public init?(_ value: Double) {
    guard value.isFinite else { return nil }
    self.init(value.description)
  }

  /// How many decimals the number has when written out.
  public var decimals: Int { max(0, -exponent) }

  /// The nearest binary floating-point number.
  public var doubleValue: Double { Double("\(significand)e\(exponent)") ?? 0 }

  /// The significand that the number has at `exponent`, which must not be above its own.
  ///
  /// Returns nil where it does not fit 64 bits.
  public func significand(at exponent: Int) -> Int64? {
    guard exponent <= self.exponent || significand == 0 else { return nil }
    var digits = significand
    for _ in 0..<max(0, significand == 0 ? 0 : self.exponent - exponent) {
      let (product, overflow) = digits.multipliedReportingOverflow(by: 10)
      guard !overflow else { return nil }
      digits = product
    }
    return digits
  }

  /// The number with at least `decimals` decimals, as in `0.50`.
  public func description(decimals: Int) -> String {
    var text = String(significand.magnitude)
    if exponent > 0 { text += String(repeating: "0", count: exponent) }
    let own = self.decimals
    if own > 0 || decimals > 0 {
      if text.utf8.count <= own {
        text = String(repeating: "0", count: own - text.utf8.count + 1) + text
      }
      let point = text.index(text.endIndex, offsetBy: -own)
      let padding = String(repeating: "0", count: max(0, decimals - own))
      text = "\(text[..<point]).\(text[point...])\(padding)"
    }
    return significand < 0 ? "-" + text : text
  }
}

extension DecimalNumber: CustomStringConvertible {
  /// The number written out, without exponent and trailing zeros.
  public var description: String { description(decimals: 0) }
}
