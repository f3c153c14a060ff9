// SPDX-License-Identifier: Apache-2.0

import Haptics

extension Service {
  /// The settings of the motors, in the words of their module.
  var hapticsSettings: HapticsSettings {
    let haptics = configuration.haptics
    let motor: MotorClass? =
      switch haptics.motor {
      case .auto: nil
      case .lra: .lra
      case .erm: .erm
      case .onOff: .onOff
      case .gamepad: .gamepad
      case .hapticPad: .hapticPad
      }
    return HapticsSettings(
      isEnabled: haptics.isEnabled, device: haptics.device,
      displayDevices: haptics.displayDevices, motorClass: motor, strength: haptics.strength,
      seat: configuration.seat)
  }
}

extension Service {
  /// How many cues were asked for and how many a motor played.
  var hapticsFigures: (asked: Int, played: Int) {
    guard let counters = haptics?.counters else { return (0, 0) }
    return (counters.asked, counters.motors.played)
  }
}
