// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Testing
import Wire
import WireTestSupport

/// `detentctl` against a daemon.
@Suite(.enabled(if: DaemonProcess.isBuilt, "\(DaemonProcess.needsBinary)"))
struct ToolTests {
  private let daemon: DaemonProcess

  init() throws {
    let text = SystemFiles.text(of: SharedFixtures.tree + "/examples/demo.toml")
    daemon = try DaemonProcess(
      configuration: try #require(text),
      arguments: ["--play", SharedFixtures.tree + "/Tests/Tables/quiet.jsonl"])
  }

  /// Runs the tool; its lines and how it ended.
  private func run(
    _ words: String..., rest: [String] = []
  ) throws -> (lines: [String], ending: ChildProcess.Ending) {
    let process = try start(words + rest)
    let ending = try process.waitForEnd()
    return (ending == .exited(0) ? process.outputLines : process.errorLines, ending)
  }

  private func start(_ words: [String]) throws -> ChildProcess {
    try ChildProcess(
      [DaemonProcess.binaries + "/detentctl"] + words,
      environment: ["DETENT_SOCKET": daemon.socket])
  }

  @Test func `list, get, select and move say what is selected`() throws {
    #expect(
      try run("list").lines == [
        "weight  ruler  72 kg", "accent  swatches  Blue", "menu  carousel  Espresso",
        "strength  radial  5",
      ])
    #expect(try run("get", "weight").lines == ["72"])
    #expect(try run("select", "weight", "80").lines == ["weight  ruler  80 kg"])
    #expect(try run("select", "menu", "tea").lines == ["menu  carousel  Tea"])
    #expect(try run("select", "accent", "--index", "0").lines == ["accent  swatches  Purple"])
    #expect(try run("select", "accent", "--null").lines == ["accent  swatches  nothing selected"])
    #expect(try run("get", "accent").lines == ["null"])
    #expect(try run("move", "weight", "-8").lines == ["weight  ruler  72 kg"])
    let refused = try run("select", "weight", "500")
    #expect(refused.ending == .exited(1) && refused.lines.first?.contains("value") == true)
    let state = try JSONParser.value(
      of: Array(try #require(run("get", "weight", "--json").lines.first).utf8))
    #expect(SchemaValidator().problems(of: state, as: "state") == [])
  }

  @Test func `monitor prints lines as they came, or titles`() throws {
    let lines = try start(["monitor", "weight"])
    let titles = try start(["monitor", "--titles"])
    try Waiting.until("two subscriptions") {
      let stats = try daemon.client.request("stats")["result"]
      guard case .array(let all)? = stats?["connections"] else { return false }
      return all.count { $0["subscribed"] == true } == 2
    }
    _ = try run("select", "menu", "tea")
    _ = try run("select", "weight", "81")
    try titles.waitForLine("a title") { $0 == "81 kg" }
    #expect(titles.outputLines == ["Tea", "81 kg"])
    let line = try lines.waitForLine("a selection") { $0.contains(#""method":"selection""#) }
    #expect(SchemaValidator().problems(ofLine: try JSONParser.value(of: Array(line.utf8))) == [])
    try daemon.stop()
    #expect(try lines.waitForEnd() == .exited(0))
    #expect(try titles.waitForEnd() == .exited(0))
  }

  @Test func `a daemon that hangs is told of, by every command`() throws {
    daemon.signal(SIGSTOP)
    defer { daemon.signal(SIGCONT) }
    let greeted = try ScriptedServer([[ScriptedServer.hello(), .waitForEnd]])
    defer { greeted.stop() }
    let commands = [
      ["list"], ["get", "weight"], ["select", "weight", "80"], ["move", "weight", "1"],
      ["add", "{}"], ["remove", "weight"], ["focus"], ["inhibit", "--", "true"], ["play", "tick"],
      ["devices"], ["stats"], ["reload"], ["monitor"], ["watch"], ["watch", "--once"],
      ["list", "--socket", greeted.socket],
    ]
    let tools = try commands.map { try start($0) }
    let doctor = try start(["doctor", "--socket", greeted.socket])
    for (tool, command) in zip(tools, commands) {
      #expect(try tool.waitForEnd(seconds: 30) == .exited(69), "\(command)")
      let line = try #require(tool.errorLines.first, "\(command)")
      let socket = command.contains(greeted.socket) ? greeted.socket : daemon.socket
      #expect(line.hasPrefix("detentctl: \(socket): "), "\(command)")
      #expect(line.contains("systemctl restart detent"), "\(command)")
    }
    try doctor.waitForEnd(seconds: 30)
    #expect(doctor.outputLines.contains { $0.contains("hangs") }, "\(doctor.outputLines)")
  }

  @Test func `inhibit gives its command the signals and the status that a shell would`() throws {
    func ending(_ command: String...) throws -> ChildProcess.Ending {
      try run("inhibit", "--", rest: command).ending
    }
    #expect(try ending("sh", "-c", "exit 3") == .exited(3))
    #expect(try ending("sh", "-c", "kill -9 $$") == .exited(137))
    #expect(try ending("no-such-command") == .exited(127))
    #expect(try ending("/etc/passwd") == .exited(126))
    // None is blocked; SIGPIPE is not ignored.
    let status = try run("inhibit", "--", "grep", "^Sig[BI]", "/proc/self/status").lines
    for line in status {
      let bits = try #require(line.split(separator: "\t").last.flatMap { Int($0, radix: 16) })
      #expect(bits & (1 << (SIGPIPE - 1) | 1 << (SIGTERM - 1) | 1 << (SIGCHLD - 1)) == 0, "\(line)")
    }
    #expect(status.count == 2)
    // One that tidies up is let do so, and then the lease ends.
    let tool = try start([
      "inhibit", "--", "sh", "-c",
      "trap 'kill $!; echo tidy; exit 5' TERM; echo ready; sleep 60 & wait",
    ])
    try tool.waitForLine("the command") { $0 == "ready" }
    tool.signal(SIGTERM)
    #expect(try tool.waitForEnd() == .exited(5))
    #expect(tool.outputLines == ["ready", "tidy"])
  }

  @Test func `watch draws once, and without a terminal prints lines`() throws {
    let drawn = try run("watch", "--once").lines.joined(separator: "\n")
    for title in ["72 kg", "Espresso", "accent"] { #expect(drawn.contains(title)) }
    let watch = try start(["watch"])
    try watch.waitForLine("the first state") { $0 == "strength: 5" }
    _ = try run("select", "weight", "81")
    try watch.waitForLine("the selection") { $0 == "weight: 81 kg (select)" }
  }

  @Test func `stats tell counts, delays and clients`() throws {
    let lines = try run("stats").lines
    #expect(lines.contains("pickers: 4"))
    #expect(lines.contains { $0.hasPrefix("request_time: ") && $0.contains("99 % within") })
    #expect(lines.contains { $0.hasPrefix("client ") && $0.contains("of user \(getuid())") })
    let json = try #require(run("stats", "--json").lines.first)
    let stats = try JSONParser.value(of: Array(json.utf8))
    #expect(SchemaValidator().problems(of: stats, as: "result.stats") == [])
  }

  @Test func `stats for Prometheus are in its text format`() throws {
    for _ in 0..<5 { _ = try run("get", "weight") }
    let lines = try run("stats", "--prometheus").lines
    var types: [Substring: Substring] = [:]
    var samples: [Substring: [(bound: Double?, value: Double)]] = [:]
    for line in lines {
      if let match = line.wholeMatch(of: /# TYPE (detent_[a-z_]+) (counter|gauge|histogram)/) {
        #expect(types.updateValue(match.2, forKey: match.1) == nil, "\(line) stands there twice")
        continue
      }
      let sample = /(detent_[a-z_]+?)(_bucket\{le="([0-9.]+|\+Inf)"\}|_sum|_count)? ([0-9.]+)/
      let match = try #require(line.wholeMatch(of: sample), "\(line)")
      let type = try #require(types[match.1] ?? types["\(match.1)\(match.2 ?? "")"], "\(line)")
      if type == "counter" { #expect(match.1.hasSuffix("_total"), "\(line)") }
      let bound = match.3.map { $0 == "+Inf" ? Double.infinity : Double($0) ?? .nan }
      samples[match.1, default: []].append((bound, try #require(Double(match.4), "\(line)")))
    }
    #expect(types["detent_pickers"] == "gauge" && types["detent_requests_total"] == "counter")
    let requests = try #require(samples["detent_request_time_seconds"])
    let buckets = requests.filter { $0.bound != nil }
    #expect(buckets.count > 2 && buckets.last?.bound == .infinity)
    for (lower, upper) in zip(buckets, buckets.dropFirst()) {
      #expect((lower.bound ?? 0) < (upper.bound ?? 0) && lower.value <= upper.value)
    }
    #expect(buckets.last?.value == requests.last?.value)
  }
}
