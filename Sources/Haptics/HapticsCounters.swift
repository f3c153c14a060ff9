// SPDX-License-Identifier: Apache-2.0

/// What a motor's thread did since it was opened.
package struct MotorCounters: Hashable, Sendable {
  /// Cues that were written to the motor.
  package var played = 0
  /// Cues that were too old when the thread got to them.
  package var expired = 0
  /// Cues that the device refused.
  package var refused = 0
  /// Effects that were put into the one slot of a device which has no second.
  package var replaced = 0
  /// The longest time from the request to the end of the write, in microseconds.
  package var longestUs: Int64 = 0
  /// The sum of these times, in microseconds.
  package var totalUs: Int64 = 0

  /// Nothing yet.
  package init() {}

  /// Adds what another motor did.
  package static func += (sum: inout MotorCounters, other: MotorCounters) {
    sum.played += other.played
    sum.expired += other.expired
    sum.refused += other.refused
    sum.replaced += other.replaced
    sum.longestUs = max(sum.longestUs, other.longestUs)
    sum.totalUs += other.totalUs
  }
}

/// What became of all cues since the start.
package struct HapticsCounters: Hashable, Sendable {
  /// Cues that were asked for.
  package var asked = 0
  /// Cues that were handed to a motor.
  package var handedOver = 0
  /// Dropped: no motor was ready for them, or haptics are off.
  package var withoutMotor = 0
  /// Dropped: the motor has no such effect.
  package var withoutEffect = 0
  /// Dropped: the motor's thread was still busy with the ones before.
  package var motorBusy = 0
  /// Dropped by the rules for ticks, by the reason.
  package var dropped: [TickPolicy.DropReason: Int] = [:]
  /// What the motors' threads did with what was handed over.
  package var motors = MotorCounters()

  /// Nothing yet.
  package init() {}
}
