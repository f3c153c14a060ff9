// SPDX-License-Identifier: Apache-2.0

import Gestures
import LinuxIO
import Testing

@testable import DetentDaemon

/// What is written reads back as it was, to the last bit.
@Suite struct RecordingWriterTests {
  private static let devices = [
    InputDevice(
      number: 0, id: "event3", kind: .touchscreen, name: "Goodix \"Capacitive\"", widthMM: 154.5,
      heightMM: 86),
    InputDevice(number: 1, id: "event4", kind: .touchpad, name: "größer\u{1}"),
    InputDevice(number: 2, id: "event5", kind: .knob, name: ""),
  ]

  /// Where a writer's bytes go.
  private final class Sink {
    var bytes: [UInt8] = []
    var pieces = 0
    var error: Errno?

    func take(_ more: [UInt8]) throws(Errno) {
      if let error { throw error }
      bytes += more
      pieces += 1
    }
  }

  private static func read(_ bytes: [UInt8]) throws -> (
    devices: [InputDevice], items: [RecordingReader.Item]
  ) {
    try Fixtures.withFile(bytes) { path in
      let reader = try RecordingReader(path: path)
      var items: [RecordingReader.Item] = []
      while let item = try reader.next() { items.append(item) }
      return (reader.devices, items)
    }
  }

  private static func random(_ random: inout SeededRandom) -> InputEvent.Kind {
    let number = Double.random(in: -1000...1000, using: &random)
    let other = Double.random(in: 0...1, using: &random) * 1e-9
    let fingers = Int.random(in: 1...5, using: &random)
    let slot = Int.random(in: 0...1023, using: &random)
    let flag = Bool.random(using: &random)
    let kinds: [InputEvent.Kind] = [
      .down(slot: slot, x: number, y: other), .move(slot: slot, x: other, y: -0.0), .up(slot: slot),
      .cancel(slot: slot), .scroll(dx: number, dy: other), .scrollEnd,
      .swipeBegin(fingers: fingers),
      .swipe(fingers: fingers, dx: other, dy: number),
      .swipeEnd(fingers: fingers, cancelled: flag), .pinchBegin(fingers: fingers),
      .pinch(fingers: fingers, dx: number, dy: other, scale: abs(number), angle: other),
      .pinchEnd(fingers: fingers, cancelled: flag), .holdBegin(fingers: fingers),
      .holdEnd(fingers: fingers, cancelled: flag), .tap, .turn(steps: -slot), .press,
    ]
    return kinds[Int.random(in: 0..<kinds.count, using: &random)]
  }

  @Test func `what is written reads back as it was`() throws {
    let seed = UInt64.random(in: .min ... .max)
    print("seed \(seed)")
    var random = SeededRandom(state: seed | 1)
    let sink = Sink()
    var writer = try RecordingWriter(devices: Self.devices, to: sink.take)
    var written: [RecordingReader.Item] = []
    for _ in 0..<5000 {
      let timeUs = Int64.random(in: 0...1 << 53, using: &random)
      let device = Int.random(in: 0...2, using: &random)
      switch Int.random(in: 0..<20, using: &random) {
      case 0:
        #expect(try writer.writeAdded(device, timeUs: timeUs))
        written.append(.added(Self.devices[device], timeUs: timeUs))
      case 1:
        #expect(try writer.writeRemoved(device, timeUs: timeUs))
        written.append(.removed(device, timeUs: timeUs))
      default:
        let event = InputEvent(timeUs: timeUs, device: device, kind: Self.random(&random))
        #expect(try writer.write(event))
        written.append(.event(event))
      }
    }
    try writer.flush()
    #expect(sink.bytes.count == writer.byteCount)
    #expect(sink.pieces > 1 && sink.pieces < 20)
    let (devices, items) = try Self.read(sink.bytes)
    #expect(devices == Self.devices, "seed \(seed)")
    #expect(items == written, "seed \(seed)")
  }

  @Test func `a device that the first line does not list is not written`() throws {
    let sink = Sink()
    var writer = try RecordingWriter(devices: Self.devices, to: sink.take)
    #expect(try !writer.write(InputEvent(timeUs: 1, device: 3, kind: .tap)))
    #expect(try !writer.writeAdded(3, timeUs: 1))
    #expect(try !writer.writeRemoved(3, timeUs: 1))
    #expect(try writer.write(InputEvent(timeUs: 1, device: 1, kind: .tap)))
    try writer.flush()
    #expect(try Self.read(sink.bytes).items.count == 1)
  }

  @Test func `a recording that is full is whole`() throws {
    let sink = Sink()
    var writer = try RecordingWriter(devices: Self.devices, mostBytes: 1000, to: sink.take)
    var count = 0
    do throws(RecordingWriter.Failure) {
      while try writer.write(InputEvent(timeUs: 1, device: 0, kind: .up(slot: 0))) { count += 1 }
    } catch {
      #expect(error == .full)
    }
    #expect(sink.bytes.count <= 1000)
    #expect(sink.bytes.count > 900)
    #expect(try Self.read(sink.bytes).items.count == count)
  }

  @Test func `an output that fails says so`() throws {
    let sink = Sink()
    var writer = try RecordingWriter(devices: Self.devices, to: sink.take)
    sink.error = .noSpace
    #expect(throws: RecordingWriter.Failure.output(.noSpace)) { try writer.flush() }
  }
}
