// SPDX-License-Identifier: Apache-2.0

import DetentDaemon
import DetentClient
import Glibc
import LinuxIO
import Wire

extension Command {
  static let inhibit = Command(
    name: "inhibit", usage: "[--guard-ms N] [--for-ms N] [-- COMMAND…]",
    summary: "swallow touches while a command runs, or until this ends",
    options: [
      socket, Arguments.Option("guard-ms", value: "N"), Arguments.Option("for-ms", value: "N"),
    ], operands: 0...1000
  ) { arguments in
    func milliseconds(_ option: String) throws -> Double? {
      guard let word = arguments[option] else { return nil }
      guard let number = Double(word), number.isFinite else {
        throw Arguments.Problem(message: "--\(option) needs a number, not \(word)")
      }
      return number
    }
    let request = Call.inhibit(
      true, guardMS: try milliseconds("guard-ms"), forMS: try milliseconds("for-ms"))
    let connection = try connect(arguments)
    try connection.call(request)
    // The lease is the connection's: it ends with this process, however that ends.
    defer { withExtendedLifetime(connection) {} }
    guard let program = arguments.operands.first else {
      while try connection.next() != nil {}
      return ExitStatus.success
    }
    return SpawnedCommand.run(program, arguments.operands)
  }

  static let play = Command(
    name: "play", usage: "CUE | --all", summary: "play a haptic cue, or all of them in turn",
    options: [socket, Arguments.Option("all")], operands: 0...1
  ) { arguments in
    let cues: [Cue]
    if arguments["all"] != nil {
      try arguments.expectOperands(atMost: 0)
      cues = Cue.allCases
    } else {
      guard let cue = arguments.operands.first.flatMap({ Cue(rawValue: $0) }) else {
        throw Arguments.Problem(
          message: "play what? \(Cue.allCases.map(\.rawValue).joined(separator: ", ")), or --all")
      }
      cues = [cue]
    }
    let connection = try connect(arguments)
    var isPlayed = true
    for (index, cue) in cues.enumerated() {
      if index > 0 { usleep(600_000) }
      let wasPlayed = try connection.call(.play(cue))
      isPlayed = isPlayed && wasPlayed
      let status = print(
        "\(cue.rawValue): \(wasPlayed ? "played" : "not played: no motor for it")")
      if status != ExitStatus.success { return status }
    }
    return isPlayed ? ExitStatus.success : ExitStatus.failure
  }

  static let devices = Command(
    name: "devices", usage: "[--json]", summary: "panels, touchpads, knobs and motors in use",
    options: [socket, json], operands: 0...0
  ) { arguments in
    try answer(.devices, on: connect(arguments), arguments) { devices in
      devices.isEmpty
        ? "no devices; see the daemon's log for those that are not used"
        : devices.map { line(for: $0) }.joined(separator: "\n")
    }
  }

  static let stats = Command(
    name: "stats", usage: "[--prometheus | --json]", summary: "what the daemon has counted",
    options: [socket, json, Arguments.Option("prometheus")], operands: 0...0
  ) { arguments in
    try arguments.expectOne(of: "prometheus", "json")
    let isPrometheus = arguments["prometheus"] != nil
    return try answer(.stats, on: connect(arguments), arguments) { figures in
      isPrometheus ? StatsReport.prometheus(figures) : StatsReport.plain(figures)
    }
  }

  static let reload = Command(
    name: "reload", usage: "", summary: "apply the configuration file, whole or not at all",
    options: [socket], operands: 0...0
  ) { arguments in
    try connect(arguments).call(.reload)
    return ExitStatus.success
  }

  private static func line(for device: DeviceState) -> String {
    func text(_ name: String) -> String? {
      if case .string(let text)? = device.members[name] { text } else { nil }
    }
    var line = "\(device.kind)  \(device.name)  \(device.node)"
    if let display = device.display { line += "  display \(display)" }
    if let method = text("method") { line += "  \(text("class") ?? "") by \(method)" }
    if let state = text("state") { line += "  \(state)" }
    if let problem = text("problem") { line += "  \(problem)" }
    return line
  }
}
