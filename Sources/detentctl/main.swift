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
  return "usage: detentctl COMMAND [--help] | --version\n\n\(lines.joined(separator: "\n"))"
}

private func written(_ text: String) -> Int32 {
  StandardStreams.output(text) ? ExitStatus.success : ExitStatus.output
}

private func run(_ words: [String]) -> Int32 {
  guard let name = words.first else {
    StandardStreams.error(usage())
    return ExitStatus.usage
  }
  switch (name, words.dropFirst().first) {
  case ("--help", nil), ("-h", nil), ("help", nil): return written(usage())
  case ("--version", nil): return written("detentctl \(Version.current)\n\(Version.builtWith)")
  case ("--help", let word?), ("-h", let word?), ("--version", let word?):
    StandardStreams.error("detentctl: what is \(word)?\n\(usage())")
    return ExitStatus.usage
  // As git and others have it.
  case ("help", let command?): return run(command, [command, "--help"])
  case (_, "-h"): return run(name, [name, "--help"])
  default: return run(name, words)
  }
}

private func run(_ name: String, _ words: [String]) -> Int32 {
  guard let command = Command.all.first(where: { $0.name == name }) else {
    StandardStreams.error("detentctl: unknown command \(name)\n\(usage())")
    return ExitStatus.usage
  }
  do {
    let arguments = try Arguments(words, options: command.options + [Arguments.Option("help")])
    if arguments["help"] != nil {
      return written("\(command.line)\n\n\(command.summary)")
    }
    try arguments.expectOperands(atMost: command.operands.upperBound)
    guard command.operands.contains(arguments.operands.count) else {
      throw Arguments.Problem(message: "something is missing")
    }
    return try command.run(arguments)
  } catch let problem as Arguments.Problem {
    StandardStreams.error("detentctl \(name): \(problem.message)\n\(command.line)")
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
