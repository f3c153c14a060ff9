// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import TestSupport
import Testing

/// Sleep as logind tells it, on a bus of the test.
@Suite(.enabled(if: SystemBus.isInstalled, "\(SystemBus.needsDaemon)"))
struct SleepWatchTests {
  /// A watch, and what it told.
  private final class Bench {
    let loop: EventLoop
    var watch: SleepWatch?
    var events: [SleepWatch.Event] = []

    init(_ bus: SystemBus, retryUs: Int64 = SleepWatch.retryUs) throws {
      loop = try EventLoop()
      watch = try SleepWatch(
        loop: loop, who: "a test", why: "to see", address: bus.address, retryUs: retryUs
      ) { [unowned self] in events.append($0) }
    }

    func turn(_ logind: LoginManager?, until isDone: () -> Bool) throws {
      try Waiting.until("more than \(events)") {
        try loop.runOnce(timeoutUs: 2_000)
        try logind?.turn(milliseconds: 1)
        return isDone()
      }
    }
  }

  @Test func `the inhibitor is held until the sleep is allowed, and taken anew`() throws {
    let bus = try SystemBus()
    let logind = try LoginManager(on: bus)
    let bench = try Bench(bus)
    for round in 1...3 {
      try bench.turn(logind) { logind.held == 1 }
      try logind.prepareForSleep(true)
      try bench.turn(logind) { bench.events.count == 2 * round - 1 }
      #expect(bench.events.last == .sleeping && logind.held == 1)
      bench.watch?.allowSleep()
      #expect(logind.held == 0)
      try logind.prepareForSleep(false)
      try bench.turn(logind) { bench.events.count == 2 * round }
      #expect(bench.events.last == .awake)
      // Too late: the next one is not let go of.
      try bench.turn(logind) { logind.held == 1 }
      bench.watch?.allowSleep()
      #expect(logind.held == 1)
    }
    bench.watch = nil
    #expect(logind.held == 0)
  }

  @Test func `who never allows the sleep does not hold it up for ever`() throws {
    let bus = try SystemBus()
    let logind = try LoginManager(on: bus)
    let bench = try Bench(bus)
    try bench.turn(logind) { logind.held == 1 }
    let beganUs = EventLoop.clockUs()
    try logind.prepareForSleep(true)
    try bench.turn(logind) { logind.held == 0 }
    #expect(EventLoop.clockUs() - beganUs >= SleepWatch.patienceUs)
    #expect(bench.events == [.sleeping])
  }

  @Test func `a bus that goes and comes is told once and found again`() throws {
    let bus = try SystemBus()
    var logind: LoginManager? = try LoginManager(on: bus)
    let bench = try Bench(bus, retryUs: 20_000)
    try bench.turn(logind) { logind?.held == 1 }
    try logind?.prepareForSleep(true)
    try bench.turn(logind) { bench.events == [.sleeping] }
    logind = nil
    try bus.stop()
    // Nobody will tell that the machine is awake: it is taken for that.
    try bench.turn(nil) { bench.events.count == 3 }
    #expect(bench.events[1] == .awake)
    #expect(bench.events[2] == .unavailable("the system bus went away"))
    #expect(bench.watch?.isAvailable == false)
    // Some tries later it has not been told again.
    let untilUs = EventLoop.clockUs() + 100_000
    try bench.turn(nil) { EventLoop.clockUs() > untilUs }
    #expect(bench.events.count == 3)
    try bus.start()
    let again = try LoginManager(on: bus)
    try bench.turn(again) { again.held == 1 }
    try again.prepareForSleep(true)
    try bench.turn(again) { bench.events.count == 4 }
    #expect(bench.events[3] == .sleeping)
  }

  @Test func `a bus without logind is told, with the reason`() throws {
    let bus = try SystemBus()
    let bench = try Bench(bus)
    try bench.turn(nil) { !bench.events.isEmpty }
    guard case .unavailable(let reason) = bench.events[0] else {
      Issue.record("\(bench.events)")
      return
    }
    #expect(reason.contains("logind does not answer"))
    // One that comes later is asked as soon as it has its name, and nobody looks for it before.
    let logind = try LoginManager(on: bus)
    try bench.turn(logind) { logind.held == 1 }
    try logind.prepareForSleep(true)
    try bench.turn(logind) { bench.events.last == .sleeping }
    try logind.prepareForSleep(false)
    try bench.turn(logind) { bench.events.last == .awake && logind.held == 1 }
  }
}
