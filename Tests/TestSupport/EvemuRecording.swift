// SPDX-License-Identifier: Apache-2.0

import CLinux
import CTestSupport
import Glibc

/// A device and its events as the evemu tools write them down.
///
/// Lines: `N:` name, `I:` bus, vendor, product and version, `P:` property bits, `B:` bits of one event type,
/// `A:` range of an axis, `E:` seconds, type, code and value. Numbers are hexadecimal, but for ranges, times
/// and values.
package struct EvemuRecording: Sendable {
  /// One event of the recording.
  package struct Event: Hashable, Sendable {
    /// Microseconds since the recording's first event.
    package var timeUs: Int64
    package var type: UInt16
    package var code: UInt16
    package var value: Int32

    /// An event.
    package init(timeUs: Int64, type: UInt16, code: UInt16, value: Int32) {
      self.timeUs = timeUs
      self.type = type
      self.code = code
      self.value = value
    }
  }

  /// The device.
  package private(set) var device = DeviceDescription(name: "")
  /// Its events in order, SYN_REPORT included.
  package private(set) var events: [Event] = []

  private var firstUs: Int64?
  /// How many bytes of bits each event type had so far: `B:` lines go on where the last one ended.
  private var bitBytes: [UInt16: Int] = [:]
  private var propertyBytes = 0

  /// Reads a recording; where it only has events, their device is in a `.desc` file beside it, the one whose
  /// name goes furthest along the recording's.
  package init(path: String) throws {
    guard let bytes = SystemFiles.bytes(of: path) else {
      throw TestFailure("\(path) cannot be read")
    }
    try read(bytes, file: path)
    if device.name.isEmpty, let description = Self.description(for: path) {
      try read(SystemFiles.bytes(of: description) ?? [], file: description)
    }
    if device.name.isEmpty { throw TestFailure("\(path) has no device") }
  }

  private static func description(for path: String) -> String? {
    let folder = path[..<(path.lastIndex(of: "/") ?? path.startIndex)]
    return SystemFiles.names(in: String(folder))
      .filter { $0.hasSuffix(".desc") }
      .map { "\(folder)/\($0)" }
      .filter { path.hasPrefix($0.dropLast(5)) }
      .max { $0.count < $1.count }
  }

  /// Reads a recording from its text.
  package init(text: String) throws {
    try read(Array(text.utf8), file: "text")
  }

  /// Most lines are events, which C reads: characters would take most of a test's time on an emulated machine.
  private mutating func read(_ bytes: [UInt8], file: String) throws {
    try bytes.withUnsafeBytes { all in
      var rest = all[...]
      var number = 0
      while let base = UnsafeRawBufferPointer(rebasing: rest).baseAddress {
        number += 1
        let end = memchr(base, 10, rest.count).map { UnsafeRawPointer($0) - base } ?? rest.count
        let line = UnsafeRawBufferPointer(start: base, count: end)
        rest = rest.dropFirst(end + 1)
        guard try take(line) else {
          throw TestFailure(
            "\(file), line \(number) is not evemu's: \(String(decoding: line, as: UTF8.self))")
        }
        if rest.isEmpty { break }
      }
    }
  }

  /// Takes one line; false where it is malformed.
  private mutating func take(_ line: UnsafeRawBufferPointer) throws -> Bool {
    guard line.count > 2, line[1] == UInt8(ascii: ":") else { return true }
    if line[0] == UInt8(ascii: "E") {
      var event = detent_evemu_event()
      guard detent_evemu_event(line.bindMemory(to: CChar.self).baseAddress, line.count, &event) == 0
      else { return false }
      let startUs = firstUs ?? event.time_us
      firstUs = startUs
      events.append(
        Event(
          timeUs: event.time_us - startUs, type: event.type, code: event.code, value: event.value))
      return true
    }
    let text = Substring(String(decoding: line, as: UTF8.self))
    let words = text.prefix { $0 != "#" }.dropFirst(2).split { " \t\r".contains($0) }
    return add(line[0], words, name: text.dropFirst(2))
  }

  /// Takes one line; false where it is malformed.
  private mutating func add(
    _ kind: UInt8?, _ words: [Substring], name: Substring
  ) -> Bool {
    switch kind {
    case UInt8(ascii: "N"):
      device.name = String(name.drop(while: \.isWhitespace))
    case UInt8(ascii: "I"):
      let numbers = words.compactMap { UInt16($0, radix: 16) }
      guard numbers.count == 4 else { return false }
      device.bus = numbers[0]
      device.vendor = numbers[1]
      device.product = numbers[2]
      device.version = numbers[3]
    case UInt8(ascii: "P"):
      let bytes = words.compactMap { UInt8($0, radix: 16) }
      guard bytes.count == words.count else { return false }
      device.properties.formUnion(Self.codes(in: bytes, after: propertyBytes))
      propertyBytes += bytes.count
    case UInt8(ascii: "B"):
      let bytes = words.dropFirst().compactMap { UInt8($0, radix: 16) }
      guard let type = words.first.flatMap({ UInt16($0, radix: 16) }),
        bytes.count == words.count - 1
      else { return false }
      addBits(bytes, type: type)
    case UInt8(ascii: "A"):
      let numbers = words.dropFirst().compactMap { Int32($0) }
      guard let code = words.first.flatMap({ UInt16($0, radix: 16) }),
        numbers.count == words.count - 1, numbers.count >= 4, numbers[0] <= numbers[1]
      else { return false }
      device.axes[code] = DeviceDescription.Axis(
        numbers[0]...numbers[1], fuzz: numbers[2], flat: numbers[3],
        resolution: numbers.count > 4 ? numbers[4] : 0)
    default: break
    }
    return true
  }

  private mutating func addBits(_ bytes: [UInt8], type: UInt16) {
    let codes = Self.codes(in: bytes, after: bitBytes[type, default: 0])
    bitBytes[type, default: 0] += bytes.count
    // Type 0 tells the types themselves; EV_ABS has its `A:` lines; EV_REP is the kernel's own matter, and
    // force feedback needs a driver.
    let ignored = [EV_SYN, EV_ABS, EV_REP, EV_FF].map { UInt16($0) }
    guard !codes.isEmpty, !ignored.contains(type) else { return }
    device.codes[type, default: []].formUnion(codes)
  }

  private static func codes(in bytes: [UInt8], after offset: Int) -> [UInt16] {
    bytes.enumerated().flatMap { index, byte in
      (0..<8).filter { byte & (1 << $0) != 0 }.map { UInt16(8 * (offset + index) + $0) }
    }
  }
}
