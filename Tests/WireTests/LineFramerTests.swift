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

  @Test func `lines can be taken one by one, between other bytes`() {
    let seed = UInt64.random(in: .min ... .max)
    print("seed \(seed)")
    var random = Xorshift(state: seed | 1)
    for _ in 0..<2000 {
      let text = (0..<Int.random(in: 0...200, using: &random)).map { _ in
        Int.random(in: 0..<9, using: &random) == 0 ? UInt8(ascii: "\n") : UInt8(ascii: "x")
      }
      var framer = LineFramer(longestLine: 16)
      var found: [LineFramer.Piece] = []
      var start = 0
      while start < text.count {
        let end = Int.random(in: start...text.count, using: &random)
        text[start..<end].withUnsafeBytes { framer.append($0) }
        start = end
        // As many as somebody has time for.
        for _ in 0..<Int.random(in: 0...3, using: &random) {
          if let piece = framer.next() { found.append(piece) }
        }
      }
      while let piece = framer.next() { found.append(piece) }
      #expect(found == pieces(text, cuts: []), "seed \(seed)")
      #expect(framer.byteCount <= 16)
    }
  }

  @Test func `a line in the smallest parts costs no more than its length`() {
    var framer = LineFramer()
    let byte: [UInt8] = [UInt8(ascii: "x")]
    let time = ContinuousClock().measure {
      for _ in 0..<65_536 {
        byte.withUnsafeBytes { framer.append($0) }
        #expect(framer.next() == nil)
      }
    }
    print("65536 appends in \(time)")
    #expect(framer.unfinished.count == 65_536)
    // Looking at every byte again each time would take minutes.
    #expect(time < .seconds(5))
  }
}
