// SPDX-License-Identifier: Apache-2.0

import Testing
import Wire

@testable import Pickers

@Suite struct ValueListTests {
  private func range(
    _ from: String, _ through: String, _ step: String, decimals: Int = 0
  ) throws -> ValueList {
    try ValueList(
      from: try #require(DecimalNumber(from)), through: try #require(DecimalNumber(through)),
      step: try #require(DecimalNumber(step)), decimals: decimals)
  }

  @Test func `steps of a tenth are exact`() throws {
    let values = try range("0", "4.0", "0.1", decimals: 1)
    #expect(values.count == 41)
    #expect(values[3].description == "0.3")
    #expect(values.title(at: 0) == "0.0")
    #expect(values.title(at: 40) == "4.0")
    #expect(values.index(of: .number(try #require(DecimalNumber(0.3)))) == 3)
  }

  @Test func `a range ends on the last value that does not pass its end`() throws {
    #expect(try range("0", "10", "3").count == 4)
    #expect(try range("10", "0", "-1").count == 11)
    #expect(try range("10", "0", "-3")[3].description == "1")
    #expect(try range("7", "7", "1").count == 1)
  }

  @Test func `ranges that cannot be are refused`() {
    #expect(throws: ValueList.RangeError.stepIsZero) { try range("0", "1", "0") }
    #expect(throws: ValueList.RangeError.stepLeadsAway) { try range("0", "1", "-1") }
    #expect(throws: ValueList.RangeError.tooMany) { try range("0", "3000000000", "1") }
    #expect(throws: ValueList.RangeError.tooWide) { try range("0", "1e18", "1e-18") }
  }

  @Test func `the longest range costs no array`() throws {
    let values = try range("0", "2147483646", "1")
    #expect(values.count == 2_147_483_647)
    #expect(values[2_147_483_646].description == "2147483646")
    #expect(values.index(of: .number(DecimalNumber(2_147_483_646))) == 2_147_483_646)
    #expect(values.index(of: .number(DecimalNumber(2_147_483_647))) == nil)
  }

  @Test func `ranges at the ends of 64 bits are refused, or hold what they say`() throws {
    let numbers: [Int64] = [.min, .min + 1, -1 << 62, -10, -1, 0, 1, 10, 1 << 62, .max]
    var held = 0
    for first in numbers {
      for through in numbers {
        for step in numbers {
          let list = try? ValueList(
            from: DecimalNumber(first), through: DecimalNumber(through), step: DecimalNumber(step),
            decimals: 0)
          guard let list else { continue }
          held += 1
          #expect(list.index(of: list[0]) == 0 && list[0] == .number(DecimalNumber(first)))
          #expect(list.index(of: list[list.count - 1]) == list.count - 1)
          for number in numbers {
            guard let index = list.index(of: .number(DecimalNumber(number))) else { continue }
            #expect(list[index] == .number(DecimalNumber(number)))
          }
        }
      }
    }
    #expect(held > 100)
  }

  @Test func `numbers and texts are told apart`() throws {
    let values = try range("60", "90", "1")
    #expect(values.index(of: .number(try #require(DecimalNumber("72.0")))) == 12)
    #expect(values.index(of: .text("72")) == nil)
  }

  @Test func `titles are formatted where they are not given`() {
    let values = ValueList(
      [.text("de"), .number(DecimalNumber(5))], titles: ["Deutsch", nil],
      format: TitleFormat("<{}>"))
    #expect(values.title(at: 0) == "Deutsch")
    #expect(values.title(at: 1) == "<5>")
  }

  @Test(arguments: [
    ("{net} {} kg", "{net} 5 kg"), ("{ {}", "{ 5"), ("{{}}", "{5}"), ("{} {}", "5 {}"),
    ("{}\u{301}", "5\u{301}"),
  ])
  func `a number takes the place of the first pair of braces`(text: String, title: String) {
    #expect(TitleFormat(text)?.text("5") == title)
  }

  @Test(arguments: ["", "{", "}", "{ }", "}{", "{net}"])
  func `without such a pair there is no format`(text: String) {
    #expect(TitleFormat(text) == nil)
  }
}
