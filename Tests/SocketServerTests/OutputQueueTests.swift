// SPDX-License-Identifier: Apache-2.0

import Testing
import Wire

@testable import SocketServer

@Suite struct OutputQueueTests {
  private func line(_ text: String, bytes: Int = 0) -> SharedLine {
    var line = Array(text.utf8)
    if line.count < bytes { line += [UInt8](repeating: 0x2E, count: bytes - line.count) }
    var writer = JSONWriter()
    writer.raw(line + [0x0A])
    return SharedLine(writer, madeUs: 0)
  }

  /// What a reader gets that takes `bytes` at a time.
  private func drain(_ queue: inout OutputQueue, bytes: Int = .max, limit: Int = .max) -> [String] {
    var stream: [UInt8] = []
    while !queue.isEmpty, stream.count < limit {
      var part: [UInt8] = []
      queue.pieces(3) { line, from in part += line.bytes[from...] }
      part = Array(part.prefix(bytes))
      #expect(!part.isEmpty)
      queue.advance(by: part.count) { _ in }
      stream += part
    }
    return String(decoding: stream, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  @Test func `lines come out as they went in`() {
    var queue = OutputQueue(limit: 1000)
    queue.appendReply(line("a"))
    queue.appendNotification(line("b"), motionOf: nil)
    queue.appendNotification(line("c"), motionOf: "p")
    #expect(queue.byteCount == 6)
    #expect(drain(&queue, bytes: 1) == ["a", "b", "c"])
    #expect(queue.byteCount == 0 && queue.isEmpty && !queue.needsResync)
  }

  @Test func `motion gives way only past half of the limit`() {
    var queue = OutputQueue(limit: 100)
    for number in 0..<3 { queue.appendNotification(line("m\(number)"), motionOf: "p") }
    queue.appendNotification(line("big", bytes: 60), motionOf: nil)
    queue.appendNotification(line("n0"), motionOf: "q")
    for number in 3..<9 { queue.appendNotification(line("m\(number)"), motionOf: "p") }
    let lines = drain(&queue).map { $0.replacing(".", with: "") }
    // m2 was the newest motion of p when m3 took its place; m0 and m1 came in better times.
    #expect(lines == ["m0", "m1", "big", "n0", "m8"])
  }

  @Test func `a motion on its way is finished`() {
    var queue = OutputQueue(limit: 100)
    queue.appendNotification(line("m0", bytes: 60), motionOf: "p")
    queue.advance(by: 10) { _ in }
    queue.appendNotification(line("m1"), motionOf: "p")
    #expect(drain(&queue).count == 2)
  }

  @Test func `past the limit notifications are forgotten, replies are not`() {
    var queue = OutputQueue(limit: 100)
    queue.appendNotification(line("a", bytes: 30), motionOf: nil)
    queue.advance(by: 5) { _ in }
    queue.appendReply(line("r"))
    queue.appendNotification(line("b", bytes: 30), motionOf: nil)
    queue.appendNotification(line("c", bytes: 60), motionOf: nil)
    #expect(queue.missed == 2)
    queue.appendNotification(line("d"), motionOf: nil)
    queue.appendReply(line("s"))
    #expect(queue.missed == 3)
    #expect(!queue.needsResync)
    // The rest of the line that was on its way comes first.
    let lines = drain(&queue)
    #expect(lines == [String(repeating: ".", count: 25), "r", "s"])
    #expect(queue.needsResync)
    queue.appendResync(line("resync"))
    queue.appendNotification(line("e"), motionOf: nil)
    #expect(drain(&queue) == ["resync", "e"])
    #expect(!queue.needsResync)
  }

  @Test func `a resync that is forgotten in its turn leaves its count`() {
    var queue = OutputQueue(limit: 100)
    queue.miss(5)
    queue.appendResync(line("resync", bytes: 80))
    queue.appendNotification(line("a", bytes: 50), motionOf: nil)
    #expect(queue.missed == 6)
    #expect(queue.isEmpty && queue.needsResync)
  }

  @Test func `whoever is given up gets the end of the line that it began`() {
    var queue = OutputQueue(limit: 100)
    queue.appendReply(line("abc"))
    queue.appendReply(line("def"))
    queue.advance(by: 1) { _ in }
    queue.abandon()
    #expect(queue.missed == 0)
    queue.appendReply(line("bye"))
    #expect(drain(&queue) == ["bc", "bye"])
  }

  @Test func `endless motion of a reader that hardly reads stays small`() {
    var queue = OutputQueue(limit: 1000)
    queue.appendNotification(line("big", bytes: 600), motionOf: nil)
    queue.advance(by: 1) { _ in }
    for number in 0..<100_000 {
      queue.appendNotification(line("m\(number)"), motionOf: "p\(number % 3)")
    }
    #expect(queue.byteCount < 1000)
    #expect(queue.entryCount < 200)
    #expect(drain(&queue).suffix(3) == ["m99997", "m99998", "m99999"])
  }

  /// Random use against what must hold whatever happens.
  @Test func `the queue is bounded and loses no reply`() {
    let seed = UInt64.random(in: .min ... .max)
    print("seed \(seed)")
    var random = SeededNumbers(state: seed | 1)
    for _ in 0..<300 {
      let limit = Int.random(in: 50...400, using: &random)
      var queue = OutputQueue(limit: limit)
      var stream: [UInt8] = []
      var replies: [String] = []
      var number = 0
      var replyBytes = 0
      for _ in 0..<200 {
        number += 1
        switch Int.random(in: 0..<10, using: &random) {
        case 0:
          replies.append("r\(number)")
          queue.appendReply(line("r\(number)"))
          replyBytes += "r\(number)\n".utf8.count
        case 1...3:
          queue.appendNotification(
            line("n\(number)", bytes: .random(in: 1...60, using: &random)), motionOf: nil)
        case 4...6:
          queue.appendNotification(
            line("m\(number)"), motionOf: "p\(Int.random(in: 0..<3, using: &random))")
        default:
          var part: [UInt8] = []
          queue.pieces(4) { line, from in part += line.bytes[from...] }
          part = Array(part.prefix(.random(in: 0...60, using: &random)))
          queue.advance(by: part.count) { _ in }
          stream += part
          if queue.needsResync {
            queue.appendResync(line("s\(number)"))
          }
        }
        #expect(queue.byteCount <= limit + replyBytes, "seed \(seed)")
      }
      while !queue.isEmpty {
        queue.pieces(1) { line, from in stream += line.bytes[from...] }
        queue.advance(by: queue.firstPieceCount) { _ in }
      }
      let lines = String(decoding: stream, as: UTF8.self).split(separator: "\n").map(String.init)
      // Whole lines, replies complete and in order, everything in the order in which it was added.
      #expect(lines.filter { $0.hasPrefix("r") } == replies, "seed \(seed)")
      let numbers = lines.compactMap { Int($0.dropFirst().prefix { $0 != "." }) }
      #expect(numbers.count == lines.count && numbers == numbers.sorted(), "seed \(seed)")
    }
  }
}

extension OutputQueue {
  fileprivate var firstPieceCount: Int {
    var count = 0
    pieces(1) { line, from in count = line.bytes.count - from }
    return count
  }
}

/// Random numbers that a seed brings back.
struct SeededNumbers: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state
  }
}
