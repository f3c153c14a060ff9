// SPDX-License-Identifier: Apache-2.0

import Gestures
import Glibc
package import InputDevices
package import LinuxIO

/// Records what devices say, until it is told to stop.
package final class Recorder {
  /// What is recorded, and where to.
  package struct Options {
    /// Where devices come from.
    package var source = InputDevices.Source.seat("seat0")
    /// The configuration's knobs.
    package var knobs: [KnobOptions] = []
    /// How large the recording may grow, in bytes.
    package var mostBytes = 100_000_000
    /// How long it may take, in microseconds; nil for as long as it is not stopped.
    package var longestUs: Int64?
    /// Takes the lines.
    package var output: ([UInt8]) throws(Errno) -> Void
    /// Takes what a person should know.
    package var tell: (String) -> Void

    /// Records everything on seat0.
    package init(
      output: @escaping ([UInt8]) throws(Errno) -> Void, tell: @escaping (String) -> Void
    ) {
      self.output = output
      self.tell = tell
    }
  }

  /// How it ended.
  package enum Ending: Hashable, Sendable {
    /// It was stopped, or its time was over; the recording is whole.
    case stopped
    /// It would have grown larger than allowed; what there is is whole.
    case full
    /// No device that could be recorded.
    case noDevice
    /// The system refused.
    case failed(String)
  }

  // Lines reach the file at least this often, so that a power cut costs little.
  private static let flushUs: Int64 = 1_000_000

  private let options: Options
  private let loop: EventLoop
  private var inputs: InputDevices?
  private var writer: RecordingWriter?
  private var first: [InputDevice] = []
  private var ids: [String: Int] = [:]
  private var ending: Ending?
  private var sources: [SignalSource] = []
  /// How many events were written.
  package private(set) var eventCount = 0

  /// A recorder on a loop of its own.
  package init(_ options: Options) throws(Errno) {
    self.options = options
    loop = try EventLoop()
  }

  /// Records until SIGINT, SIGTERM or SIGHUP, a limit, or an error.
  package func run() -> Ending {
    do {
      for number in [SIGINT, SIGTERM, SIGHUP] {
        sources.append(try loop.signal(number) { [unowned self] _ in end(.stopped) })
      }
      var settings = InputDevices.Settings { [options] level, line in
        if level <= .warning { options.tell(line) }
      }
      settings.knobs = options.knobs
      let inputs = try InputDevices(source: options.source, loop: loop, settings: settings) {
        [unowned self] in take($0)
      }
      self.inputs = inputs
      try inputs.start()
      while !inputs.isEnumerated, ending == nil { try loop.runOnce(timeoutUs: Self.flushUs) }
      if ending == nil { begin() }
      let startUs = EventLoop.clockUs()
      var flushedUs = startUs
      while ending == nil {
        let nowUs = EventLoop.clockUs()
        if let longestUs = options.longestUs, nowUs - startUs >= longestUs { end(.stopped) }
        if nowUs - flushedUs >= Self.flushUs {
          flushedUs = nowUs
          attempt { (writer) throws(RecordingWriter.Failure) in try writer.flush() }
        }
        if ending == nil { try loop.runOnce(timeoutUs: Self.flushUs / 4) }
      }
      attempt { (writer) throws(RecordingWriter.Failure) in try writer.flush() }
    } catch {
      end(.failed("\(error)"))
    }
    return ending ?? .stopped
  }

  private func end(_ ending: Ending) {
    // What was stopped may still fail: its last lines are written then.
    if self.ending == nil || self.ending == .stopped { self.ending = ending }
  }

  private func begin() {
    guard !first.isEmpty else { return end(.noDevice) }
    options.tell(
      "every touch from now on is written down, places and times, until Ctrl-C; no key is read")
    for device in first {
      options.tell("recording \(device.kind.rawValue) \(device.name) (\(device.node))")
    }
    do throws(RecordingWriter.Failure) {
      writer = try RecordingWriter(
        devices: first, mostBytes: options.mostBytes, to: options.output)
    } catch {
      fail(error)
    }
  }

  private func take(_ change: InputDevices.Change) {
    switch change {
    case .added(let device):
      guard writer != nil else {
        first.append(device)
        ids[device.id] = device.number
        return
      }
      // The first line lists the devices. One that comes back under its name goes on; another cannot be named.
      guard let number = ids[device.id],
        first.contains(where: { $0.number == number && $0.name == device.name })
      else {
        return options.tell(
          "\(device.name) (\(device.node)) came after the recording began and is not in it")
      }
      numbers[device.number] = number
      attempt { (writer) throws(RecordingWriter.Failure) in
        _ = try writer.writeAdded(number, timeUs: EventLoop.clockUs())
      }
    case .removed(let device):
      guard writer != nil else { return first.removeAll { $0.number == device.number } }
      let number = numbers[device.number] ?? device.number
      attempt { (writer) throws(RecordingWriter.Failure) in
        _ = try writer.writeRemoved(number, timeUs: EventLoop.clockUs())
      }
    case .refused(let node, let name, let reason):
      options.tell("\(name.isEmpty ? node : "\(name) (\(node))") is not recorded: \(reason)")
    case .event(var event):
      event.device = numbers[event.device] ?? event.device
      attempt { (writer) throws(RecordingWriter.Failure) in
        if try writer.write(event) { eventCount += 1 }
      }
    case .grab:
      break
    }
  }

  // Devices that came back, by their new number.
  private var numbers: [Int: Int] = [:]

  private func attempt(
    _ body: (inout RecordingWriter) throws(RecordingWriter.Failure) -> Void
  ) {
    guard ending == nil || ending == .stopped, writer != nil else { return }
    do throws(RecordingWriter.Failure) {
      if var writer {
        self.writer = nil
        defer { self.writer = writer }
        try body(&writer)
      }
    } catch {
      fail(error)
    }
  }

  private func fail(_ failure: RecordingWriter.Failure) {
    switch failure {
    case .full: end(.full)
    case .output(let error): end(.failed("the recording cannot be written: \(error)"))
    }
  }
}
