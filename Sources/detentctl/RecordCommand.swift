// SPDX-License-Identifier: Apache-2.0

import DetentDaemon
import InputDevices
import LinuxIO

extension Command {
  static let record = Command(
    name: "record", usage: "[--config FILE] [--device NODE] [--seconds N] [--megabytes N] FILE",
    summary: "record what fingers do, for replay or a fault report",
    options: [
      Arguments.Option("config", value: "FILE"), Arguments.Option("device", value: "NODE"),
      Arguments.Option("seconds", value: "N"), Arguments.Option("megabytes", value: "N"),
    ], operands: 1...1
  ) { arguments in
    DetentDaemon.RecordCommand.run(
      configuration: arguments["config"], nodes: arguments.all("device"),
      seconds: try number("seconds", arguments), megabytes: try number("megabytes", arguments),
      file: arguments.operands[0])
  }

  private static func number(_ name: String, _ arguments: Arguments) throws -> Double? {
    guard let word = arguments[name] else { return nil }
    guard let number = Double(word), number > 0, number <= 1e6 else {
      throw Arguments.Problem(message: "--\(name) needs a number above 0, not \(word)")
    }
    return number
  }
}
