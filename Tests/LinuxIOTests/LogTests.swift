// SPDX-License-Identifier: Apache-2.0

import Glibc
import Testing

@testable import LinuxIO

@Suite struct LogTests {
  @Test func `a log drops what is below its threshold unmade`() {
    var lines: [String] = []
    let log = Log(threshold: .notice) { level, message, fields in
      lines.append("\(level.name) \(message) \(fields.map { "\($0.0)=\($0.1)" })")
    }
    func costly() -> String {
      Issue.record("made for nothing")
      return ""
    }
    log.info(costly())
    log.debug(costly())
    log.warning("panel gone", ["DEVICE": "event3", "DISPLAY": ""])
    log(.critical, "no loop")
    #expect(lines == ["warning panel gone [\"DEVICE=event3\"]", "critical no loop []"])
  }

  @Test func `what one place says again and again is counted, other places are not held up`() {
    var throttle = LogThrottle()
    let storm = LogThrottle.Place(file: "a", line: 1, level: .warning)
    let other = LogThrottle.Place(file: "a", line: 2, level: .warning)
    var passed = 0
    for step in 0..<1000 {
      if throttle.passes(storm, "client \(step)", nowUs: Int64(step) * 1000) { passed += 1 }
      let early = throttle.summaries(nowUs: Int64(step) * 1000)
      #expect(early.isEmpty)
    }
    #expect(passed == LogThrottle.burst)
    let isOtherHeldUp = !throttle.passes(other, "x", nowUs: 1_000_000)
    #expect(!isOtherHeldUp)
    let told = throttle.summaries(nowUs: LogThrottle.intervalUs + 1_000_000)
    #expect(told.map(\.message) == ["980 more lines like this: client 999"])
    #expect(told.map(\.level) == [.warning])
    // Once; and all may speak again.
    let again = throttle.summaries(nowUs: .max)
    let speaks = throttle.passes(storm, "again", nowUs: 2 * LogThrottle.intervalUs)
    #expect(again.isEmpty && speaks)
  }

  @Test func `a log tells at its end what it held back, and holds no debugging back`() {
    var lines: [String] = []
    let log = Log { level, message, _ in lines.append("\(level.name) \(message)") }
    for step in 0..<50 {
      log.warning("w\(step)")
      log.debug("d")
    }
    let copy = log
    copy.tellHeld(isEnding: true)
    #expect(lines.count { $0 == "debug d" } == 50)
    #expect(lines.count { $0.hasPrefix("warning w") } == LogThrottle.burst)
    #expect(lines.last == "warning 30 more lines like this: w49")
  }

  @Test func `what is held back is told in time, and then nothing wakes`() throws {
    let loop = try EventLoop()
    var lines: [String] = []
    let log = Log(throttle: LogThrottle(intervalUs: 50_000)) { level, message, _ in
      lines.append("\(level.name) \(message)")
    }
    try log.tellHeldInTime(on: loop)
    for step in 0..<LogThrottle.burst { log.warning("w\(step)") }
    // Nothing is held back yet.
    #expect(try !loop.runOnce(timeoutUs: 100_000))
    for step in 0..<LogThrottle.burst + 5 { log.warning("v\(step)") }
    #expect(lines.last == "warning v19")
    #expect(try loop.runOnce(timeoutUs: 10_000_000))
    #expect(lines.last == "warning 5 more lines like this: v24")
    #expect(try !loop.runOnce(timeoutUs: 100_000))
  }

  @Test func `a line stays one line`() {
    let line = Journal.line("detentd", .error, "two\nlines", [("FILE", "a\r\nb")])
    #expect(line == "detentd: error: two lines FILE=a b\n")
  }

  @Test func `the journal is recognised by its stream`() throws {
    let pair = try UnixSocket.pair()
    var status = stat()
    #expect(fstat(pair.first.rawValue, &status) == 0)
    let name = "\(status.st_dev):\(status.st_ino)"
    #expect(Journal.leadsToJournal(pair.first.rawValue, stream: name))
    #expect(!Journal.leadsToJournal(pair.second.rawValue, stream: name))
    #expect(!Journal.leadsToJournal(pair.first.rawValue, stream: nil))
    #expect(!Journal.leadsToJournal(pair.first.rawValue, stream: "nonsense"))
  }

  @Test func `a burst passes and the rest is counted`() {
    var limit = RateLimit(burst: 2, intervalUs: 1000)
    #expect(limit.pass(nowUs: 0) == 0)
    #expect(limit.pass(nowUs: 10) == 0)
    #expect(limit.pass(nowUs: 20) == nil)
    #expect(limit.pass(nowUs: 999) == nil)
    #expect(limit.pass(nowUs: 1000) == 2)
    #expect(limit.pass(nowUs: 1001) == 0)
    #expect(limit.pass(nowUs: 1002) == nil)
  }
}
