// SPDX-License-Identifier: Apache-2.0

import Scene
import Testing
import Wire

@testable import DetentDaemon

/// What is kept of selections, in which bytes, and when it is written.
@Suite struct SelectionMemoryTests {
  private static func memory(_ selections: [String: Value?]) -> SelectionMemory {
    var memory = SelectionMemory()
    for (picker, value) in selections { memory.note(picker, value) { [] } }
    return memory
  }

  private static func damage(_ text: String) -> String? {
    do throws(SelectionMemory.Damage) {
      _ = try SelectionMemory(bytes: Array(text.utf8))
      return nil
    } catch {
      return error.reason
    }
  }

  @Test func `it is written for people, and read as it was written`() throws {
    let memory = Self.memory([
      "weight": .number(DecimalNumber(725, exponent: -1)), "language": .text("dé\"\n"),
      "accent": nil, "": .text(""), "count": .number(DecimalNumber(3)),
    ])
    let text = """
      {"detent_selections":1,"selections":{
      "":"",
      "accent":null,
      "count":3,
      "language":"dé\\"\\n",
      "weight":72.5
      }}

      """
    #expect(String(decoding: memory.bytes, as: UTF8.self) == text)
    #expect(try SelectionMemory(bytes: memory.bytes).selections == memory.selections)
    let nothing = SelectionMemory()
    #expect(try SelectionMemory(bytes: nothing.bytes).selections.isEmpty)
  }

  @Test(arguments: 0..<20)
  func `any selections come back`(seed: UInt64) throws {
    var state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1
    func random(_ count: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % count
    }
    var selections: [String: Value?] = [:]
    for index in 0..<random(50) {
      let letters = (0..<random(12)).map { _ in Character(Unicode.Scalar(UInt8(random(128)))) }
      let value: Value? =
        switch random(3) {
        case 0: nil
        case 1: .text(String(letters))
        default: .number(DecimalNumber(Int64(random(2_000_000) - 1_000_000), exponent: -random(6)))
        }
      selections[String(letters) + String(index)] = .some(value)
    }
    let bytes = Self.memory(selections).bytes
    #expect(try SelectionMemory(bytes: bytes).selections == selections, "seed \(seed)")
    // A part of the file is never taken for the whole.
    let cut = random(max(1, bytes.count - 3))
    #expect(throws: SelectionMemory.Damage.self, "seed \(seed), cut at \(cut)") {
      try SelectionMemory(bytes: bytes[..<cut])
    }
  }

  @Test func `what is no memory is told from one`() {
    #expect(Self.damage("") == "it is empty")
    #expect(Self.damage("\0\0\0\0") == "it is no JSON")
    #expect(Self.damage("{}")?.contains("another program") == true)
    #expect(Self.damage(#"{"detent_selections":2,"selections":{}}"#)?.contains("newer") == true)
    #expect(Self.damage(#"{"detent_selections":1}"#) != nil)
    #expect(Self.damage(#"{"detent_selections":1,"selections":{"a":[1]}}"#) != nil)
    #expect(Self.damage(#"{"detent_selections":1,"selections":{"a":true}}"#) != nil)
    #expect(Self.damage(#"{"detent_selections":1,"selections":{"a":1e999}}"#) != nil)
    #expect(Self.damage(#"{"detent_selections":1,"selections":{"a":1},"later":[]}"#) == nil)
  }

  @Test func `it is written at most once a second, and the last is never left out`() {
    var memory = SelectionMemory()
    #expect(memory.deadlineUs == nil)
    var nowUs: Int64 = 5_000_000
    var writes: [Int64] = []
    var written: [UInt8] = []
    // A value every 10 ms for 3.5 s; the disk takes 40 ms.
    for step in 0..<350 {
      nowUs += 10_000
      memory.note("a", .number(DecimalNumber(Int64(step)))) { [] }
      if let last = writes.last, nowUs == last + 40_000 { memory.ended(isKept: true, nowUs: nowUs) }
      if let deadlineUs = memory.deadlineUs, deadlineUs <= nowUs {
        writes.append(nowUs)
        written = memory.began(nowUs: nowUs)
        #expect(memory.deadlineUs == nil)
      }
    }
    #expect(
      writes.count == 4 && zip(writes, writes.dropFirst()).allSatisfy { $1 - $0 >= 1_000_000 })
    memory.ended(isKept: true, nowUs: nowUs)
    #expect(memory.deadlineUs != nil && written != memory.bytes)
    written = memory.began(nowUs: nowUs)
    memory.ended(isKept: true, nowUs: nowUs)
    #expect(memory.deadlineUs == nil && written == memory.bytes)
    // What is known already changes nothing.
    memory.note("a", .number(DecimalNumber(349))) { [] }
    #expect(memory.deadlineUs == nil)
  }

  @Test func `a disk that fails is tried again, not at once`() {
    var memory = Self.memory(["a": .text("x")])
    _ = memory.began(nowUs: 0)
    memory.ended(isKept: false, nowUs: 100)
    #expect(memory.deadlineUs == 100 + SelectionMemory.retryUs)
    memory.note("a", .text("y")) { [] }
    #expect(memory.deadlineUs == 100 + SelectionMemory.retryUs)
  }

  @Test func `pickers that come and go under ever new names do not fill it`() {
    var memory = SelectionMemory()
    for index in 0...SelectionMemory.mostSelections {
      memory.note("page \(index)", .text("x")) { ["page 1", "page \(index)"] }
    }
    #expect(Set(memory.selections.keys) == ["page 1", "page \(SelectionMemory.mostSelections)"])
  }
}
