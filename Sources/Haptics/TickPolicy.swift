// SPDX-License-Identifier: Apache-2.0

package import Wire

/// Decides which cues a motor gets, so that each pulse is felt as one.
///
/// Nothing is ever queued: what cannot be played now is dropped. One policy serves one motor.
package struct TickPolicy: Sendable {
  /// What a policy says to a cue.
  package enum Verdict: Hashable, Sendable {
    /// Play this cue, which may be a softer one than was asked for.
    case play(Cue)
    /// Play nothing.
    case drop(DropReason)
  }

  /// Why a cue is not played.
  package enum DropReason: String, Sendable, CaseIterable {
    /// The event is older than 25 ms: a tick now would belong to what has passed.
    case late
    /// The last pulse is still felt.
    case interval
    /// Values pass faster than a motor that is only on or off can tell apart.
    case fast
  }

  /// A tick whose event is older than this, in microseconds, is dropped.
  package static let latestUs: Int64 = 25_000

  /// Values per second above which ticks turn soft, and at or below which they are full again.
  package static let softSpeed = (above: 8.0, until: 6.0)

  /// Values per second above which an on/off motor rests, and below which it ticks again.
  package static let silentSpeed = (above: 20.0, until: 12.0)

  private let motorClass: MotorClass
  private var lengthsMS: [Cue: UInt16]
  private var speed = TickSpeed()
  private var isSoft = false
  private var isSilent = false
  /// Until when the last pulse, whichever it was, keeps ticks away.
  private var quietUntilUs = Int64.min
  /// Until when the last pulse of a cue keeps the same cue away.
  private var cueUntilUs: [Cue: Int64] = [:]

  /// A policy for one motor.
  ///
  /// - Parameter lengthsMS: the length in milliseconds of each cue that the motor can play, so that
  ///   a long one keeps its distance too.
  package init(motorClass: MotorClass, lengthsMS: [Cue: UInt16]) {
    self.motorClass = motorClass
    self.lengthsMS = lengthsMS
  }

  /// Decides on a tick: the live index of a picker moved under a finger or in a glide.
  ///
  /// - Parameters:
  ///   - cue: what the picker plays for a tick.
  ///   - eventTimeUs: when the value passed.
  ///   - nowUs: when this is asked.
  ///   - steps: how many values passed at once.
  package mutating func tick(
    _ cue: Cue, eventTimeUs: Int64, nowUs: Int64, steps: Int = 1
  ) -> Verdict {
    // The speed counts every value that passed, played or not.
    speed.pass(atUs: eventTimeUs, steps: steps)
    let rate = speed.valuesPerSecond
    isSoft = rate > (isSoft ? Self.softSpeed.until : Self.softSpeed.above)
    isSilent =
      isSilent ? rate >= Self.silentSpeed.until : rate > Self.silentSpeed.above
    guard nowUs - eventTimeUs <= Self.latestUs else { return .drop(.late) }
    if motorClass == .onOff, isSilent { return .drop(.fast) }
    guard nowUs >= quietUntilUs else { return .drop(.interval) }
    let played = isSoft && lengthsMS[.tickSoft] != nil ? Cue.tickSoft : cue
    note(played, nowUs)
    return .play(played)
  }

  /// Decides on a cue that is no tick: a selection, an end, or what a client asked for.
  ///
  /// It keeps its distance to itself alone, not to ticks. A strip asks for `limit` at each arrival at an end, and
  /// at no other time.
  package mutating func cue(_ cue: Cue, nowUs: Int64) -> Verdict {
    guard nowUs >= cueUntilUs[cue] ?? .min else { return .drop(.interval) }
    note(cue, nowUs)
    return .play(cue)
  }

  /// Forgets what was played, as after everything was stopped; the next cue is the first.
  package mutating func reset() {
    self = TickPolicy(motorClass: motorClass, lengthsMS: lengthsMS)
  }

  private mutating func note(_ cue: Cue, _ nowUs: Int64) {
    let untilUs = nowUs + motorClass.intervalUs(lengthMS: lengthsMS[cue] ?? 0)
    quietUntilUs = max(quietUntilUs, untilUs)
    cueUntilUs[cue] = untilUs
  }
}
