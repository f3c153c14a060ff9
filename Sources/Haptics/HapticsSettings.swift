// SPDX-License-Identifier: Apache-2.0

package import Gestures

/// The configuration of the motors.
package struct HapticsSettings: Hashable, Sendable {
  /// Whether any motor is opened at all.
  package var isEnabled: Bool
  /// The motor for everything that is not played on the touch device itself.
  package var device: DeviceMatch?
  /// The motor of single displays, by display id; comes before `device` there.
  package var displayDevices: [String: DeviceMatch]
  /// The class of the motor; nil is "auto": told by the device.
  package var motorClass: MotorClass?
  /// The scale of every effect, 0 (nothing is played) to 1.
  package var strength: Double
  /// The seat whose motors may be chosen without being named.
  package var seat: String

  /// Settings; the defaults are those of an empty configuration.
  package init(
    isEnabled: Bool = true, device: DeviceMatch? = nil,
    displayDevices: [String: DeviceMatch] = [:], motorClass: MotorClass? = nil,
    strength: Double = 1, seat: String = "seat0"
  ) {
    self.isEnabled = isEnabled
    self.device = device
    self.displayDevices = displayDevices
    self.motorClass = motorClass
    self.strength = strength
    self.seat = seat
  }

  /// Whether anything can be played: at strength 0 no device is touched.
  package var isAudible: Bool { isEnabled && strength > 0 }
}
