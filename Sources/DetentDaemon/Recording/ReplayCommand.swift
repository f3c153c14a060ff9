// SPDX-License-Identifier: Apache-2.0

/// `detentctl replay`: prints the lines of a recording.
package enum ReplayCommand {
  /// Runs it.
  ///
  /// - Returns: The exit status: 0, 1 where the configuration or the recording is wrong, 74 where the output cannot
  ///   be written.
  package static func run(configuration path: String, recording: String) -> Int32 {
    do {
      let configuration = try Configuration(file: path)
      for warning in configuration.warnings {
        StandardStreams.error(ConfigurationError.line(warning, file: path))
      }
      let replay = try Replay(configuration: configuration, recording: recording)
      var output: [UInt8] = []
      var isWritten = true
      try replay.run { line in
        output += line
        if output.count >= 65_536 {
          isWritten = isWritten && StandardStreams.output(output)
          output.removeAll(keepingCapacity: true)
        }
      }
      return isWritten && StandardStreams.output(output) ? 0 : 74
    } catch {
      StandardStreams.error("\(error)")
      return 1
    }
  }
}
