// SPDX-License-Identifier: Apache-2.0

package import Gestures
package import Pickers
package import Scene

/// Everything that the configuration file says.
package struct Configuration: Sendable {
  /// What the adapters need to know of the `[haptics]` table.
  package struct Haptics: Sendable {
    /// Whether a motor is used at all.
    package var isEnabled = true
    /// Which motor, or nil for the first that is found.
    package var device: DeviceMatch?
    /// The motors of single displays, by the display's name; each comes before `device` there.
    package var displayDevices: [String: DeviceMatch] = [:]
    /// The class of the motor by name, or "auto".
    package var motor = Motor.auto
    /// The scale of all effects, 0…1.
    package var strength = 1.0
  }

  /// The classes of motors.
  package enum Motor: String, Sendable, CaseIterable {
    /// Told by the device.
    case auto
    /// A linear resonant actuator.
    case lra
    /// An eccentric rotating mass.
    case erm
    /// A motor that is on or off.
    case onOff = "on_off"
    /// The motors of a gamepad.
    case gamepad
    /// A touchpad that clicks by itself.
    case hapticPad = "haptic_pad"
  }

  /// What the reader of a knob needs to know; what its steps do stands in the scene's settings.
  package struct Knob: Sendable {
    /// What turning it sends.
    package enum Axis: String, Sendable, CaseIterable {
      /// Whichever of the others the device has.
      case auto
      /// REL_DIAL
      case dial
      /// REL_WHEEL
      case wheel
      /// REL_HWHEEL
      case hwheel
      /// REL_X or ABS_X
      case x
      /// REL_Y or ABS_Y
      case y
    }

    /// How steps grow with speed.
    package enum Acceleration: String, Sendable, CaseIterable {
      /// Not at all.
      case off
      /// A little.
      case low
      /// More.
      case medium
      /// A lot.
      case high
    }

    /// Which devices it is.
    package var device: DeviceMatch
    /// What turning it sends.
    package var axis: Axis
    /// How many counts make one step.
    package var countsPerStep: Int
    /// Whether clockwise is counterclockwise.
    package var isReversed: Bool
    /// How steps grow with speed.
    package var acceleration: Acceleration
  }

  /// The file.
  package var file = ""
  /// The seat whose devices are read.
  package var seat = "seat0"
  /// Users and groups that may change things; empty for all who can open the socket.
  package var allowControl: [String] { controllers.map(\.name) }
  /// The same with their places in the file.
  var controllers: [ControllerName] = []
  /// What the scene needs.
  package var scene = SceneSettings()
  /// The motors.
  package var haptics = Haptics()
  /// The knobs, in the order of `scene.knobs`.
  package var knobs: [Knob] = []
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
