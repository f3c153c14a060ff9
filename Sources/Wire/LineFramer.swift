// SPDX-License-Identifier: Apache-2.0

/// Cuts a stream of bytes into lines, and holds no more of a line than it may be long.
///
/// Bytes go in with `append`, lines come out with `next`, so that whoever handles lines can stop after some and go
/// on later. Every byte is looked at once, however small the parts are in which it comes.
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
  private var buffer: [UInt8] = []
  // Where the line begins that comes next.
  private var start = 0
  // Up to where the buffer holds no newline of that line.
  private var searched = 0
  private var isSkipping = false

  /// A framer.
  public init(longestLine: Int = 65_536) {
    self.longestLine = longestLine
  }

  /// What stands behind the last newline so far, once `next` has returned nil.
  public var unfinished: [UInt8] { Array(buffer[start...]) }

  /// How many bytes are held.
  public var byteCount: Int { buffer.count - start }

  /// Takes bytes as they come.
  public mutating func append(_ bytes: UnsafeRawBufferPointer) {
    if start > 0 {
      buffer.removeFirst(start)
      searched -= start
      start = 0
    }
    // Of a line that is too long already only its end matters.
    if isSkipping, buffer.isEmpty {
      guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else { return }
      isSkipping = false
      buffer += UnsafeRawBufferPointer(rebasing: bytes[(end + 1)...])
    } else {
      buffer += bytes
    }
  }

  /// The next line, or that one was too long; nil until more bytes come.
  public mutating func next() -> Piece? {
    while true {
      guard let end = newline() else { return rest() }
      let line = buffer[start..<end]
      start = end + 1
      searched = start
      if isSkipping {
        isSkipping = false
        continue
      }
      return line.count <= longestLine ? .line(Array(line)) : .tooLong
    }
  }

  /// Takes bytes as they come, and calls `body` for each line that they end, or that they make too long.
  public mutating func append(_ bytes: UnsafeRawBufferPointer, _ body: (Piece) -> Void) {
    append(bytes)
    while let piece = next() { body(piece) }
  }

  private mutating func newline() -> Int? {
    let end = buffer.withUnsafeBufferPointer { buffer in
      buffer[searched...].firstIndex(of: UInt8(ascii: "\n"))
    }
    searched = end ?? buffer.count
    return end
  }

  /// What to do with a line that has no end yet.
  private mutating func rest() -> Piece? {
    guard isSkipping || buffer.count - start > longestLine else {
      if start == buffer.count { clear() }
      return nil
    }
    defer { isSkipping = true }
    clear()
    return isSkipping ? nil : .tooLong
  }

  private mutating func clear() {
    // Most lines are short; the memory of a long one is not kept for the life of a connection.
    buffer.removeAll(keepingCapacity: buffer.capacity <= 4096)
    start = 0
    searched = 0
  }
}
