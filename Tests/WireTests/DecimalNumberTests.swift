// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Wire

@Suite struct DecimalNumberTests {
  @Test(arguments: [
    ("0", "0"), ("-0.0", "0"), ("72.0", "72"), ("0.30", "0.3"), ("-12.5", "-12.5"),
    ("1.5e3", "1500"), ("1e-3", "0.001"), ("+4", "4"), ("1_000", "1000"), (".5", "0.5"),
    ("100", "100"), ("-0.05", "-0.05"),
  ])
  func `texts are read and written`(text: String, written: String) throws {
    #expect(try #require(DecimalNumber(text)).description == written)
  }

  @Test(arguments: [
    "", "-", "1.2.3", "abc", "1e", "nan", "inf", "1e999", "12345678901234567890",
    "1e-9223372036854775808",
  ])
  func `what is no number is refused`(text: String) {
    #expect(DecimalNumber(text) == nil)
  }

  @Test func `binary numbers become the decimals that they are written as`() {
    #expect(DecimalNumber(0.1)?.description == "0.1")
    #expect(DecimalNumber(1e21)?.doubleValue == 1e21)
    #expect(DecimalNumber(Double.nan) == nil)
    #expect(DecimalNumber(Double.infinity) == nil)
  }

  @Test func `equal numbers are one value`() {
    #expect(DecimalNumber(7200, exponent: -2) == DecimalNumber(72))
    #expect(DecimalNumber(0, exponent: 5) == DecimalNumber(0))
  }

  @Test func `decimals are added where wanted`() {
    #expect(DecimalNumber(5, exponent: -1).description(decimals: 2) == "0.50")
    #expect(DecimalNumber(3).description(decimals: 1) == "3.0")
    #expect(DecimalNumber(-25, exponent: -2).description(decimals: 1) == "-0.25")
  }
}
