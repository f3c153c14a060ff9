// SPDX-License-Identifier: Apache-2.0

/// What kind of motor a force-feedback device drives, as far as a tick can tell.
package enum MotorClass: String, Sendable, CaseIterable {
  /// A linear resonant actuator: quick to start and to stop, follows the strength.
  case lra
  /// An eccentric rotating mass: slow to start, follows the strength; also what nobody knows.
  case erm
  /// A motor behind a switch: any strength is full strength.
  case onOff = "on_off"
  /// The two motors of a game controller.
  case gamepad
  /// A touchpad that makes waveforms by itself (FF_HAPTIC).
  case hapticPad = "haptic_pad"

  /// The class that the kernel's name of a device tells; nil for a name that says nothing.
  ///
  /// The names are those that the drivers give (`drv260x:haptics`, `pwm-vibrator`), so only their
  /// beginnings are compared, without regard to case.
  package init?(deviceName: String) {
    let name = deviceName.lowercased()
    func begins(_ prefixes: [String]) -> Bool { prefixes.contains { name.hasPrefix($0) } }
    if begins(["gpio-vibrator", "sc27xx"]) {
      self = .onOff
    } else if begins(["drv26", "aw86", "spmi_haptics", "arizona", "cs40l50", "da7280"]) {
      self = .lra
    } else if begins([
      "pwm-vibrator", "regulator-haptic", "max77693", "max8997", "pm8xxx", "twl4030:vibrator",
      // A chip for either kind: the slower one is the safer guess.
      "twl6040:vibrator", "isa1200",
    ]) {
      self = .erm
    } else {
      return nil
    }
  }

  /// Whether the kernel's name of a device is one that a vibration driver gives.
  package static func isVibratorName(_ deviceName: String) -> Bool {
    MotorClass(deviceName: deviceName) != nil
  }

  /// The shortest time from one tick to the next, in microseconds.
  ///
  /// A pulse that begins before the last one has ended is felt as one long pulse, and the kernel's
  /// ff-memless does not even restart the motor.
  package var tickIntervalUs: Int64 {
    switch self {
    case .lra, .hapticPad: 30_000
    case .erm, .onOff: 60_000
    // Bluetooth game controllers stumble over reports that come faster.
    case .gamepad: 50_000
    }
  }

  /// How long the mass keeps moving once the driver has switched it off, in microseconds.
  package var coastUs: Int64 {
    switch self {
    case .lra, .gamepad: 10_000
    case .erm, .onOff: 20_000
    case .hapticPad: 0
    }
  }

  /// The time that has to pass after an effect of this length before the next pulse is felt as
  /// another one, in microseconds.
  ///
  /// - Parameter lengthMS: the effect's length in milliseconds; 0 where the device decides it.
  package func intervalUs(lengthMS: UInt16) -> Int64 {
    // ff-memless counts in jiffies, of 4 ms on Debian: it rounds a length up and starts late.
    max(tickIntervalUs, Int64(lengthMS) * 1000 + 2 * 4_000 + coastUs)
  }
}
