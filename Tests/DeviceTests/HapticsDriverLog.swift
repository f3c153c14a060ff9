// SPDX-License-Identifier: Apache-2.0

import LinuxIO
import Synchronization

/// What a pretended driver saw, in order, shared by its thread and the test.
final class DriverLog: Sendable {
  /// One thing that a driver was asked for.
  struct Entry: Hashable, Sendable {
    /// What it was.
    enum Kind: Hashable, Sendable {
      /// An effect came, into a new slot or over an old one; whether it was taken.
      case upload(DriverEffect, isNew: Bool, isTaken: Bool)
      /// An effect was erased.
      case erase
      /// An effect was started (above 0) or stopped.
      case play(value: Int32)
      /// The gain was set.
      case gain(Int32)
      /// The motors were given these strengths, in per cent.
      case motors(strong: UInt8, weak: UInt8)
    }

    var timeUs: Int64
    var id: Int
    var kind: Kind
  }

  private let state = Mutex<[Entry]>([])

  /// Adds an entry with the present time.
  func add(_ kind: Entry.Kind, id: Int = -1) {
    let now = EventLoop.clockUs()
    state.withLock { $0.append(Entry(timeUs: now, id: id, kind: kind)) }
  }

  /// All entries so far.
  var entries: [Entry] { state.withLock { $0 } }

  /// Forgets all entries.
  func clear() { state.withLock { $0 = [] } }

  /// The uploads that were taken.
  var uploads: [(id: Int, effect: DriverEffect, isNew: Bool)] {
    entries.compactMap {
      if case .upload(let effect, let isNew, true) = $0.kind { ($0.id, effect, isNew) } else { nil }
    }
  }

  /// The ids of the effects that were started, in order.
  var plays: [Int] {
    entries.compactMap { if case .play(1) = $0.kind { $0.id } else { nil } }
  }

  /// The ids of the effects that were stopped, in order.
  var stops: [Int] {
    entries.compactMap { if case .play(0) = $0.kind { $0.id } else { nil } }
  }

  /// The ids of the effects that were erased, in order.
  var erased: [Int] { entries.compactMap { $0.kind == .erase ? $0.id : nil } }

  /// The pulses that a motor made, from the first strength above 0 to the next 0, in microseconds.
  var pulses: [(startUs: Int64, endUs: Int64?)] {
    var pulses: [(startUs: Int64, endUs: Int64?)] = []
    var isOn = false
    for entry in entries {
      guard case .motors(let strong, let weak) = entry.kind else { continue }
      if max(strong, weak) > 0, !isOn { pulses.append((entry.timeUs, nil)) }
      if max(strong, weak) == 0, isOn { pulses[pulses.count - 1].endUs = entry.timeUs }
      isOn = max(strong, weak) > 0
    }
    return pulses
  }
}

/// An effect as a driver saw it.
struct DriverEffect: Hashable, Sendable {
  var type: Int
  var lengthMS: Int
  var delayMS: Int
  /// The strength of FF_RUMBLE's large motor.
  var strong = 0
  /// The strength of FF_RUMBLE's small motor.
  var weak = 0
  /// FF_PERIODIC's waveform.
  var waveform = 0
  /// FF_PERIODIC's period in milliseconds.
  var periodMS = 0
  /// FF_PERIODIC's magnitude, or FF_CONSTANT's level.
  var level = 0
}
