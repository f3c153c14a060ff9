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
    log.warning("panel gone", ["DEVICE": "event3"])
    log(.critical, "no loop")
    #expect(lines == ["warning panel gone [\"DEVICE=event3\"]", "critical no loop []"])
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
