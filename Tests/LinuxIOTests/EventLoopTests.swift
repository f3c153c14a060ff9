// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import Testing

@Suite struct EventLoopTests {
  /// A pipe's two ends.
  final class Pipe {
    let reader: OwnedDescriptor
    let writer: OwnedDescriptor

    init() throws(Errno) {
      let pair = try UnixSocket.pair()
      reader = pair.first
      writer = pair.second
    }

    func write(_ text: String) throws {
      _ = try Array(text.utf8).withUnsafeBytes { try writer.write($0) }
    }

    func read() throws -> String {
      var bytes = [UInt8](repeating: 0, count: 256)
      let count = try bytes.withUnsafeMutableBytes { try reader.read(into: $0) }
      return String(decoding: bytes.prefix(count), as: UTF8.self)
    }
  }

  @Test func `a readable descriptor wakes its handler`() throws {
    let loop = try EventLoop()
    let pipe = try Pipe()
    var seen: [String] = []
    let source = try loop.watch(pipe.reader.rawValue, for: .readable) { interest in
      #expect(interest.contains(.readable))
      seen.append((try? pipe.read()) ?? "failed")
    }
    #expect(try loop.runOnce(timeoutUs: 0) == false)
    try pipe.write("one")
    #expect(try loop.runOnce(timeoutUs: 1_000_000))
    try pipe.write("two")
    #expect(try loop.runOnce(timeoutUs: 1_000_000))
    #expect(seen == ["one", "two"])
    source.cancel()
    try pipe.write("three")
    #expect(try loop.runOnce(timeoutUs: 1000) == false)
    #expect(seen.count == 2)
  }

  @Test func `a timer that is always late leaves others their turn`() throws {
    let loop = try EventLoop()
    let pipe = try Pipe()
    try pipe.write("a client's request")
    var rounds = 0
    var timer: TimerSource?
    timer = try loop.timer { _ in
      rounds += 1
      if rounds < 10_000 { timer?.arm(atUs: Int64(rounds)) } else { loop.exit(1) }
    }
    timer?.arm(atUs: 0)
    let source = try loop.watch(pipe.reader.rawValue, for: .readable, priority: 10) { _ in
      loop.exit(0)
    }
    #expect(try loop.run() == 0, "\(rounds) rounds")
    source.cancel()
    timer = nil
  }

  @Test func `interest changes at any time`() throws {
    let loop = try EventLoop()
    let pipe = try Pipe()
    var writable = 0
    let source = try loop.watch(pipe.writer.rawValue, for: []) { interest in
      if interest.contains(.writable) { writable += 1 }
    }
    #expect(try loop.runOnce(timeoutUs: 0) == false)
    source.interest = .writable
    #expect(try loop.runOnce(timeoutUs: 1_000_000))
    #expect(writable == 1)
    source.interest = []
    #expect(try loop.runOnce(timeoutUs: 0) == false)
    #expect(writable == 1)
  }

  @Test func `a handler may cancel its own source and drop it`() throws {
    let loop = try EventLoop()
    let pipe = try Pipe()
    var source: DescriptorSource?
    var calls = 0
    source = try loop.watch(pipe.reader.rawValue, for: .readable) { _ in
      calls += 1
      source?.cancel()
      source = nil
    }
    try pipe.write("x")
    #expect(try loop.runOnce(timeoutUs: 1_000_000))
    #expect(try loop.runOnce(timeoutUs: 1000) == false)
    #expect(calls == 1)
    #expect(source == nil)
  }

  @Test func `a handler may cancel another source that is due`() throws {
    let loop = try EventLoop()
    var order: [String] = []
    var second: DeferredSource?
    let first = try loop.deferred(priority: -1) {
      order.append("first")
      second?.cancel()
    }
    second = try loop.deferred(priority: 1) { order.append("second") }
    first.schedule()
    second?.schedule()
    while try loop.runOnce(timeoutUs: 0) {}
    #expect(order == ["first"])
  }

  @Test func `dropping the last reference ends the watch`() throws {
    let loop = try EventLoop()
    let pipe = try Pipe()
    var calls = 0
    var source: DescriptorSource? = try loop.watch(pipe.reader.rawValue, for: .readable) { _ in
      calls += 1
    }
    #expect(source?.isCancelled == false)
    source = nil
    try pipe.write("x")
    #expect(try loop.runOnce(timeoutUs: 1000) == false)
    #expect(calls == 0)
  }

  @Test func `the end of the peer is a hangup`() throws {
    let loop = try EventLoop()
    let pair = try UnixSocket.pair()
    let reader = pair.first
    let writer = pair.second
    var seen: Interest = []
    let source = try loop.watch(reader.rawValue, for: .readable) { seen = $0 }
    close(writer.release())
    #expect(try loop.runOnce(timeoutUs: 1_000_000))
    #expect(seen.contains(.hangup) && seen.contains(.readable))
    source.cancel()
  }

  @Test func `timers fire once, in order, not early`() throws {
    let loop = try EventLoop()
    var fired: [Int64] = []
    var lateUs: Int64 = 0
    func note(_ dueUs: Int64) {
      fired.append(dueUs)
      lateUs = max(lateUs, EventLoop.clockUs() - dueUs)
      #expect(EventLoop.clockUs() >= dueUs)
    }
    let startUs = EventLoop.clockUs()
    let late = try loop.timer(handler: note)
    let early = try loop.timer(handler: note)
    late.arm(atUs: startUs + 30_000)
    early.arm(atUs: startUs + 10_000)
    #expect(early.armedForUs == startUs + 10_000)
    while fired.count < 2, EventLoop.clockUs() < startUs + 2_000_000 {
      try loop.runOnce(timeoutUs: 100_000)
    }
    #expect(fired == [startUs + 10_000, startUs + 30_000])
    #expect(early.armedForUs == nil)
    #expect(try loop.runOnce(timeoutUs: 20_000) == false)
    // sd-event's default accuracy of 250 ms would show here.
    #expect(lateUs < 150_000)
  }

  @Test func `a disarmed timer stays silent and a timer may arm itself anew`() throws {
    let loop = try EventLoop()
    var count = 0
    let silent = try loop.timer { _ in Issue.record("disarmed") }
    silent.arm(atUs: EventLoop.clockUs() + 5000)
    silent.disarm()
    var ticker: TimerSource?
    ticker = try loop.timer { dueUs in
      count += 1
      if count < 5 { ticker?.arm(atUs: dueUs + 1000) } else { loop.exit(7) }
    }
    // A time that has passed fires at once.
    ticker?.arm(atUs: 0)
    #expect(try loop.run() == 7)
    #expect(count == 5)
  }

  @Test func `signals arrive as events`() throws {
    let loop = try EventLoop()
    var seen: [CInt] = []
    let source = try loop.signal(SIGUSR2) {
      seen.append($0)
      loop.exit(0)
    }
    pthread_kill(pthread_self(), SIGUSR2)
    #expect(try loop.run() == 0)
    #expect(seen == [SIGUSR2])
    source.cancel()
  }

  @Test func `posted work runs in order, later, and may post again`() throws {
    let loop = try EventLoop()
    var order: [Int] = []
    try loop.post {
      order.append(1)
      try? loop.post { order.append(3) }
    }
    try loop.post { order.append(2) }
    #expect(order.isEmpty)
    while try loop.runOnce(timeoutUs: 0) {}
    #expect(order == [1, 2, 3])
  }

  @Test func `scheduling twice is running once`() throws {
    let loop = try EventLoop()
    var runs = 0
    let source = try loop.deferred { runs += 1 }
    source.schedule()
    source.schedule()
    while try loop.runOnce(timeoutUs: 0) {}
    #expect(runs == 1)
    source.schedule()
    while try loop.runOnce(timeoutUs: 0) {}
    #expect(runs == 2)
  }

  @Test func `smaller priorities go first`() throws {
    let loop = try EventLoop()
    var order: [Int64] = []
    let sources = try [50, -50, 0].map { (priority: Int64) in
      try loop.deferred(priority: priority) { order.append(priority) }
    }
    for source in sources { source.schedule() }
    while try loop.runOnce(timeoutUs: 0) {}
    #expect(order == [-50, 0, 50])
  }

  @Test func `another thread wakes the loop`() async throws {
    let wakeup = try Wakeup()
    let ring = Task.detached {
      for _ in 0..<3 { wakeup.ring() }
    }
    await ring.value
    let loop = try EventLoop()
    var calls = 0
    let source = try loop.watch(wakeup.descriptor, for: .readable) { _ in
      wakeup.clear()
      calls += 1
    }
    while try loop.runOnce(timeoutUs: 1000) {}
    #expect(calls == 1)
    source.cancel()
  }

  @Test func `a closed descriptor cannot be watched`() throws {
    let loop = try EventLoop()
    #expect(throws: Errno.badDescriptor) {
      _ = try loop.watch(1_000_000, for: .readable) { _ in }
    }
  }

  @Test func `errors have names`() {
    #expect(Errno.accessDenied.name == "EACCES")
    #expect(Errno.accessDenied.description == "EACCES (Permission denied)")
    #expect(Errno(rawValue: 4711).description == "errno 4711")
  }

  @Test func `no watchdog is asked for without a service manager`() throws {
    #expect(try EventLoop().enableWatchdog() == false)
  }
}
