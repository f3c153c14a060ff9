// SPDX-License-Identifier: Apache-2.0

import Scene

/// `detentd --check`: says all that is wrong with a configuration.
package enum ConfigurationCheck {
  /// Runs it.
  ///
  /// - Returns: The exit status: 0 where the file can be used, warnings or not, else 1.
  package static func run(_ file: String) -> Int32 {
    do throws(ConfigurationError) {
      let configuration = try Configuration(file: file)
      for warning in configuration.warningsHere {
        StandardStreams.error(ConfigurationError.line(warning, file: file))
      }
      let counts = [
        configuration.scene.displays.count.of("display"),
        configuration.pickers.count.of("picker"), configuration.knobs.count.of("knob"),
      ]
      let line = "\(file): fine: \(counts.joined(separator: ", "))"
      return StandardStreams.output(line.escapingControls) ? ExitStatus.success : ExitStatus.output
    } catch {
      StandardStreams.error(error.description)
      return ExitStatus.failure
    }
  }
}
