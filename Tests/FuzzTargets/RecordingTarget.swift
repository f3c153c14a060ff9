// SPDX-License-Identifier: Apache-2.0

import DetentDaemon
import Gestures
import LinuxIO

/// A recording: refused with the number of its line, or the same again when it is written and read.
package struct RecordingTarget: FuzzTarget {
  package static let name = "recording"
  package static let seeds = [
    """
    {"recording":1,"devices":[{"id":"a","kind":"touchscreen","name":"Panel","width_mm":520,"height_mm":290}]}
    {"time_us":1000,"device":"a","event":"down","slot":0,"x":0.5,"y":0.5}
    {"time_us":9000,"device":"a","event":"move","slot":0,"x":0.25,"y":-0.5}
    {"time_us":9001,"device":"a","event":"up","slot":0}
    {"time_us":9002,"device":"a","event":"removed"}
    {"time_us":9003,"device":"a","event":"added"}

    """,
    """
    {"recording":1,"devices":[{"id":"p","kind":"touchpad","name":"Pad"},{"id":"k","kind":"knob","name":"K"}]}
    {"time_us":1,"device":"p","event":"scroll","dx":1.5,"dy":-2e1}
    {"time_us":2,"device":"p","event":"scroll_end"}
    {"time_us":3,"device":"p","event":"swipe_begin","fingers":3}
    {"time_us":3,"device":"p","event":"swipe","fingers":3,"dx":1,"dy":0}
    {"time_us":4,"device":"p","event":"swipe_end","fingers":3,"cancelled":false}
    {"time_us":5,"device":"p","event":"pinch_begin","fingers":2}
    {"time_us":6,"device":"p","event":"pinch","fingers":2,"dx":0,"dy":0,"scale":1.1,"angle":3}
    {"time_us":7,"device":"p","event":"pinch_end","fingers":2,"cancelled":true}
    {"time_us":8,"device":"p","event":"hold_begin","fingers":1}
    {"time_us":9,"device":"p","event":"hold_end","fingers":1,"cancelled":false}
    {"time_us":9,"device":"p","event":"tap"}
    {"time_us":9,"device":"k","event":"turn","steps":-3}
    {"time_us":9,"device":"k","event":"press"}
    """,
  ].map { Array($0.utf8) }
  package static let words = [
    "\n", "\"time_us\":", "\"device\":\"a\"", "\"event\":", "\"slot\":", "cancel",
    "9007199254740992",
    "1e-320", "\\u0000", "null", "\"added\"", "\"removed\"", "\"devices\":[", "\"recording\":1",
  ]

  private let first: ByteFile
  private let second: ByteFile

  package init() throws(BrokenInvariant) {
    first = try ByteFile()
    second = try ByteFile()
  }

  package mutating func run(_ bytes: [UInt8]) throws(BrokenInvariant) {
    try first.hold(bytes)
    let devices: [InputDevice]
    let items: [RecordingReader.Item]
    do throws(RecordingError) {
      (devices, items) = try Self.read(first.path)
    } catch {
      let lines = bytes.count { $0 == UInt8(ascii: "\n") } + 1
      try require((0...lines).contains(error.line), "\(error) beyond \(lines) lines")
      try require(!error.reason.isEmpty, "refused without a reason")
      return
    }
    try second.hold(try Self.written(devices, items))
    let again: ([InputDevice], [RecordingReader.Item])
    do throws(RecordingError) {
      again = try Self.read(second.path)
    } catch {
      throw BrokenInvariant("what was written is refused: \(error)")
    }
    try require(again.0 == devices, "\(again.0) instead of \(devices)")
    try require(again.1 == items, "\(again.1) instead of \(items)")
  }

  private static func read(
    _ path: String
  ) throws(RecordingError) -> (devices: [InputDevice], items: [RecordingReader.Item]) {
    let reader = try RecordingReader(path: path)
    var items: [RecordingReader.Item] = []
    while let item = try reader.next() { items.append(item) }
    return (reader.devices, items)
  }

  private static func written(
    _ devices: [InputDevice], _ items: [RecordingReader.Item]
  ) throws(BrokenInvariant) -> [UInt8] {
    let output = Output()
    do throws(RecordingWriter.Failure) {
      var writer = try RecordingWriter(devices: devices) { (bytes) throws(Errno) in
        output.bytes += bytes
      }
      for item in items {
        switch item {
        case .event(let event): _ = try writer.write(event)
        case .added(let device, let timeUs):
          _ = try writer.writeAdded(device.number, timeUs: timeUs)
        case .removed(let number, let timeUs): _ = try writer.writeRemoved(number, timeUs: timeUs)
        }
      }
      try writer.flush()
    } catch {
      throw BrokenInvariant("what was read is not written: \(error)")
    }
    return output.bytes
  }

  private final class Output {
    var bytes: [UInt8] = []
  }
}
