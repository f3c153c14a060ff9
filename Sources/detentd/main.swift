// SPDX-License-Identifier: Apache-2.0

import DetentDaemon
import Glibc
import LinuxIO

private let usage = """
  usage: detentd [options]

    --config FILE      the configuration (/etc/detent/detent.toml)
    --check [FILE]     check a configuration and exit: 0 fine, 1 not
    --socket PATH      where clients connect (/run/detent/detent.sock)
    --state DIR        where the selections of pickers with `remember` are kept
                       ($STATE_DIRECTORY, else /var/lib/detent)
    --device NODE      read this node instead of the seat's devices; may stand several times
    --play RECORDING   play a recording in real time instead of reading devices
    --loop             play it again and again
    --once             stop when it has been played
    --verbose          log everything
    --version          print the version and exit
    --help             print this and exit
  """

/// The folder that the service manager made for the service; of several the first.
private func stateDirectory() -> String? {
  guard let folders = getenv("STATE_DIRECTORY") else { return nil }
  return String(cString: folders).split(separator: ":").first.map(String.init)
}

/// Refuses what would have no effect, instead of leaving somebody to wonder why.
private func check(_ arguments: Arguments) throws(Arguments.Problem) {
  for name in ["loop", "once"] { try arguments.expect("play", with: name) }
  try arguments.expectOne(of: "loop", "once")
  try arguments.expectOne(of: "play", "device")
  let isCheck = arguments["check"] != nil
  for name in ["socket", "state", "device", "play"] where isCheck {
    try arguments.expectOne(of: "check", name)
  }
  try arguments.expectOperands(atMost: isCheck && arguments["config"] == nil ? 1 : 0)
}

private func run(_ words: [String]) -> Int32 {
  let arguments: Arguments
  do throws(Arguments.Problem) {
    arguments = try Arguments(
      words,
      options: [
        Arguments.Option("config", value: "FILE"), Arguments.Option("check"),
        Arguments.Option("socket", value: "PATH"), Arguments.Option("state", value: "DIR"),
        Arguments.Option("device", value: "NODE"),
        Arguments.Option("play", value: "RECORDING"), Arguments.Option("loop"),
        Arguments.Option("once"),
        Arguments.Option("verbose"), Arguments.Option("version"), Arguments.Option("help"),
      ])
    try check(arguments)
  } catch {
    StandardStreams.error("detentd: \(error.message)\n\(usage)")
    return ExitStatus.usage
  }
  if arguments["help"] != nil {
    return StandardStreams.output(usage) ? ExitStatus.success : ExitStatus.output
  }
  if arguments["version"] != nil {
    return StandardStreams.output("detentd \(Version.current)\n\(Version.builtWith)")
      ? ExitStatus.success : ExitStatus.output
  }
  var options = ServiceOptions()
  if let file = arguments["config"] { options.configuration = file }
  if arguments["check"] != nil {
    return ConfigurationCheck.run(arguments.operands.first ?? options.configuration)
  }
  if let path = arguments["socket"] { options.socket = path }
  if let folder = arguments["state"] ?? stateDirectory() { options.stateDirectory = folder }
  if let recording = arguments["play"] {
    let repetition: ServiceOptions.Repetition =
      arguments["loop"] != nil ? .forever : arguments["once"] != nil ? .onceThenStop : .once
    options.input = .recording(recording, repetition)
  } else if !arguments.all("device").isEmpty {
    options.input = .nodes(arguments.all("device"))
  }
  options.isVerbose = arguments["verbose"] != nil
  do {
    return try Service(options: options).run()
  } catch {
    StandardStreams.error("detentd: \(error)")
    return ExitStatus.failure
  }
}

exit(run(CommandLine.arguments))
