// SPDX-License-Identifier: Apache-2.0

import Gestures
import InputDevices

/// Concludes from facts why touches do not arrive, or that they should.
package struct Diagnosis: Sendable {
  /// What was found, in the order in which a touch travels.
  package private(set) var findings: [Finding] = []
  /// Whether touches can reach applications.
  package private(set) var touchCanWork = true

  private let facts: DoctorFacts

  /// The conclusions from facts.
  package init(_ facts: DoctorFacts) {
    self.facts = facts
    account()
    configuration()
    nodes()
    displays()
    motors()
    service()
    touched()
  }

  private mutating func say(
    _ subject: String, _ state: Finding.State, _ text: String, cure: String? = nil,
    isFatal: Bool = false
  ) {
    findings.append(Finding(subject, state, text, cure: cure))
    if isFatal { touchCanWork = false }
  }

  private mutating func account() {
    guard let problem = facts.accountProblem else { return }
    say(
      "account", .note,
      "this user may not become the service's, \(problem): what follows is seen by \(facts.user), who may open more",
      cure: "run it as root with CAP_SETUID and CAP_SETGID, as outside of a container")
  }

  private mutating func configuration() {
    switch facts.configuration {
    case .broken(let file, let problems):
      for problem in problems {
        say("configuration", .fault, problem, isFatal: true)
      }
      if problems.isEmpty { say("configuration", .fault, "\(file) cannot be used", isFatal: true) }
    case .fine(let file, let displays, let pickerCount):
      say("configuration", .fine, "\(file): displays \(displays.count), pickers \(pickerCount)")
      if pickerCount == 0 {
        say(
          "configuration", .note, "there is no [[picker]]; touches select nothing",
          cure: "add one, unless applications add theirs")
      }
    }
  }

  // MARK: Nodes

  private var usable: [DoctorFacts.NodeFacts] {
    facts.nodes.filter { $0.report.kind != nil && $0.isGrabbed != true }
  }

  private mutating func nodes() {
    if !facts.hasUdev {
      say(
        "udev", .fault, "there is no /run/udev, so no device can be told from another",
        cure: "start systemd-udevd; in a container mount /run/udev read-only", isFatal: true)
    }
    for node in facts.nodes { say(of: node) }
    guard usable.isEmpty else { return }
    if facts.nodes.isEmpty {
      say(
        "devices", .fault, "the kernel has no input device",
        cure: "look at the cable and at dmesg for the driver; in a container pass /dev/input in",
        isFatal: true)
    } else if facts.nodes.allSatisfy({ !$0.report.isFault && $0.isGrabbed != true }),
      !facts.nodes.contains(where: { isOtherSeat($0.report) })
    {
      say(
        "devices", .fault, "there are only keyboards, mice and the like, no panel, pad or knob",
        cure: "look at the panel's USB or I2C cable and at dmesg for its driver", isFatal: true)
    } else {
      say("devices", .fault, "no device can be used, for the reasons above", isFatal: true)
    }
  }

  private func isOtherSeat(_ report: NodeReport) -> Bool {
    report.kind == nil && report.seat != facts.seat && isTouch(report)
  }

  private func isTouch(_ report: NodeReport) -> Bool {
    report.classes.contains { ["touchscreen", "touchpad", "tablet"].contains($0) }
  }

  private mutating func say(of node: DoctorFacts.NodeFacts) {
    let report = node.report
    let subject = "\(report.node) \"\(report.name)\""
    guard let kind = report.kind else {
      let isFault = report.isFault || isOtherSeat(report)
      say(subject, isFault ? .fault : .note, "not used: \(report.refusal ?? "no reason is known")")
      return
    }
    if node.isGrabbed == true {
      let holders = node.holders.isEmpty ? "another process" : node.holders.joined(separator: ", ")
      say(
        subject, .fault, "another process has it alone (EVIOCGRAB); it is open in \(holders)",
        cure: "stop that program's grab, for touches to arrive here too")
      return
    }
    var words = "\(kind.rawValue), \(report.ownership)"
    if let width = report.widthMM, let height = report.heightMM {
      words += ", \(Int(width.rounded())) × \(Int(height.rounded())) mm"
    }
    if report.slots > 0 { words += ", \(report.slots) fingers" }
    if let calibration = report.calibration { words += ", calibrated by \(calibration)" }
    say(subject, .fine, words)
    if kind == .touchscreen, report.widthMM == nil {
      say(
        subject, .note, "does not tell its size, so taps may wander 10 points",
        cure: "a hwdb entry with EVDEV_ABS_35 and EVDEV_ABS_36 resolutions tells it")
    }
    if let used = facts.usedNodes, !used.contains(report.node) {
      say(
        subject, .fault, "\(facts.user) can use it, but the running service does not",
        cure: "see journalctl -u detent for the reason, and systemctl restart detent")
    }
  }

  private mutating func displays() {
    guard case .fine(_, let displays, _) = facts.configuration else { return }
    let panels = usable.filter { $0.report.kind == .touchscreen }.map(\.report)
    for display in displays {
      guard let wanted = display.touchscreen else { continue }
      let fitting = panels.filter { wanted.matches(name: $0.name, path: $0.path) }
      if fitting.isEmpty {
        let names = panels.map { "\"\($0.name)\" at \"\($0.path)\"" }.joined(separator: ", ")
        say(
          "display \(display.id)", .fault, "no panel that can be used is the touchscreen it names",
          cure: panels.isEmpty
            ? "see the devices above" : "the names and ID_PATHs that there are: \(names)")
      } else {
        let nodes = fitting.map(\.node).joined(separator: ", ")
        say("display \(display.id)", .fine, "its panel is \(nodes)")
      }
    }
    let isAnyFree = displays.contains { $0.touchscreen == nil }
    for panel in panels where !isAnyFree {
      guard
        !displays.contains(where: {
          $0.touchscreen?.matches(name: panel.name, path: panel.path) ?? false
        })
      else { continue }
      say(
        "\(panel.node) \"\(panel.name)\"", .note, "lies over no display",
        cure: "name it under [[display]] touchscreen")
    }
  }

  // MARK: The rest

  private mutating func motors() {
    guard facts.wantsHaptics else { return say("motor", .note, "haptics are switched off") }
    if facts.motors.isEmpty { say("motor", .note, "there is none; ticks are not felt") }
    for motor in facts.motors {
      let subject = "motor \(motor.node) \"\(motor.name)\""
      if let problem = motor.problem {
        say(subject, .fault, problem)
      } else {
        say(subject, .fine, "can be opened; detentctl play --all lets it be felt")
      }
    }
  }

  private mutating func service() {
    if let unit = facts.unit, unit != "active" {
      say(
        "service", .fault, "detent.service is \(unit)",
        cure: "systemctl start detent, and journalctl -u detent says why it ended", isFatal: true)
    }
    let path = facts.socketPath
    switch facts.socket {
    case .answers(let version):
      say("socket", .fine, "\(path): detentd \(version) answers")
    case .silent:
      say(
        "socket", .fault, "\(path) opens, and nothing is said",
        cure: "the service hangs: systemctl restart detent", isFatal: true)
    case .denied(let ownership):
      say(
        "socket", .fault, "\(facts.user) may not open \(path), which is \(ownership)",
        cure: "usermod -aG detent USER for whoever runs the application, and log in anew",
        isFatal: true)
    case .refused:
      say(
        "socket", .fault, "\(path) is left over; nobody listens",
        cure: "start the service: systemctl start detent", isFatal: true)
    case .notASocket:
      say(
        "socket", .fault, "\(path) is something else than a socket",
        cure: "move it away and start the service anew", isFatal: true)
    case .missing, .noFolder:
      say(
        "socket", .fault, "\(path) is not there",
        cure: "start the service: systemctl start detent; an application in a container needs the "
          + "folder mounted, not the file", isFatal: true)
    }
  }

  private mutating func touched() {
    guard let touched = facts.touched else { return }
    if touched.rates.isEmpty {
      say(
        "touch", .fault, "nothing came within \(touched.seconds) s",
        cure: "was the panel touched? then look at its cable, and at libinput debug-events",
        isFatal: true)
    }
    for rate in touched.rates {
      let speed = rate.hertz.map { ", \(Int($0.rounded())) reports a second" } ?? ""
      say("touch", .fine, "\(rate.name): \(rate.count) contacts or gestures\(speed)")
    }
  }
}
