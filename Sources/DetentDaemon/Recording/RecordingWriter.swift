// SPDX-License-Identifier: Apache-2.0

package import Gestures
package import LinuxIO
import Wire

/// Writes a recording: what devices say, in the lines that `RecordingReader` reads.
///
/// Numbers are written so that they read back as they were. Lines are gathered until there are many, or `flush`.
package struct RecordingWriter {
  /// Why a recording cannot go on.
  package enum Failure: Error, Hashable {
    /// The system refused to take it.
    case output(Errno)
    /// It would grow larger than allowed; what is written so far is whole.
    case full
  }

  private static let flushedBytes = 65_536

  private let output: ([UInt8]) throws(Errno) -> Void
  private let ids: [Int: String]
  private let mostBytes: Int
  private var json = JSONWriter()
  private var pending: [UInt8] = []
  /// How many bytes the recording has, those that wait for a flush included.
  package private(set) var byteCount = 0

  /// Begins a recording with its first line.
  ///
  /// - Parameters:
  ///   - devices: All devices that will be heard of; a recording cannot name others later.
  ///   - mostBytes: How large it may grow.
  ///   - output: Takes bytes, whole lines at a time.
  package init(
    devices: [InputDevice], mostBytes: Int = 1 << 30,
    to output: @escaping ([UInt8]) throws(Errno) -> Void
  ) throws(Failure) {
    self.output = output
    self.mostBytes = mostBytes
    ids = Dictionary(devices.map { ($0.number, $0.id) }, uniquingKeysWith: { first, _ in first })
    json.beginObject()
    json.name("recording")
    json.integer(RecordingHeader.version)
    json.name("devices")
    json.beginArray()
    for device in devices { describe(device) }
    json.endArray()
    try endLine()
  }

  /// Writes what a device said.
  ///
  /// - Returns: Whether it was written: not where the first line does not list the device.
  package mutating func write(_ event: InputEvent) throws(Failure) -> Bool {
    guard begin(timeUs: event.timeUs, device: event.device) else { return false }
    write(event.kind)
    try endLine()
    return true
  }

  /// Writes that a device was plugged in.
  ///
  /// - Returns: Whether it was written: not where the first line does not list the device.
  package mutating func writeAdded(_ device: Int, timeUs: Int64) throws(Failure) -> Bool {
    guard begin(timeUs: timeUs, device: device) else { return false }
    event(.added)
    try endLine()
    return true
  }

  /// Writes that a device was unplugged.
  ///
  /// - Returns: Whether it was written: not where the first line does not list the device.
  package mutating func writeRemoved(_ device: Int, timeUs: Int64) throws(Failure) -> Bool {
    guard begin(timeUs: timeUs, device: device) else { return false }
    event(.removed)
    try endLine()
    return true
  }

  /// Hands over the lines that wait.
  package mutating func flush() throws(Failure) {
    guard !pending.isEmpty else { return }
    do throws(Errno) {
      try output(pending)
    } catch {
      throw .output(error)
    }
    pending.removeAll(keepingCapacity: true)
  }

  // MARK: Lines

  private mutating func describe(_ device: InputDevice) {
    json.beginObject()
    json.name("id")
    json.string(device.id)
    json.name("kind")
    json.string(device.kind.rawValue)
    json.name("name")
    json.string(device.name)
    if let widthMM = device.widthMM {
      json.name("width_mm")
      json.number(widthMM)
    }
    if let heightMM = device.heightMM {
      json.name("height_mm")
      json.number(heightMM)
    }
    json.endObject()
  }

  private mutating func begin(timeUs: Int64, device: Int) -> Bool {
    guard let id = ids[device] else { return false }
    json.beginObject()
    json.name("time_us")
    json.integer(timeUs)
    json.name("device")
    json.string(id)
    return true
  }

  private mutating func endLine() throws(Failure) {
    json.endObject()
    json.endLine()
    defer { json.removeAll() }
    guard byteCount + json.bytes.count <= mostBytes else {
      try flush()
      throw .full
    }
    byteCount += json.bytes.count
    pending += json.bytes
    if pending.count >= Self.flushedBytes { try flush() }
  }

  // MARK: Events

  private mutating func write(_ kind: InputEvent.Kind) {
    switch kind {
    case .down(let slot, let x, let y): place(.down, slot: slot, x: x, y: y)
    case .move(let slot, let x, let y): place(.move, slot: slot, x: x, y: y)
    case .up(let slot): place(.up, slot: slot)
    case .cancel(let slot): place(.cancel, slot: slot)
    case .scroll(let dx, let dy):
      event(.scroll)
      number("dx", dx)
      number("dy", dy)
    case .scrollEnd: event(.scrollEnd)
    case .swipeBegin(let fingers): gesture(.swipeBegin, fingers)
    case .swipe(let fingers, let dx, let dy):
      gesture(.swipe, fingers)
      number("dx", dx)
      number("dy", dy)
    case .swipeEnd(let fingers, let cancelled): gesture(.swipeEnd, fingers, cancelled)
    case .pinchBegin(let fingers): gesture(.pinchBegin, fingers)
    case .pinch(let fingers, let dx, let dy, let scale, let angle):
      gesture(.pinch, fingers)
      number("dx", dx)
      number("dy", dy)
      number("scale", scale)
      number("angle", angle)
    case .pinchEnd(let fingers, let cancelled): gesture(.pinchEnd, fingers, cancelled)
    case .holdBegin(let fingers): gesture(.holdBegin, fingers)
    case .holdEnd(let fingers, let cancelled): gesture(.holdEnd, fingers, cancelled)
    case .tap: event(.tap)
    case .turn(let steps):
      event(.turn)
      json.name("steps")
      json.integer(steps)
    case .press: event(.press)
    }
  }

  private mutating func event(_ event: RecordingEvent) {
    json.name("event")
    json.string(event.rawValue)
  }

  private mutating func place(_ name: RecordingEvent, slot: Int, x: Double? = nil, y: Double? = nil)
  {
    event(name)
    json.name("slot")
    json.integer(slot)
    if let x, let y {
      number("x", x)
      number("y", y)
    }
  }

  private mutating func gesture(_ name: RecordingEvent, _ fingers: Int, _ cancelled: Bool? = nil) {
    event(name)
    json.name("fingers")
    json.integer(fingers)
    if let cancelled {
      json.name("cancelled")
      json.bool(cancelled)
    }
  }

  private mutating func number(_ name: StaticString, _ value: Double) {
    json.name(name)
    json.number(value)
  }
}
