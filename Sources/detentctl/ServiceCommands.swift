// SPDX-License-Identifier: Apache-2.0

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
    var params: [String: JSONValue] = ["on": .bool(true)]
    for (option, name) in [("guard-ms", "guard_ms"), ("for-ms", "for_ms")] {
      guard let word = arguments[option] else { continue }
      guard let number = Double(word), number.isFinite else {
        throw Arguments.Problem(message: "--\(option) needs a number, not \(word)")
      }
      params[name] = .number(number)
    }
    let connection = try connect(arguments)
    try connection.call("inhibit", params)
    // The lease is the connection's: it ends with this process, however that ends.
    defer { withExtendedLifetime(connection) {} }
    guard let program = arguments.operands.first else {
      while try connection.next() != nil {}
      return ExitStatus.success
    }
    return try run(program, arguments.operands)
  }

  static let play = Command(
    name: "play", usage: "CUE | --all", summary: "play a haptic cue, or all of them in turn",
    options: [socket, Arguments.Option("all")], operands: 0...1
  ) { arguments in
    let connection = try connect(arguments)
    let cues: [String]
    if arguments["all"] != nil {
      cues = Cue.allCases.map(\.rawValue)
    } else {
      guard let cue = arguments.operands.first else {
        throw Arguments.Problem(
          message: "play what? \(Cue.allCases.map(\.rawValue).joined(separator: ", ")), or --all")
      }
      cues = [cue]
    }
    var isPlayed = true
    for (index, cue) in cues.enumerated() {
      if index > 0 { usleep(600_000) }
      let result = try connection.call("play", ["cue": .string(cue)])
      isPlayed = isPlayed && result["played"] == .bool(true)
      let word = result["played"] == .bool(true) ? "played" : "not played: no motor for it"
      let status = print("\(cue): \(word)")
      if status != ExitStatus.success { return status }
    }
    return isPlayed ? ExitStatus.success : ExitStatus.failure
  }

  static let devices = Command(
    name: "devices", usage: "[--json]", summary: "panels, touchpads, knobs and motors in use",
    options: [socket, json], operands: 0...0
  ) { arguments in
    let devices = try connect(arguments).call("devices")
    if arguments["json"] != nil { return print(devices) }
    guard case .array(let list) = devices else { return ExitStatus.failure }
    if list.isEmpty { return print("no devices; see the daemon's log for those that are not used") }
    for device in list {
      let status = print(line(device: device))
      if status != ExitStatus.success { return status }
    }
    return ExitStatus.success
  }

  static let stats = Command(
    name: "stats", usage: "[--prometheus | --json]", summary: "what the daemon has counted",
    options: [socket, json, Arguments.Option("prometheus")], operands: 0...0
  ) { arguments in
    let figures = try connect(arguments).call("stats")
    if arguments["json"] != nil { return print(figures) }
    guard case .object(let members) = figures else { return ExitStatus.failure }
    let isPrometheus = arguments["prometheus"] != nil
    for (name, figure) in members.sorted(by: { $0.key < $1.key }) {
      let status = print(
        isPrometheus ? "detent_\(name) \(text(figure))" : "\(name): \(text(figure))")
      if status != ExitStatus.success { return status }
    }
    return ExitStatus.success
  }

  static let reload = Command(
    name: "reload", usage: "", summary: "apply the configuration file, whole or not at all",
    options: [socket], operands: 0...0
  ) { arguments in
    try connect(arguments).call("reload")
    return ExitStatus.success
  }

  private static func line(device: JSONValue) -> String {
    var line = "\(text(device["kind"]))  \(text(device["name"]))  \(text(device["node"]))"
    if case .string(let display)? = device["display"] { line += "  display \(display)" }
    if case .string(let method)? = device["method"] {
      line += "  \(text(device["class"])) by \(method)"
    }
    if let state = device["state"] { line += "  \(text(state))" }
    if case .string(let problem)? = device["problem"] { line += "  \(problem)" }
    return line
  }

  /// Runs a program and returns its exit status, or 128 and the number of the signal that ended it.
  private static func run(_ program: String, _ words: [String]) throws -> Int32 {
    var argv = words.map { strdup($0) } + [nil]
    defer { for word in argv { free(word) } }
    var child: pid_t = 0
    let error = posix_spawnp(&child, program, nil, nil, &argv, environ)
    guard error == 0 else {
      throw Arguments.Problem(message: "\(program): \(String(cString: strerror(error)))")
    }
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0 {
      guard errno == EINTR else { return ExitStatus.failure }
    }
    let signal = status & 0x7F
    return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
  }
}
