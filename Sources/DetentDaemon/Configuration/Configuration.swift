// SPDX-License-Identifier: Apache-2.0

package import Haptics
package import InputDevices
package import Pickers
package import Scene

/// Everything that the configuration file says.
package struct Configuration: Sendable {
  /// The file.
  package var file = ""
  /// The seat whose devices are read, and whose motors are chosen where none is named.
  package var seat = "seat0" {
    didSet { haptics.seat = seat }
  }
  /// Users and groups that may change things; empty for all who can open the socket.
  package var allowControl: [String] { controllers.map(\.name) }
  /// The same with their places in the file.
  var controllers: [ControllerName] = []
  /// What the scene needs.
  package var scene = SceneSettings()
  /// The motors.
  package var haptics = HapticsSettings()
  /// The knobs, in the order of `scene.knobs`.
  package var knobs: [KnobOptions] = []
  /// The pickers, from the bottom to the top.
  package var pickers: [PickerSettings] = []
  /// What is probably not what was meant.
  package var warnings: [OptionProblem] = []

  /// Reads a file.
  ///
  /// - Throws: All that is wrong with it.
  package init(file: String) throws(ConfigurationError) {
    var problems: [OptionProblem] = []
    do throws(OptionProblem) {
      let text = try ConfigurationFile.text(file)
      self = ConfigurationReader.read(try TOMLDocument(text).root, problems: &problems)
    } catch {
      throw ConfigurationError(file: file, problems: [error])
    }
    problems.sort { ($0.line, $0.column) < ($1.line, $1.column) }
    self.file = file
    if problems.contains(where: { $0.severity == .error }) {
      throw ConfigurationError(file: file, problems: problems)
    }
    warnings = problems
  }

  init() {}
}
