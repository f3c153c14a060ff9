// SPDX-License-Identifier: Apache-2.0

import DetentClient
import DetentDaemon
import LinuxIO
import Wire

extension Command {
  static let monitor = Command(
    name: "monitor", usage: "[--motion | --titles] [PICKER…]",
    summary: "print what happens, a line of JSON each, or just the titles of what is selected",
    options: [
      socket, Arguments.Option("motion"), Arguments.Option("titles"),
    ], operands: 0...4096
  ) { arguments in
    try arguments.expectOne(of: "motion", "titles")
    let connection = try connect(arguments)
    var subscription = Subscription()
    if !arguments.operands.isEmpty { subscription.pickers = arguments.operands }
    if arguments["titles"] != nil {
      subscription.events = [.selection]
    } else if arguments["motion"] != nil {
      subscription.events = Set(EventName.allCases)
    }
    try connection.call(.subscribe(subscription))
    guard arguments["titles"] != nil else {
      while let line = try connection.nextLine() {
        guard StandardStreams.output(line + [UInt8(ascii: "\n")]) else { return ExitStatus.output }
      }
      return ExitStatus.success
    }
    while let notification = try connection.next() {
      guard case .selection(let change) = notification, let title = change.title else { continue }
      let status = print(title)
      if status != ExitStatus.success { return status }
    }
    return ExitStatus.success
  }
}
