// SPDX-License-Identifier: Apache-2.0

package import LinuxIO
import Synchronization

/// What a virtual motor was asked for, in order; written by its thread, read by the test.
package final class MotorLog: Sendable {
  /// One thing that a motor was asked for.
  package struct Entry: Hashable, Sendable {
    /// What it was.
    package enum Kind: Hashable, Sendable {
      /// An effect came, into a free slot or over an old effect; how it was answered.
      case upload(UploadedEffect, isNew: Bool, answer: MotorAnswer)
      /// An effect was erased.
      case erase
      /// An effect was started so many times, or stopped with 0.
      case play(count: Int32)
      /// The gain was set, 0…0xFFFF.
      case gain(Int32)
      /// The motors of a game controller were given these strengths, in per cent.
      case motors(strong: UInt8, weak: UInt8)
    }

    /// CLOCK_MONOTONIC microseconds when the motor's thread saw it.
    package var timeUs: Int64
    /// The effect's slot; -1 where it is of no effect.
    package var slot: Int
    package var kind: Kind
  }

  /// A time in which a motor ran.
  package struct Pulse: Hashable, Sendable {
    /// CLOCK_MONOTONIC microseconds.
    package var startUs: Int64
    /// Nil while it runs.
    package var endUs: Int64?
    /// The largest strength of either motor, in per cent.
    package var strength: UInt8
  }

  private let state = Mutex<[Entry]>([])

  /// An empty log.
  package init() {}

  func add(_ kind: Entry.Kind, slot: Int = -1) {
    let now = EventLoop.clockUs()
    state.withLock { $0.append(Entry(timeUs: now, slot: slot, kind: kind)) }
  }

  /// All entries so far.
  package var entries: [Entry] { state.withLock { $0 } }

  /// Forgets all entries.
  package func clear() {
    state.withLock { $0 = [] }
  }

  /// The effects that were taken, with their slots.
  package var uploads: [(slot: Int, effect: UploadedEffect, isNew: Bool)] {
    entries.compactMap { entry in
      guard case .upload(let effect, let isNew, let answer) = entry.kind, answer.isTaken else {
        return nil
      }
      return (entry.slot, effect, isNew)
    }
  }

  /// The slots that were started, with the time of each start, in order.
  package var plays: [(slot: Int, timeUs: Int64)] {
    entries.compactMap { entry in
      guard case .play(let count) = entry.kind, count > 0 else { return nil }
      return (entry.slot, entry.timeUs)
    }
  }

  /// The slots that were stopped, in order.
  package var stops: [Int] { entries.filter { $0.kind == .play(count: 0) }.map(\.slot) }

  /// The slots that were erased, in order.
  package var erased: [Int] { entries.filter { $0.kind == .erase }.map(\.slot) }

  /// The gains that were set, in order.
  package var gains: [Int32] {
    entries.compactMap { entry in
      if case .gain(let value) = entry.kind { value } else { nil }
    }
  }

  /// The pulses of a game controller's motors, in order.
  package var pulses: [Pulse] {
    var pulses: [Pulse] = []
    for entry in entries {
      guard case .motors(let strong, let weak) = entry.kind else { continue }
      let strength = max(strong, weak)
      if var last = pulses.last, last.endUs == nil {
        if strength == 0 { last.endUs = entry.timeUs }
        last.strength = max(last.strength, strength)
        pulses[pulses.count - 1] = last
      } else if strength > 0 {
        pulses.append(Pulse(startUs: entry.timeUs, endUs: nil, strength: strength))
      }
    }
    return pulses
  }
}

/// How a motor's driver answers an upload.
package enum MotorAnswer: Hashable, Sendable {
  /// The effect is taken.
  case accept
  /// It is refused with this error.
  case refuse(Errno)
  /// It is taken after so many milliseconds.
  case acceptAfter(milliseconds: UInt32)
  /// Nothing is said: the kernel gives up after 30 s.
  case silence

  /// Whether the effect is in its slot afterwards.
  package var isTaken: Bool {
    switch self {
    case .accept, .acceptAfter: true
    case .refuse, .silence: false
    }
  }
}
