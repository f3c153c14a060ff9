// SPDX-License-Identifier: Apache-2.0

import CLibsystemd

/// What all sources of a loop have in common: the sd-event object and its end.
///
/// The C side holds a plain pointer to the Swift object. That is safe because the object switches
/// the source off before it goes, and sd-event calls nothing that is off.
package class EventSource {
  /// The sd-event source; nil once cancelled.
  fileprivate(set) var source: OpaquePointer?

  init() {}

  deinit {
    cancel()
  }

  /// Ends the source: its handler is not called again.
  ///
  /// Allowed in its own handler, and twice.
  package final func cancel() {
    guard let source else { return }
    self.source = nil
    sd_event_source_disable_unref(source)
  }

  /// Whether the source was cancelled.
  package final var isCancelled: Bool { source == nil }

  /// Takes over what sd-event made, sets its priority and its state.
  final func adopt(
    _ made: OpaquePointer?, result: CInt, priority: Int64, enabled: CInt
  ) throws(Errno) {
    try checked(result)
    source = made
    try checked(sd_event_source_set_priority(made, priority))
    try checked(sd_event_source_set_enabled(made, enabled))
  }

  /// The opaque pointer that finds this object again in a callback.
  final var userdata: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  /// Calls `body` with the object behind a callback's pointer, keeping it alive meanwhile.
  static func withSource<Source: EventSource>(
    _ type: Source.Type, _ userdata: UnsafeMutableRawPointer?, _ body: (Source) -> Void
  ) -> CInt {
    if let userdata {
      let source = Unmanaged<Source>.fromOpaque(userdata).takeUnretainedValue()
      withExtendedLifetime(source) { body(source) }
    }
    return 0
  }
}

/// A watch on a descriptor.
package final class DescriptorSource: EventSource {
  fileprivate let handler: (Interest) -> Void

  init(
    event: OpaquePointer, descriptor: CInt, interest: Interest, priority: Int64,
    handler: @escaping (Interest) -> Void
  ) throws(Errno) {
    self.handler = handler
    self.interest = interest
    super.init()
    var made: OpaquePointer?
    let result = sd_event_add_io(
      event, &made, descriptor, interest.rawValue,
      { _, _, events, userdata in
        EventSource.withSource(DescriptorSource.self, userdata) {
          $0.handler(Interest(rawValue: events))
        }
      }, userdata)
    try adopt(made, result: result, priority: priority, enabled: CInt(SD_EVENT_ON))
  }

  /// What is waited for; may be changed at any time, also to nothing.
  package var interest: Interest {
    didSet {
      guard let source, interest != oldValue else { return }
      // Fails only for a closed descriptor, which is a bug of the owner.
      let result = sd_event_source_set_io_events(source, interest.rawValue)
      assert(result >= 0, "\(Errno(rawValue: -result)): the descriptor was closed while watched")
    }
  }
}

/// A timer that fires once for each arming.
package final class TimerSource: EventSource {
  fileprivate let handler: (Int64) -> Void

  init(
    event: OpaquePointer, priority: Int64, handler: @escaping (Int64) -> Void
  ) throws(Errno) {
    self.handler = handler
    super.init()
    var made: OpaquePointer?
    // An accuracy of 0 would mean sd-event's default, a quarter of a second.
    let result = sd_event_add_time(
      event, &made, CLOCK_MONOTONIC, UInt64.max, 1,
      { _, due, userdata in
        EventSource.withSource(TimerSource.self, userdata) {
          $0.armedForUs = nil
          $0.handler(Int64(clamping: due))
          $0.leaveAMoment()
        }
      }, userdata)
    try adopt(made, result: result, priority: priority, enabled: CInt(SD_EVENT_OFF))
  }

  /// How long others have their turn after a timer's, in microseconds.
  private static let momentUs: Int64 = 200

  /// A timer that is late each time it is armed would keep all of a lower priority from their turn.
  private func leaveAMoment() {
    guard let source, let armedForUs else { return }
    let soonestUs = EventLoop.clockUs() + Self.momentUs
    if armedForUs < soonestUs { sd_event_source_set_time(source, UInt64(soonestUs)) }
  }

  /// When the timer will fire; nil while disarmed.
  package private(set) var armedForUs: Int64?

  /// Fires once at a time on CLOCK_MONOTONIC, at once if that has passed; replaces an earlier arming.
  ///
  /// Armed by its own handler, it leaves the rest of the loop a moment of 200 µs first.
  package func arm(atUs timeUs: Int64) {
    guard let source, armedForUs != timeUs else { return }
    armedForUs = timeUs
    sd_event_source_set_time(source, UInt64(max(timeUs, 0)))
    sd_event_source_set_enabled(source, CInt(SD_EVENT_ONESHOT))
  }

  /// Does not fire until armed again.
  package func disarm() {
    guard let source, armedForUs != nil else { return }
    armedForUs = nil
    sd_event_source_set_enabled(source, CInt(SD_EVENT_OFF))
  }
}

/// A signal taken as an event.
package final class SignalSource: EventSource {
  fileprivate let handler: (CInt) -> Void

  init(
    event: OpaquePointer, number: CInt, priority: Int64, handler: @escaping (CInt) -> Void
  ) throws(Errno) {
    self.handler = handler
    super.init()
    var made: OpaquePointer?
    let result = sd_event_add_signal(
      event, &made, number | CInt(SD_EVENT_SIGNAL_PROCMASK),
      { _, info, userdata in
        guard let info else { return 0 }
        return EventSource.withSource(SignalSource.self, userdata) {
          $0.handler(CInt(bitPattern: info.pointee.ssi_signo))
        }
      }, userdata)
    try adopt(made, result: result, priority: priority, enabled: CInt(SD_EVENT_ON))
  }
}

/// Work that runs in the next round of the loop when it is scheduled.
package final class DeferredSource: EventSource {
  fileprivate let handler: () -> Void

  init(event: OpaquePointer, priority: Int64, handler: @escaping () -> Void) throws(Errno) {
    self.handler = handler
    super.init()
    var made: OpaquePointer?
    let result = sd_event_add_defer(
      event, &made,
      { _, userdata in
        EventSource.withSource(DeferredSource.self, userdata) { $0.handler() }
      }, userdata)
    try adopt(made, result: result, priority: priority, enabled: CInt(SD_EVENT_OFF))
  }

  /// Runs the work once in the next round, however often this is called until then.
  package func schedule() {
    guard let source else { return }
    sd_event_source_set_enabled(source, CInt(SD_EVENT_ONESHOT))
  }
}
