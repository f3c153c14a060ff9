// SPDX-License-Identifier: Apache-2.0

import Wire

/// The line reader: lines come out as a plain split would give them, in whatever parts they come.
package struct LineTarget: FuzzTarget {
  package static let name = "lines"
  package static let seeds = ["\u{3}\u{1}a\n\u{9}long line\nb", "\u{0}\u{0}\n\n", "\u{8}\u{ff}"]
    .map { Array($0.utf8) }
  package static let words = ["\n", "\r\n", "\0"]

  package init() {}

  package mutating func run(_ bytes: [UInt8]) throws(BrokenInvariant) {
    var source = ByteSource(bytes)
    let longest = source.byte() % 24
    var framer = LineFramer(longestLine: longest)
    var all: [UInt8] = []
    var pieces: [LineFramer.Piece] = []
    while !source.isEmpty {
      let part = Array(source.take(1 + source.byte() % 40))
      all += part
      part.withUnsafeBytes { framer.append($0) { pieces.append($0) } }
      try require(framer.byteCount <= longest, "\(framer.byteCount) bytes are held")
    }
    var lines = all.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let last = lines.removeLast()
    var expected = lines.map { line in
      line.count <= longest ? LineFramer.Piece.line(Array(line)) : .tooLong
    }
    if last.count > longest { expected.append(.tooLong) }
    try require(pieces == expected, "\(pieces) instead of \(expected)")
    let unfinished = last.count > longest ? [] : Array(last)
    try require(framer.unfinished == unfinished, "\(framer.unfinished) is left, not \(unfinished)")
  }
}
