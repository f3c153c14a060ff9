// SPDX-License-Identifier: Apache-2.0

import CLibsystemd
import CLinux
import Glibc

/// The one loop of a process: descriptors, timers, signals and deferred work, over sd-event.
///
/// All handlers run on the thread that runs the loop, in order of priority (smaller first), one at
/// a time. A handler may cancel any source, its own too. Sources live as long as the objects that
/// the loop hands out: whoever drops the last reference ends the watch.
package final class EventLoop {
  /// The sd-event object, for libraries that attach themselves to it.
  let event: OpaquePointer
  private var posted: [() -> Void] = []
  private var postSource: DeferredSource?

  /// A new loop, independent of every other.
  package init() throws(Errno) {
    var made: OpaquePointer?
    try checked(sd_event_new(&made))
    guard let made else { throw .outOfMemory }
    event = made
  }

  deinit {
    postSource?.cancel()
    sd_event_unref(event)
  }

  /// The loop's time, CLOCK_MONOTONIC in microseconds: when this round of handlers began.
  package var nowUs: Int64 {
    var now: UInt64 = 0
    guard sd_event_now(event, CLOCK_MONOTONIC, &now) >= 0 else { return Self.clockUs() }
    return Int64(now)
  }

  /// The clock itself, CLOCK_MONOTONIC in microseconds.
  package static func clockUs() -> Int64 { detent_monotonic_us() }

  /// Watches a descriptor, which stays the caller's and must be open until the watch is cancelled.
  ///
  /// - Parameters:
  ///   - interest: what to wait for; hang-ups and errors are reported in any case.
  ///   - priority: handlers of smaller numbers run first.
  ///   - handler: called with what is the case, again and again until it is no more.
  package func watch(
    _ descriptor: CInt, for interest: Interest, priority: Int64 = 0,
    handler: @escaping (Interest) -> Void
  ) throws(Errno) -> DescriptorSource {
    try DescriptorSource(
      event: event, descriptor: descriptor, interest: interest, priority: priority,
      handler: handler)
  }

  /// A timer on CLOCK_MONOTONIC, exact to the microsecond, disarmed at first.
  ///
  /// - Parameter handler: called once for each arming with the time for which it was armed.
  package func timer(
    priority: Int64 = 0, handler: @escaping (Int64) -> Void
  ) throws(Errno) -> TimerSource {
    try TimerSource(event: event, priority: priority, handler: handler)
  }

  /// Takes a signal as an event of the loop; the signal is blocked for this thread while watched.
  package func signal(
    _ number: CInt, priority: Int64 = 0, handler: @escaping (CInt) -> Void
  ) throws(Errno) -> SignalSource {
    try SignalSource(event: event, number: number, priority: priority, handler: handler)
  }

  /// Work that runs once in the next round of the loop each time it is scheduled.
  package func deferred(
    priority: Int64 = 0, handler: @escaping () -> Void
  ) throws(Errno) -> DeferredSource {
    try DeferredSource(event: event, priority: priority, handler: handler)
  }

  /// Runs work once, in the next round of the loop, after what was posted before.
  package func post(_ work: @escaping () -> Void) throws(Errno) {
    let source: DeferredSource
    if let postSource {
      source = postSource
    } else {
      source = try deferred { [unowned self] in
        let work = posted
        posted = []
        for item in work { item() }
      }
      postSource = source
    }
    posted.append(work)
    source.schedule()
  }

  /// Runs until `exit` is called, and returns its code.
  package func run() throws(Errno) -> CInt {
    try checked(sd_event_loop(event))
  }

  /// Waits for one event and handles it.
  ///
  /// - Parameter timeoutUs: how long to wait at most, in microseconds; negative is forever.
  /// - Returns: whether there was one.
  @discardableResult
  package func runOnce(timeoutUs: Int64) throws(Errno) -> Bool {
    try checked(sd_event_run(event, timeoutUs < 0 ? UInt64.max : UInt64(timeoutUs))) > 0
  }

  /// Ends `run` after the present handler.
  ///
  /// - Parameter code: 0…255, the exit status of the process.
  package func exit(_ code: CInt) {
    precondition((0...255).contains(code), "an exit status is 0…255")
    sd_event_exit(event, code)
  }

  /// Feeds the service manager's watchdog from this loop, so that a stuck loop is noticed.
  ///
  /// - Returns: whether a watchdog was asked for at all.
  @discardableResult
  package func enableWatchdog() throws(Errno) -> Bool {
    try checked(sd_event_set_watchdog(event, 1)) > 0
  }
}
