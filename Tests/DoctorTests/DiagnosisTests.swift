// SPDX-License-Identifier: Apache-2.0

import Gestures
import InputDevices
import Testing

@testable import Doctor

/// From facts to conclusions: what is broken is named, and nothing else is.
@Suite struct DiagnosisTests {
  private static func panel(_ change: (inout NodeReport) -> Void = { _ in }) -> NodeReport {
    var report = NodeReport(node: "/dev/input/event3", name: "Panel", classes: ["touchscreen"])
    report.kind = .touchscreen
    report.ownership = "root:detent 0660"
    report.widthMM = 520
    report.heightMM = 290
    change(&report)
    return report
  }

  private static func healthy(_ change: (inout DoctorFacts) -> Void = { _ in }) -> DoctorFacts {
    var facts = DoctorFacts()
    facts.user = "detent"
    facts.configuration = .fine(
      file: "detent.toml", displays: [DoctorFacts.DisplayFacts(id: "main", touchscreen: nil)],
      pickerCount: 2)
    facts.nodes = [DoctorFacts.NodeFacts(report: panel(), isGrabbed: false)]
    facts.motors = [DoctorFacts.MotorFacts(node: "/dev/input/event9", name: "drv260x:haptics")]
    facts.socketPath = "/run/detent/detent.sock"
    facts.socket = .answers(version: "1")
    facts.unit = "active"
    facts.usedNodes = ["/dev/input/event3"]
    change(&facts)
    return facts
  }

  private func faults(_ facts: DoctorFacts) -> [Finding] {
    Diagnosis(facts).findings.filter { $0.state == .fault }
  }

  @Test func `a healthy kiosk has no fault`() {
    let diagnosis = Diagnosis(Self.healthy())
    #expect(diagnosis.touchCanWork)
    #expect(!diagnosis.findings.contains { $0.state == .fault })
    #expect(diagnosis.findings.allSatisfy { !$0.line.contains("\n") })
  }

  @Test func `eyes that are not the service's are told of`() throws {
    let facts = Self.healthy {
      $0.user = "root"
      $0.accountProblem = "EPERM (Operation not permitted)"
    }
    let finding = try #require(Diagnosis(facts).findings.first { $0.subject == "account" })
    #expect(
      finding.state == .note && finding.text.contains("EPERM") && finding.text.contains("root"))
    #expect(!Diagnosis(Self.healthy()).findings.contains { $0.subject == "account" })
  }

  struct Case: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var facts: DoctorFacts
    var subject: String
    var words: [String]
    var isFatal = true
  }

  private static func node(
    _ report: NodeReport, grabbed: Bool? = false, holders: [String] = []
  ) -> [DoctorFacts.NodeFacts] {
    [DoctorFacts.NodeFacts(report: report, isGrabbed: grabbed, holders: holders)]
  }

  static let cases: [Case] = [
    Case(
      testDescription: "no permission",
      facts: healthy {
        $0.nodes = node(
          panel {
            $0.kind = nil
            $0.refusal = "EACCES: it is root:root 0600; no group may open it"
            $0.isFault = true
          }, grabbed: nil)
      }, subject: "/dev/input/event3", words: ["EACCES", "root:root 0600"]),
    Case(
      testDescription: "grabbed by another",
      facts: healthy { $0.nodes = node(panel(), grabbed: true, holders: ["weston (812)"]) },
      subject: "/dev/input/event3", words: ["EVIOCGRAB", "weston (812)"]),
    Case(
      testDescription: "wrong seat",
      facts: healthy {
        $0.nodes = node(
          panel {
            $0.kind = nil
            $0.seat = "seat1"
            $0.refusal = "it belongs to seat1, not to seat0"
          }, grabbed: nil)
      }, subject: "/dev/input/event3", words: ["seat1"]),
    Case(
      testDescription: "keyboard only",
      facts: healthy {
        $0.nodes = node(
          NodeReport(node: "/dev/input/event0", name: "Keys", classes: ["keyboard"]), grabbed: nil)
      }, subject: "devices", words: ["only keyboards"]),
    Case(
      testDescription: "no devices", facts: healthy { $0.nodes = [] }, subject: "devices",
      words: ["no input device", "cable"]),
    Case(
      testDescription: "no udev", facts: healthy { $0.hasUdev = false }, subject: "udev",
      words: ["/run/udev"]),
    Case(
      testDescription: "service down",
      facts: healthy {
        $0.unit = "failed"
        $0.socket = .missing
        $0.usedNodes = nil
      }, subject: "service", words: ["failed", "systemctl start detent"]),
    Case(
      testDescription: "socket unreadable",
      facts: healthy { $0.socket = .denied(ownership: "root:detent 0660") }, subject: "socket",
      words: ["root:detent 0660", "usermod"]),
    Case(
      testDescription: "stale socket", facts: healthy { $0.socket = .refused }, subject: "socket",
      words: ["nobody listens"]),
    Case(
      testDescription: "a service that hangs", facts: healthy { $0.socket = .silent },
      subject: "socket", words: ["restart"]),
    Case(
      testDescription: "broken configuration",
      facts: healthy {
        $0.configuration = .broken(
          file: "detent.toml", problems: ["detent.toml:3:1: displai: unknown key"])
      }, subject: "configuration", words: ["detent.toml:3:1"]),
    Case(
      testDescription: "motor without permission",
      facts: healthy {
        $0.motors = [
          DoctorFacts.MotorFacts(
            node: "/dev/input/event9", name: "drv260x:haptics", problem: "EACCES: add a rule")
        ]
      }, subject: "motor /dev/input/event9", words: ["EACCES"], isFatal: false),
    Case(
      testDescription: "a display names another panel",
      facts: healthy {
        $0.configuration = .fine(
          file: "f",
          displays: [
            DoctorFacts.DisplayFacts(
              id: "left", touchscreen: Glob("Goodix*").map { DeviceMatch(name: $0) })
          ], pickerCount: 1)
      }, subject: "display left", words: ["\"Panel\""], isFatal: false),
    Case(
      testDescription: "the service does not use what it could",
      facts: healthy { $0.usedNodes = [] }, subject: "/dev/input/event3",
      words: ["the running service does not"], isFatal: false),
    Case(
      testDescription: "nothing came", facts: healthy { $0.touched = ([], 5) }, subject: "touch",
      words: ["nothing came"]),
  ]

  @Test(arguments: cases)
  func `what is broken is named with the cure`(broken: Case) throws {
    let diagnosis = Diagnosis(broken.facts)
    let faults = diagnosis.findings.filter { $0.state == .fault }
    let fault = try #require(faults.first { $0.subject.hasPrefix(broken.subject) }, "\(faults)")
    for word in broken.words { #expect(fault.line.contains(word), "\(fault.line)") }
    #expect(diagnosis.touchCanWork == !broken.isFatal)
  }

  @Test func `rates are those of the frames within a contact`() {
    let times = (0..<50).map { Int64($0) * 8000 } + (0..<50).map { 3_000_000 + Int64($0) * 8000 }
    #expect(RateMeter.hertz(times) == 125)
    #expect(RateMeter.hertz([0, 8000]) == nil)
  }
}
