// SPDX-License-Identifier: Apache-2.0

/// Cuts a stream of bytes into lines, and holds no more of it than one line may be long.
public struct LineFramer: Sendable {
  /// What was cut off.
  public enum Piece: Hashable, Sendable {
    /// A line without its newline.
    case line([UInt8])
    /// A line that is too long; the rest of it is skipped.
    case tooLong
  }

  /// The most bytes that a line may have, its newline not counted.
  public let longestLine: Int
  private var rest: [UInt8] = []
  private var isSkipping = false

  /// A framer.
  public init(longestLine: Int = 65_536) {
    self.longestLine = longestLine
  }

  /// What stands behind the last newline so far.
  public var unfinished: [UInt8] { rest }

  /// Takes bytes as they come, and calls `body` for each line that they end, or that they make too long.
  public mutating func append(_ bytes: UnsafeRawBufferPointer, _ body: (Piece) -> Void) {
    var start = 0
    while start < bytes.count {
      let tail = UnsafeRawBufferPointer(rebasing: bytes[start...])
      guard let end = tail.firstIndex(of: UInt8(ascii: "\n")) else {
        hold(tail, body)
        return
      }
      finish(UnsafeRawBufferPointer(rebasing: tail[..<end]), body)
      start += end + 1
    }
  }

  private mutating func hold(_ part: UnsafeRawBufferPointer, _ body: (Piece) -> Void) {
    if isSkipping { return }
    guard rest.count + part.count <= longestLine else {
      rest.removeAll()
      isSkipping = true
      body(.tooLong)
      return
    }
    rest += part
  }

  private mutating func finish(_ part: UnsafeRawBufferPointer, _ body: (Piece) -> Void) {
    if isSkipping {
      isSkipping = false
      return
    }
    guard rest.count + part.count <= longestLine else {
      rest.removeAll()
      body(.tooLong)
      return
    }
    if rest.isEmpty {
      body(.line(Array(part)))
    } else {
      rest += part
      let line = rest
      rest.removeAll(keepingCapacity: true)
      body(.line(line))
    }
  }
}
