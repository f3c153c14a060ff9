// SPDX-License-Identifier: Apache-2.0

import DetentClient
import DetentDaemon
import Glibc
import LinuxIO

/// The usage of all commands.
private func usage() -> String {
  let width = Command.all.map { $0.name.count + $0.usage.count + 1 }.max() ?? 0
  let lines = Command.all.map { command in
    let head = "\(command.name) \(command.usage)"
    return "  \(head)\(String(repeating: " ", count: width - head.count))  \(command.summary)"
  }
  return "usage: detentctl COMMAND\n\n\(lines.joined(separator: "\n"))"
}

private func run(_ words: [String]) -> Int32 {
  guard let name = words.first else {
    StandardStreams.error(usage())
    return ExitStatus.usage
  }
  if name == "--help" || name == "-h" || name == "help" {
    return StandardStreams.output(usage()) ? ExitStatus.success : ExitStatus.failure
  }
  guard let command = Command.all.first(where: { $0.name == name }) else {
    StandardStreams.error("detentctl: unknown command \(name)\n\(usage())")
    return ExitStatus.usage
  }
  do {
    let arguments = try Arguments(words, options: command.options)
    guard command.operands.contains(arguments.operands.count) else {
      throw Arguments.Problem(message: "usage: detentctl \(name) \(command.usage)")
    }
    return try command.run(arguments)
  } catch let problem as Arguments.Problem {
    StandardStreams.error("detentctl \(name): \(problem.message)")
    return ExitStatus.usage
  } catch let error as ConnectionError {
    StandardStreams.error("detentctl: \(error)")
    return ExitStatus.unavailable
  } catch {
    StandardStreams.error("detentctl \(name): \(error)")
    return ExitStatus.failure
  }
}

signal(SIGPIPE, SIG_IGN)
exit(run(Array(CommandLine.arguments.dropFirst())))
