// SPDX-License-Identifier: Apache-2.0

import Gestures
import InputDevices
import LinuxIO

/// Plays a recording in real time in the place of devices.
///
/// It begins with the first subscription, so that who looks on misses nothing, or after two seconds without one.
final class RecordingPlayer {
  /// Why nothing more comes of the recording.
  enum Ending {
    /// All of it was played, as often as that was wanted.
    case played
    /// The rest cannot be read.
    case failed(RecordingError)
  }

  private static let patienceUs: Int64 = 2_000_000
  private static let pauseUs: Int64 = 1_500_000

  private let path: String
  private let repetition: ServiceOptions.Repetition
  private let loop: EventLoop
  // A change, and when it happened, in the clock's microseconds.
  private let handler: (InputDevices.Change, Int64) -> Void
  private let ended: (Ending) -> Void
  private var timer: TimerSource?
  private var reader: RecordingReader
  private var item: RecordingReader.Item?
  private var present: Set<Int> = []
  // What a time of the recording must be moved by to be a time of the clock.
  private var shiftUs: Int64?
  private var hasEnded = false

  /// A player of a recording, whose first line is read at once.
  ///
  /// - Parameters:
  ///   - handler: Takes what the devices said, and when.
  ///   - ended: Called once, when nothing more will come.
  init(
    path: String, repetition: ServiceOptions.Repetition, loop: EventLoop,
    handler: @escaping (InputDevices.Change, Int64) -> Void, ended: @escaping (Ending) -> Void
  ) throws {
    self.path = path
    self.repetition = repetition
    self.loop = loop
    self.handler = handler
    self.ended = ended
    reader = try RecordingReader(path: path)
    item = try reader.next()
    timer = try loop.timer { [unowned self] _ in play() }
  }

  /// Whether the recording was played and nothing more will come of it.
  var isOver: Bool { hasEnded && repetition == .onceThenStop }

  /// Brings the devices; what they say comes later.
  func start() {
    addDevices()
    timer?.arm(atUs: loop.nowUs + Self.patienceUs)
  }

  /// Somebody looks on: what has not begun begins now.
  func begin() {
    guard shiftUs == nil, item != nil else { return }
    timer?.arm(atUs: loop.nowUs)
  }

  private func play() {
    let nowUs = loop.nowUs
    while let current = item {
      let shiftUs = shiftUs ?? nowUs - current.timeUs
      self.shiftUs = shiftUs
      let dueUs = current.timeUs + shiftUs
      guard dueUs <= nowUs else {
        timer?.arm(atUs: dueUs)
        return
      }
      tell(current, timeUs: dueUs)
      do throws(RecordingError) {
        item = try reader.next()
      } catch {
        item = nil
        return ended(.failed(error))
      }
    }
    do throws(RecordingError) {
      try end()
    } catch {
      ended(.failed(error))
    }
  }

  private func addDevices() {
    for device in reader.devices where present.insert(device.number).inserted {
      handler(.added(device), loop.nowUs)
    }
  }

  private func tell(_ item: RecordingReader.Item, timeUs: Int64) {
    switch item {
    case .event(var event):
      guard present.contains(event.device) else { return }
      event.timeUs = timeUs
      handler(.event(event), timeUs)
    case .added(let device, _):
      if present.insert(device.number).inserted { handler(.added(device), timeUs) }
    case .removed(let number, _):
      guard present.remove(number) != nil,
        let device = reader.devices.first(where: { $0.number == number })
      else { return }
      handler(.removed(device), timeUs)
    }
  }

  /// The end: what is still down is void, as in a replay.
  ///
  /// Then, if wanted, from the beginning.
  private func end() throws(RecordingError) {
    for device in reader.devices where present.contains(device.number) {
      handler(.removed(device), loop.nowUs)
      handler(.added(device), loop.nowUs)
    }
    guard repetition == .forever else {
      hasEnded = true
      return ended(.played)
    }
    reader = try RecordingReader(path: path)
    item = try reader.next()
    shiftUs = nil
    addDevices()
    if item != nil { timer?.arm(atUs: loop.nowUs + Self.pauseUs) }
  }
}
