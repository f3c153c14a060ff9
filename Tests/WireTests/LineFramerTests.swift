// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Wire

@Suite struct LineFramerTests {
  private func pieces(_ text: [UInt8], cuts: [Int], longest: Int = 16) -> [LineFramer.Piece] {
    var framer = LineFramer(longestLine: longest)
    var pieces: [LineFramer.Piece] = []
    var start = 0
    for end in cuts + [text.count] {
      text[start..<end].withUnsafeBytes { framer.append($0) { pieces.append($0) } }
      start = end
    }
    return pieces
  }

  @Test func `lines come whole however they are cut`() {
    let seed = UInt64.random(in: .min ... .max)
    print("seed \(seed)")
    var random = Xorshift(state: seed | 1)
    for _ in 0..<2000 {
      let text = (0..<Int.random(in: 0...120, using: &random)).map { _ in
        Int.random(in: 0..<9, using: &random) == 0 ? UInt8(ascii: "\n") : UInt8(ascii: "x")
      }
      let cuts = (0..<Int.random(in: 0...8, using: &random)).map { _ in
        Int.random(in: 0...text.count, using: &random)
      }.sorted()
      let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      let expected = lines.dropLast().map {
        $0.count <= 16 ? LineFramer.Piece.line(Array($0)) : .tooLong
      }
      let found = pieces(text, cuts: cuts)
      // An unfinished line that is too long is told before its end.
      let tail = (lines.last?.count ?? 0) > 16 ? [LineFramer.Piece.tooLong] : []
      #expect(found == expected + tail, "seed \(seed)")
    }
  }

  @Test func `a line without end is told once and held never`() {
    var framer = LineFramer(longestLine: 16)
    var count = 0
    let block = [UInt8](repeating: UInt8(ascii: "x"), count: 1000)
    for _ in 0..<1000 {
      block.withUnsafeBytes { framer.append($0) { _ in count += 1 } }
    }
    #expect(count == 1)
    #expect(framer.unfinished.isEmpty)
  }
}
