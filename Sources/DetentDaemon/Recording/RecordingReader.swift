// SPDX-License-Identifier: Apache-2.0

package import Gestures
import Glibc
import LinuxIO
import Wire
import WireJSON

/// Reads a recording line by line, holding no more than one piece of the file at a time.
package final class RecordingReader {
  /// What a line says.
  package enum Item: Sendable {
    /// A device said something.
    case event(InputEvent)
    /// A device was plugged in.
    case added(InputDevice, timeUs: Int64)
    /// A device was unplugged.
    case removed(Int, timeUs: Int64)

    /// When it happened, as the recording says.
    package var timeUs: Int64 {
      switch self {
      case .event(let event): event.timeUs
      case .added(_, let timeUs), .removed(_, let timeUs): timeUs
      }
    }
  }

  /// The devices that the first line lists.
  package private(set) var devices: [InputDevice] = []

  private let path: String
  private let file: OwnedDescriptor
  private let json = JSONText()
  private var framer = LineFramer()
  private var pieces: [LineFramer.Piece] = []
  private var nextPiece = 0
  private var line = 0
  private var isAtEnd = false

  /// Opens a recording and reads its first line.
  ///
  /// - Throws: What is wrong with the file or the line.
  package init(path: String) throws(RecordingError) {
    self.path = path
    do throws(Errno) {
      file = try OwnedDescriptor(opening: path, flags: O_RDONLY | O_CLOEXEC | O_NOCTTY)
    } catch {
      throw RecordingError(file: path, line: 0, reason: "cannot be opened: \(error)")
    }
    guard let text = try nextLine() else {
      throw problem("the file is empty; expected {\"recording\":1,\"devices\":[…]}")
    }
    let header = try decode(RecordingHeader.self, text)
    guard header.version == 1 else {
      throw problem("\"recording\" is \(header.version); expected 1")
    }
    for (number, device) in header.devices.enumerated() {
      guard let kind = InputDevice.Kind(rawValue: device.kind) else {
        throw problem(
          "unknown kind \"\(device.kind)\"; expected touchscreen, touchpad or knob")
      }
      guard !devices.contains(where: { $0.id == device.id }) else {
        throw problem("the device \"\(device.id)\" is listed twice")
      }
      for size in [device.width, device.height] {
        if let size, !(size > 0) { throw problem("a size of \(size) mm; expected more than 0") }
      }
      devices.append(
        InputDevice(
          number: number, id: device.id, kind: kind, name: device.name,
          widthMM: device.width, heightMM: device.height))
    }
  }

  /// The next line, or nil at the end.
  package func next() throws(RecordingError) -> Item? {
    guard let text = try nextLine() else { return nil }
    let line = try decode(RecordingLine.self, text)
    guard let device = devices.first(where: { $0.id == line.device }) else {
      throw problem("no device \"\(line.device)\" is listed in the first line")
    }
    switch line.content {
    case .input(let kind):
      return .event(InputEvent(timeUs: line.timeUs, device: device.number, kind: kind))
    case .added: return .added(device, timeUs: line.timeUs)
    case .removed: return .removed(device.number, timeUs: line.timeUs)
    }
  }

  private func decode<Value: Decodable>(
    _ type: Value.Type, _ text: [UInt8]
  ) throws(RecordingError) -> Value {
    do throws(JSONTextError) {
      return try json.decode(type, from: text)
    } catch {
      switch error {
      case .invalidUTF8: throw problem("is not UTF-8")
      case .tooDeep: throw problem("nests too deep")
      case .syntax: throw problem("is not JSON")
      case .mismatch(let reason): throw problem(reason)
      }
    }
  }

  private func problem(_ reason: String) -> RecordingError {
    RecordingError(file: path, line: line, reason: reason)
  }

  // MARK: Lines

  private func nextLine() throws(RecordingError) -> [UInt8]? {
    while nextPiece >= pieces.count {
      guard !isAtEnd else { return nil }
      try fill()
    }
    let piece = pieces[nextPiece]
    nextPiece += 1
    line += 1
    switch piece {
    case .line(let text): return text
    case .tooLong: throw problem("is longer than \(framer.longestLine) bytes")
    }
  }

  private func fill() throws(RecordingError) {
    pieces.removeAll(keepingCapacity: true)
    nextPiece = 0
    let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 1)
    defer { chunk.deallocate() }
    do throws(Errno) {
      let count = try file.read(into: chunk)
      if count == 0 {
        isAtEnd = true
        // A last line may lack its newline.
        if !framer.unfinished.isEmpty { pieces.append(.line(framer.unfinished)) }
        return
      }
      framer.append(UnsafeRawBufferPointer(rebasing: chunk[..<count])) { pieces.append($0) }
    } catch {
      throw problem("cannot be read: \(error)")
    }
  }
}

/// What is wrong with a recording.
package struct RecordingError: Error, Hashable, CustomStringConvertible {
  /// The file.
  package var file: String
  /// The line, from 1; 0 where it is the file itself.
  package var line: Int
  /// What is wrong.
  package var reason: String

  /// The file, the line and what is wrong with it.
  package var description: String {
    line > 0 ? "\(file):\(line): \(reason)" : "\(file): \(reason)"
  }
}
