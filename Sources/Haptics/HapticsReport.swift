// SPDX-License-Identifier: Apache-2.0

/// Something about the motors that the daemon should log.
package enum HapticsReport: Hashable, Sendable {
  /// A motor was probed and plays from now on.
  case ready(MotorDescription)
  /// A motor cannot be used; its `problem` says why. Told once for each device and problem.
  case problem(MotorDescription)
  /// A motor that was used is gone.
  case removed(MotorDescription)
}
