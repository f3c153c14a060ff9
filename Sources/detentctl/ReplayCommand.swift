// SPDX-License-Identifier: Apache-2.0

import DetentDaemon
import LinuxIO

extension Command {
  static let replay = Command(
    name: "replay", usage: "--config FILE RECORDING",
    summary: "print what the daemon would have said to a recording, as fast as possible",
    options: [Arguments.Option("config", value: "FILE")], operands: 1...1
  ) { arguments in
    DetentDaemon.ReplayCommand.run(
      configuration: arguments["config"] ?? "/etc/detent/detent.toml",
      recording: arguments.operands[0])
  }
}
