// SPDX-License-Identifier: Apache-2.0

package import LinuxIO
internal import Synchronization
package import Wire

/// What the loop and a motor's thread hand each other: bounded, and without ever waiting.
///
/// There is room for two cues, a tick and what happens at the same instant. A third is refused, and
/// the caller drops it: a queue would only play what has long passed.
package final class MotorMailbox: Sendable {
  /// A cue to be played until a time, or not at all.
  package struct Order: Hashable, Sendable {
    /// What is to be played.
    package var cue: Cue
    /// When it was asked for, in microseconds.
    package var askedUs: Int64
    /// When it is too late, in microseconds.
    package var deadlineUs: Int64

    /// An order.
    package init(cue: Cue, askedUs: Int64, deadlineUs: Int64) {
      self.cue = cue
      self.askedUs = askedUs
      self.deadlineUs = deadlineUs
    }
  }

  /// What the motor's thread is to do, in this order.
  package struct Work: Hashable, Sendable {
    /// Stop everything that plays.
    package var stops = false
    /// Stop, erase, close, and end.
    package var quits = false
    /// Play these.
    package var orders: [Order] = []

    /// Nothing to do.
    package init() {}
  }

  /// How far a motor is.
  package enum Phase: Hashable, Sendable {
    /// It is being opened and probed, which may take long.
    case probing
    /// It plays.
    case ready(MotorProgram)
    /// It cannot be used, and is being closed.
    case failed(MotorProblem)
  }

  /// What the loop sees of a motor.
  package struct Snapshot: Hashable, Sendable {
    /// How far it is.
    package var phase = Phase.probing
    /// Whether its thread has closed it and ended.
    package var isClosed = false
    /// What its thread did.
    package var counters = MotorCounters()
  }

  /// How many cues wait at most.
  package static let capacity = 2

  private struct State {
    var work = Work()
    var snapshot = Snapshot()
  }

  private let state = Mutex(State())
  /// Wakes the motor's thread.
  let bell: Wakeup
  private let reports: Wakeup

  /// A mailbox whose reports ring a bell of the loop.
  package init(reports: Wakeup) throws(Errno) {
    bell = try Wakeup()
    self.reports = reports
  }

  /// Hands a cue over; false where there is no room.
  package func order(_ order: Order) -> Bool {
    let isTaken = state.withLock { state in
      guard state.work.orders.count < Self.capacity, !state.work.quits else { return false }
      state.work.orders.append(order)
      return true
    }
    if isTaken { bell.ring() }
    return isTaken
  }

  /// Asks for everything to be stopped, and forgets what waits.
  package func stop() {
    state.withLock { state in
      state.work.stops = true
      state.work.orders = []
    }
    bell.ring()
  }

  /// Asks the thread to close the motor and end.
  package func quit() {
    state.withLock { state in
      state.work.quits = true
      state.work.orders = []
    }
    bell.ring()
  }

  /// What the loop sees.
  package var snapshot: Snapshot { state.withLock { $0.snapshot } }

  /// Takes the work, on the motor's thread; that it shall quit stays said.
  package func takeWork() -> Work {
    bell.clear()
    return state.withLock { state in
      let work = state.work
      state.work = Work()
      state.work.quits = work.quits
      return work
    }
  }

  /// Whether the thread was told to close the motor and end.
  package var isQuitting: Bool { state.withLock { $0.work.quits } }

  /// Tells the loop how far the motor is.
  package func report(_ phase: Phase) {
    state.withLock { $0.snapshot.phase = phase }
    reports.ring()
  }

  /// Tells the loop that the motor is closed and its thread about to end.
  package func reportClosed() {
    state.withLock { $0.snapshot.isClosed = true }
    reports.ring()
  }

  /// Counts something, without waking anybody.
  package func count(_ change: (inout MotorCounters) -> Void) {
    state.withLock { change(&$0.snapshot.counters) }
  }
}
