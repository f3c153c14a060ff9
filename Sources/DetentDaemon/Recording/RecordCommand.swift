// SPDX-License-Identifier: Apache-2.0

import Glibc
import InputDevices
import LinuxIO

/// `detentctl record`: records what devices say into a file.
package enum RecordCommand {
  /// Runs it until it is stopped.
  ///
  /// - Parameters:
  ///   - configuration: the file that names the seat and the knobs; nil for the usual one where that is there.
  ///   - nodes: the nodes to record; empty for all of the seat.
  ///   - seconds: how long; nil for as long as it is not stopped.
  ///   - megabytes: how large the file may grow; nil for 100.
  ///   - file: a new file, or `-` for standard output.
  /// - Returns: the exit status: 0, 1 where nothing could be recorded, 74 where the file cannot be written.
  package static func run(
    configuration: String?, nodes: [String], seconds: Double?, megabytes: Double?, file: String
  ) -> Int32 {
    do {
      let configuration = try read(configuration)
      let output = try open(file)
      var options = Recorder.Options { (bytes) throws(Errno) in
        try write(bytes, to: output)
      } tell: {
        StandardStreams.error("detentctl record: \($0)")
      }
      options.source = nodes.isEmpty ? .seat(configuration?.seat ?? "seat0") : .paths(nodes)
      options.knobs = configuration?.knobs ?? []
      if let megabytes { options.mostBytes = Int(megabytes * 1e6) }
      options.longestUs = seconds.map { Int64($0 * 1e6) }
      let recorder = try Recorder(options)
      let ending = recorder.run()
      return end(ending, events: recorder.eventCount, options, file)
    } catch {
      StandardStreams.error("detentctl record: \(error)")
      return ExitStatus.failure
    }
  }

  private static func write(_ bytes: [UInt8], to output: borrowing OwnedDescriptor) throws(Errno) {
    let result = bytes.withUnsafeBytes { bytes in
      Result { () throws(Errno) in try Descriptor.writeAll(output.rawValue, bytes) }
    }
    try result.get()
  }

  private static func end(
    _ ending: Recorder.Ending, events: Int, _ options: Recorder.Options, _ file: String
  ) -> Int32 {
    switch ending {
    case .stopped:
      options.tell("\(file) has \(events.of("event"))")
      return ExitStatus.success
    case .full:
      options.tell(
        "\(file) has \(events.of("event")) and is as large as allowed; --megabytes allows more")
      return ExitStatus.success
    case .noDevice:
      options.tell("there is no device to record; detentctl doctor says why")
      if file != "-" { unlink(file) }
      return ExitStatus.failure
    case .failed(let reason):
      options.tell(reason)
      return ExitStatus.output
    }
  }

  /// The configuration, where one is named or in its place.
  private static func read(_ path: String?) throws(ConfigurationError) -> Configuration? {
    if let path { return try Configuration(file: path) }
    return try? Configuration(file: ServiceOptions().configuration)
  }

  /// A new file that nobody else may read: touches tell what was typed on a screen.
  private static func open(_ file: String) throws(RecordingError) -> OwnedDescriptor {
    do throws(Errno) {
      if file == "-" {
        let copy = dup(STDOUT_FILENO)
        guard copy >= 0 else { throw Errno.current }
        return OwnedDescriptor(owning: copy)
      }
      return try OwnedDescriptor(
        opening: file, flags: O_WRONLY | O_CREAT | O_EXCL | O_NOCTTY, mode: 0o600)
    } catch {
      let reason =
        error == .exists
        ? "exists already; name another" : "cannot be made: \(error)"
      throw RecordingError(file: file, line: 0, reason: reason)
    }
  }
}
