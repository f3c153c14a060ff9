// SPDX-License-Identifier: Apache-2.0

package import Gestures
import Glibc
import LinuxIO
import Wire

/// Reads a recording line by line, holding no more than one piece of the file at a time.
package final class RecordingReader {
  /// What a line says.
  package enum Item: Hashable, Sendable {
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
  private let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 1)
  private var framer = LineFramer()
  private var numbers: [String: Int] = [:]
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
      throw RecordingError(
        file: path, line: 0, reason: "is empty; expected {\"recording\":1,\"devices\":[…]}")
    }
    let value = try json(text)
    do throws(RecordingProblem) {
      devices = try RecordingHeader(value).devices
    } catch {
      throw problem(error.reason)
    }
    for device in devices { numbers[device.id] = device.number }
  }

  deinit { chunk.deallocate() }

  /// The next line, or nil at the end.
  package func next() throws(RecordingError) -> Item? {
    guard let text = try nextLine() else { return nil }
    let value = try json(text)
    let line: RecordingLine
    do throws(RecordingProblem) {
      line = try RecordingLine(value)
    } catch {
      throw problem(error.reason)
    }
    guard let number = numbers[line.device] else {
      throw problem("no device \"\(line.device.escapingControls)\" is listed in the first line")
    }
    switch line.content {
    case .input(let kind):
      return .event(InputEvent(timeUs: line.timeUs, device: number, kind: kind))
    case .added: return .added(devices[number], timeUs: line.timeUs)
    case .removed: return .removed(number, timeUs: line.timeUs)
    }
  }

  private func json(_ text: [UInt8]) throws(RecordingError) -> JSONValue {
    do throws(JSONParser.Failure) {
      return try JSONParser.value(of: text)
    } catch {
      switch error {
      case .invalidUTF8: throw problem("is not UTF-8")
      case .tooDeep: throw problem("nests too deep")
      case .duplicateName(let name, _):
        throw problem("has two members \"\(name.escapingControls)\"")
      case .numberTooLarge(let offset): throw problem("has a number too large at byte \(offset)")
      case .syntax(let offset):
        throw problem(text.isEmpty ? "is empty" : "is not JSON from byte \(offset + 1) on")
      }
    }
  }

  private func problem(_ reason: String) -> RecordingError {
    RecordingError(file: path, line: line, reason: reason)
  }

  // MARK: Lines

  private func nextLine() throws(RecordingError) -> [UInt8]? {
    while true {
      switch framer.next() {
      case .line(let text)?:
        line += 1
        return text
      case .tooLong?:
        line += 1
        throw problem("is longer than \(framer.longestLine) bytes")
      case nil:
        guard !isAtEnd else { return nil }
        try fill()
      }
    }
  }

  private func fill() throws(RecordingError) {
    let count: Int
    do throws(Errno) {
      count = try file.read(into: chunk)
    } catch {
      throw RecordingError(file: path, line: 0, reason: "cannot be read: \(error)")
    }
    if count > 0 {
      framer.append(UnsafeRawBufferPointer(rebasing: chunk[..<count]))
    } else {
      isAtEnd = true
      // A last line may lack its newline.
      if framer.byteCount > 0 { [UInt8(ascii: "\n")].withUnsafeBytes { framer.append($0) } }
    }
  }
}
