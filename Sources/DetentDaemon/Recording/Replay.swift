// SPDX-License-Identifier: Apache-2.0

import Gestures
import Scene
package import Wire

/// Runs the scene on a recording's time, and says what the daemon would have told a client that asked for
/// everything but motion.
///
/// `run` goes to the end at once; who wants to watch calls `advance` as time goes on.
package struct Replay {
  /// The recorded time of the first event, in microseconds.
  package let startUs: Int64
  /// Whether all events are over and all that glides has come to rest.
  package private(set) var isOver = false

  /// A finger on a touchscreen.
  private struct Contact: Hashable {
    let device: Int
    let slot: Int
  }

  private let reader: RecordingReader
  private var encoder = EventEncoder()
  private var scene: Scene
  private var present: Set<Int> = []
  private var item: RecordingReader.Item?
  private var lastUs: Int64
  private var hasEnded = false
  private var touches: [Contact: Point] = [:]

  /// A replay of a recording.
  ///
  /// - Parameters:
  ///   - wantsMotion: Whether `motion` is said too.
  /// - Throws: What is wrong with the recording's first lines.
  package init(
    configuration: Configuration, recording: String, wantsMotion: Bool = false
  ) throws(RecordingError) {
    reader = try RecordingReader(path: recording)
    item = try reader.next()
    startUs = item?.timeUs ?? 0
    lastUs = startUs
    scene = Scene(settings: configuration.scene, timeUs: startUs)
    scene.open(configuration.pickers, timeUs: startUs)
    scene.wantsMotion = wantsMotion
    for device in reader.devices {
      scene.deviceAdded(device)
      present.insert(device.number)
    }
  }

  /// Runs to the end, when all that glides has come to rest.
  ///
  /// - Parameter write: Takes the lines, in order.
  package mutating func run(_ write: ([UInt8]) -> Void) throws(RecordingError) {
    while item != nil { try step(write) }
    end(write)
    while scene.isGliding, let deadlineUs = scene.deadlineUs {
      scene.advance(toUs: deadlineUs)
      flush(write)
    }
    isOver = true
  }

  /// Runs up to a recorded time.
  ///
  /// - Parameters:
  ///   - timeUs: The recorded time, in microseconds; not less than the last.
  ///   - write: Takes the lines, in order.
  package mutating func advance(
    toUs timeUs: Int64, _ write: ([UInt8]) -> Void
  ) throws(RecordingError) {
    guard !isOver else { return }
    while let next = item, next.timeUs <= timeUs { try step(write) }
    if item == nil { end(write) }
    scene.advance(toUs: timeUs)
    flush(write)
    isOver = item == nil && !scene.isGliding
  }

  private mutating func step(_ write: ([UInt8]) -> Void) throws(RecordingError) {
    guard let current = item else { return }
    lastUs = max(lastUs, current.timeUs)
    switch current {
    case .event(let event):
      if present.contains(event.device) { handle(event) }
    case .added(let device, _):
      if present.insert(device.number).inserted { scene.deviceAdded(device) }
    case .removed(let number, let timeUs):
      present.remove(number)
      touches = touches.filter { $0.key.device != number }
      scene.deviceRemoved(number, timeUs: timeUs)
    }
    flush(write)
    item = try reader.next()
  }

  private mutating func handle(_ event: InputEvent) {
    switch event.kind {
    case .down(let slot, let x, let y), .move(let slot, let x, let y):
      touches[Contact(device: event.device, slot: slot)] = Point(x: x, y: y)
    case .up(let slot), .cancel(let slot):
      touches[Contact(device: event.device, slot: slot)] = nil
    default: break
    }
    scene.handle(event)
  }

  /// Contacts that are still down when the recording ends are void.
  private mutating func end(_ write: ([UInt8]) -> Void) {
    guard !hasEnded else { return }
    hasEnded = true
    touches.removeAll()
    scene.cancelAll(timeUs: lastUs)
    flush(write)
  }

  private mutating func flush(_ write: ([UInt8]) -> Void) {
    for event in scene.events {
      encoder.write(event)
      write(encoder.line.bytes)
    }
    scene.events.removeAll(keepingCapacity: true)
  }

  // MARK: How it stands

  /// Where fingers are on touchscreens now, 0…1 across and down the panel.
  package var fingers: [(x: Double, y: Double)] {
    touches.sorted { ($0.key.device, $0.key.slot) < ($1.key.device, $1.key.slot) }
      .map { ($0.value.x, $0.value.y) }
  }

  /// The names of the pickers, in the configuration's order.
  package var pickers: [String] { scene.ids }

  /// The picker that touchpads and knobs act on; nil for none.
  package var focus: String? { scene.focus }

  /// The state of a picker as `get` answers it, at a recorded time in microseconds; nil where there is none.
  package func state(of picker: String, atUs timeUs: Int64) -> JSONValue? {
    json(of: picker, atUs: timeUs) { $0.state($1) }
  }

  /// Values of a picker as `values` answers them; nil where there is no such picker.
  package func values(of picker: String, from: Int, count: Int) -> JSONValue? {
    json(of: picker, atUs: lastUs) { $0.page(of: $1.values, from: from, count: count) }
  }

  private func json(
    of picker: String, atUs timeUs: Int64, _ write: (inout JSONWriter, PickerSnapshot) -> Void
  ) -> JSONValue? {
    guard let snapshot = try? scene.snapshot(picker, timeUs: timeUs) else { return nil }
    var writer = JSONWriter()
    write(&writer, snapshot)
    return try? JSONParser.value(of: writer.bytes)
  }
}
