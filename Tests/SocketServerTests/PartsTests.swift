// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import Testing
import Wire

@testable import SocketServer

@Suite struct MotionThinnerTests {
  fileprivate func line(_ timeUs: Int64) -> SharedLine { SharedLine(JSONWriter(), madeUs: timeUs) }

  /// When motions that come every `intervalUs` are sent.
  private func sent(hertz: Double?, every intervalUs: Int64, for lengthUs: Int64) -> [Int64] {
    var thinner = MotionThinner(hertz: hertz)
    var sent: [Int64] = []
    for timeUs in stride(from: 0, through: lengthUs, by: Int64.Stride(intervalUs)) {
      while let dueUs = thinner.nextDueUs, dueUs <= timeUs {
        sent += thinner.takeDue(nowUs: dueUs).map(\.line.madeUs)
      }
      if thinner.admits(line(timeUs), of: "p", nowUs: timeUs) { sent.append(timeUs) }
    }
    if let last = thinner.release("p") { sent.append(last.madeUs) }
    return sent
  }

  @Test func `without a rate all are sent`() {
    #expect(sent(hertz: nil, every: 1000, for: 100_000).count == 101)
  }

  @Test(arguments: [1.0, 10, 30, 60, 120])
  func `no more come than were asked for, and the last comes always`(hertz: Double) {
    for intervalUs: Int64 in [1000, 4000, 7000, 16_667, 40_000] {
      let times = sent(hertz: hertz, every: intervalUs, for: 4_000_000)
      let all = 4_000_000 / Double(intervalUs) + 1
      #expect(Double(times.count) <= min(all, hertz * 4 * 1.02) + 2)
      #expect(Double(times.count) >= min(all, hertz * 4) * 0.7)
      #expect(times.last == 4_000_000 / intervalUs * intervalUs)
      #expect(times == times.sorted())
    }
  }

  @Test func `frames at the rate that was asked for all pass, with some jitter`() {
    var thinner = MotionThinner(hertz: 60)
    for frame in 0..<600 {
      let timeUs = Int64(frame) * 16_667 + [0, 900, -900, 300][frame % 4] + 1000
      let admits = thinner.admits(line(timeUs), of: "p", nowUs: timeUs)
      #expect(admits)
    }
  }

  @Test func `pickers have a pace of their own, and a pause is no credit`() {
    var thinner = MotionThinner(hertz: 10)
    func admits(_ timeUs: Int64, _ picker: String) -> Bool {
      thinner.admits(line(timeUs), of: picker, nowUs: timeUs)
    }
    let first = [admits(0, "p"), admits(1, "q"), admits(2, "p"), admits(3, "p")]
    #expect(first == [true, true, false, false])
    #expect(thinner.nextDueUs == 100_000)
    let due = thinner.takeDue(nowUs: 100_000)
    #expect(due.map(\.line.madeUs) == [3])
    #expect(thinner.nextDueUs == nil)
    let later = [admits(9_000_000, "p"), admits(9_000_001, "p")]
    #expect(later == [true, false])
    let released = [thinner.release("p"), thinner.release("p")]
    #expect(released[0]?.madeUs == 9_000_001)
    #expect(released[1] == nil)
  }
}

extension MotionThinnerTests {
  @Test func `what is held never comes behind something later`() {
    var thinner = MotionThinner(hertz: 10)
    func hold(_ timeUs: Int64) {
      let isSent = thinner.admits(line(timeUs), of: "p", nowUs: timeUs)
      #expect(!isSent)
    }
    let isFirstSent = thinner.admits(line(0), of: "p", nowUs: 0)
    #expect(isFirstSent)
    hold(10)
    // A tick of another picker, and one of the same frame.
    thinner.outdate("q", nowUs: 20)
    thinner.outdate("p", nowUs: 10)
    #expect(thinner.nextDueUs == 100_000)
    thinner.outdate("p", nowUs: 20)
    #expect(thinner.nextDueUs == nil)
    hold(20)
    let last = thinner.release("p")
    #expect(last?.madeUs == 20)
  }
}

@Suite struct SubscriptionTests {
  private func subscription(_ text: String) throws -> Subscription {
    guard case .object(let members) = try JSONParser.value(of: Array(text.utf8)) else {
      throw TestTimeout()
    }
    var params = Params(members)
    let subscription = try Subscription(&params)
    try params.finish()
    return subscription
  }

  @Test func `left out means all but motion`() throws {
    let all = try subscription("{}")
    #expect(all.events == Set(EventName.allCases).subtracting([.motion]))
    #expect(all.wants(.selection, picker: "a") && all.wants(.device, picker: nil))
    #expect(!all.wantsMotion)
    #expect(try subscription(#"{"motion_hz":30}"#).wantsMotion)
    #expect(try !subscription(#"{"motion_hz":30,"events":["tick"]}"#).wantsMotion)
  }

  @Test func `filters hold`() throws {
    let some = try subscription(#"{"pickers":["a"],"events":["selection","motion","focus"]}"#)
    #expect(some.wants(.selection, picker: "a"))
    #expect(!some.wants(.selection, picker: "b"))
    #expect(!some.wants(.tick, picker: "a"))
    #expect(some.wants(.motion, picker: "a"))
    // The focus is one for all.
    #expect(some.wants(.focus, picker: "b"))
    #expect(try !subscription(#"{"events":[]}"#).wants(.selection, picker: "a"))
    #expect(try !subscription(#"{"pickers":[]}"#).wants(.selection, picker: "a"))
    #expect(try subscription(#"{"pickers":[]}"#).wants(.activity, picker: nil))
  }

  @Test(arguments: [
    (#"{"pickers":"a"}"#, "pickers"), (#"{"pickers":[1]}"#, "pickers"),
    (#"{"pickers":null}"#, "pickers"),
    (#"{"events":["x"]}"#, "events"), (#"{"events":{}}"#, "events"),
    (#"{"motion_hz":0}"#, "motion_hz"),
    (#"{"motion_hz":"60"}"#, "motion_hz"), (#"{"motion_hz":1001}"#, "motion_hz"),
    (#"{"x":1}"#, "x"),
  ])
  func `what is wrong is named`(text: String, field: String) {
    #expect {
      try subscription(text)
    } throws: { error in
      let error = error as? RPCError
      return error?.code == .invalidParams && error?.field == field
    }
  }
}

@Suite struct DelayHistogramTests {
  @Test func `shares are told to a power of two`() {
    var histogram = DelayHistogram()
    #expect(histogram.within(0.5) == 0)
    for _ in 0..<98 { histogram.add(10) }
    histogram.add(-5)
    histogram.add(5000)
    #expect(histogram.count == 100)
    #expect(histogram.longestUs == 5000)
    #expect(histogram.within(0.5) == 16)
    #expect(histogram.within(0.99) == 16)
    #expect(histogram.within(1) == 5000)
  }
}

@Suite final class ControlListTests {
  let pair: SocketPair
  let me: PeerCredentials

  init() throws {
    pair = try UnixSocket.pair()
    me = try PeerCredentials(of: pair.first.rawValue)
  }

  @Test func `an empty list lets all in`() {
    #expect(ControlList([]).permits(me, socket: pair.first.rawValue))
  }

  @Test func `users and groups are known by their names`() {
    let user = Accounts.userName(getuid())
    let group = Accounts.groupName(getgid())
    #expect(ControlList([user]).permits(me, socket: pair.first.rawValue))
    #expect(ControlList([group]).permits(me, socket: pair.first.rawValue))
    #expect(ControlList(["no-such-name", user]).permits(me, socket: pair.first.rawValue))
  }

  @Test func `nobody else is let in, root not excepted`() {
    let list = ControlList(["no-such-name"])
    #expect(!list.permits(me, socket: pair.first.rawValue))
    #expect(
      !list.permits(PeerCredentials(pid: 1, uid: 0, gid: 0), socket: pair.first.rawValue))
  }
}
