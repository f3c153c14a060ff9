// SPDX-License-Identifier: Apache-2.0

import CLibevdev
import CLinux
import Wire

extension DeviceDescription {
  /// Reads a description of a real device from a JSON file.
  ///
  /// Its members: `name`; `id` with `bustype`, `vendor`, `product` and `version` as hexadecimal texts; `props`,
  /// `keys`, `rel`, `msc` and `sw` with the kernel's names or numbers; `abs` with `code`, `min`, `max`, `fuzz`, `flat`
  /// and `resolution`. Others are ignored.
  ///
  /// - Throws: `TestFailure` that says what the file lacks or what the kernel does not know.
  package init(json path: String) throws {
    guard let bytes = SystemFiles.bytes(of: path) else {
      throw TestFailure("\(path) cannot be read")
    }
    let reader = Reader(path: path, value: try JSONParser.value(of: bytes))
    self.init(name: try reader.text("name"))
    let id = try reader.member("id")
    bus = try id.hexadecimal("bustype")
    vendor = try id.hexadecimal("vendor")
    product = try id.hexadecimal("product")
    version = try id.hexadecimal("version")
    properties = try reader.codes("props") { libevdev_property_from_name($0) }
    for (member, type) in [
      ("keys", EV_KEY), ("rel", EV_REL), ("msc", EV_MSC), ("sw", EV_SW),
    ] {
      let found = try reader.codes(member) {
        libevdev_event_code_from_name(UInt32(type), $0)
      }
      if !found.isEmpty { codes[UInt16(type)] = found }
    }
    for axis in try reader.elements("abs") {
      let (minimum, maximum) = (try axis.number("min"), try axis.number("max"))
      var range = Axis(minimum...max(minimum, maximum))
      range.maximum = maximum
      range.fuzz = try axis.number("fuzz")
      range.flat = try axis.number("flat")
      range.resolution = try axis.number("resolution")
      axes[try axis.hexadecimal("code")] = range
    }
  }
}

/// A JSON value with the file that it is from, for messages.
private struct Reader {
  let path: String
  let value: JSONValue

  func member(_ name: String) throws -> Reader {
    guard let member = value[name] else { throw TestFailure("\(path) has no \(name)") }
    return Reader(path: path, value: member)
  }

  func text(_ name: String) throws -> String {
    guard case .string(let text) = try member(name).value else {
      throw TestFailure("\(path): \(name) is no text")
    }
    return text
  }

  func number(_ name: String) throws -> Int32 {
    guard case .integer(let number) = try member(name).value,
      let number = Int32(exactly: number)
    else { throw TestFailure("\(path): \(name) is no number of 32 bits") }
    return number
  }

  /// A number such as "0x0596".
  func hexadecimal(_ name: String) throws -> UInt16 {
    let text = try text(name)
    guard text.hasPrefix("0x"), let number = UInt16(text.dropFirst(2), radix: 16) else {
      throw TestFailure("\(path): \(name) is no hexadecimal number: \(text)")
    }
    return number
  }

  func elements(_ name: String) throws -> [Reader] {
    guard case .array(let elements) = try member(name).value else {
      throw TestFailure("\(path): \(name) is no list")
    }
    return elements.map { Reader(path: path, value: $0) }
  }

  /// The codes that a list names.
  func codes(_ name: String, code: (String) -> CInt) throws -> Set<UInt16> {
    var codes: Set<UInt16> = []
    for element in try elements(name) {
      // Codes that had no name when the description was made stand there as numbers.
      if case .integer(let plain) = element.value, let number = UInt16(exactly: plain) {
        codes.insert(number)
        continue
      }
      // Keyboards' codes are counted there, not listed: "(+33 keyboard codes)".
      if case .string(let text) = element.value, text.hasPrefix("(+") { continue }
      guard case .string(let text) = element.value, let number = UInt16(exactly: code(text)) else {
        throw TestFailure("\(path): \(name) has what the kernel does not know: \(element.value)")
      }
      codes.insert(number)
    }
    return codes
  }
}
