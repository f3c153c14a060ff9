// SPDX-License-Identifier: Apache-2.0

/// `detentctl replay`: prints the lines of a recording.
package enum ReplayCommand {
  /// Runs it.
  ///
  /// - Returns: The exit status: 0, 1 where the configuration or the recording is wrong, 74 where the output cannot
  ///   be written.
  package static func run(configuration path: String, recording: String) -> Int32 {
    var output: [UInt8] = []
    var isWritten = true
    func flush() {
      isWritten = isWritten && StandardStreams.output(output)
      output.removeAll(keepingCapacity: true)
    }
    do {
      var replay = try begin(configuration: path, recording: recording, wantsMotion: false)
      try replay.run { line in
        output += line
        if output.count >= 65_536 { flush() }
      }
      flush()
      return isWritten ? ExitStatus.success : ExitStatus.output
    } catch {
      // What came before the mistake is right.
      flush()
      StandardStreams.error("\(error)")
      return ExitStatus.failure
    }
  }
  /// A replay at its beginning, for who watches it; says what is doubtful in the configuration.
  ///
  /// - Throws: What is wrong with the configuration or the recording.
  package static func begin(
    configuration path: String, recording: String, wantsMotion: Bool = true
  ) throws -> Replay {
    let configuration = try Configuration(file: path)
    for warning in configuration.warnings {
      StandardStreams.error(ConfigurationError.line(warning, file: path))
    }
    return try Replay(
      configuration: configuration, recording: recording, wantsMotion: wantsMotion)
  }
}
