// SPDX-License-Identifier: Apache-2.0

import DetentClient
import DetentDaemon
import Doctor
import Glibc
import LinuxIO
import Wire

extension Command {
  static let doctor = Command(
    name: "doctor", usage: "[--config FILE] [--touch 5s] [--json]",
    summary: "why does nothing arrive? each check with its cure; as root with the service's eyes",
    options: [
      socket, json, Arguments.Option("config", value: "FILE"),
      Arguments.Option("touch", value: "TIME"),
    ], operands: 0...0
  ) { arguments in
    let facts = FactFinder.facts(
      configuration: arguments["config"] ?? ServiceOptions().configuration,
      socket: socketPath(arguments), touchSeconds: try seconds(arguments["touch"])
    ) { StandardStreams.error("detentctl doctor: \($0)") }
    let diagnosis = Diagnosis(facts)
    let isWritten: Bool
    if arguments["json"] != nil {
      isWritten = print(json(diagnosis)) == ExitStatus.success
    } else {
      isWritten = diagnosis.findings.allSatisfy { print($0.line) == ExitStatus.success }
    }
    guard isWritten else { return ExitStatus.output }
    return diagnosis.touchCanWork ? ExitStatus.success : ExitStatus.failure
  }

  private static func seconds(_ word: String?) throws -> Double? {
    guard let word else { return nil }
    let number = word.hasSuffix("s") ? word.dropLast() : word[...]
    guard let seconds = Double(number), seconds > 0, seconds <= 600 else {
      throw Arguments.Problem(message: "--touch needs seconds, such as 5s, not \(word)")
    }
    return seconds
  }

  private static func json(_ diagnosis: Diagnosis) -> JSONValue {
    .object([
      "touch_can_work": .bool(diagnosis.touchCanWork),
      "findings": .array(
        diagnosis.findings.map { finding in
          var members: [String: JSONValue] = [
            "subject": .string(finding.subject), "state": .string(finding.state.rawValue),
            "text": .string(finding.text),
          ]
          if let cure = finding.cure { members["cure"] = .string(cure) }
          return .object(members)
        }),
    ])
  }
}
