// SPDX-License-Identifier: Apache-2.0

import DetentDaemon
import LinuxIO

extension Command {
  static let replay = Command(
    name: "replay", usage: "[--config FILE] [--watch] RECORDING",
    summary: "print what the daemon would have said to a recording, or draw it as watch does",
    options: [Arguments.Option("config", value: "FILE"), Arguments.Option("watch")],
    operands: 1...1
  ) { arguments in
    let configuration = arguments["config"] ?? ServiceOptions().configuration
    guard arguments["watch"] != nil else {
      return DetentDaemon.ReplayCommand.run(
        configuration: configuration, recording: arguments.operands[0])
    }
    let replay = try DetentDaemon.ReplayCommand.begin(
      configuration: configuration, recording: arguments.operands[0])
    let watch = Watch(ReplayFeed(replay))
    return Terminal.isPresent ? try watch.draw() : try watch.printLines()
  }
}
