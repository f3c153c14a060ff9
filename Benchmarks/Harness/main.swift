// SPDX-License-Identifier: Apache-2.0

import DetentDaemon
import Glibc
import LinuxIO

private let usage = """
  usage: benchmark frames --config FILE [--part pure|service] [--moves N] [--subscribers N] [--subscription PARAMS]
         benchmark routing --config FILE [--touches N]
         benchmark readers --config FILE --binaries FOLDER --scripts FOLDER [--only NAME]…
                           [--repetitions N] [--seconds N] [--spinners N]

    frames    moves of one finger in this process, to count instructions
    routing   touches on many pickers in this process, to count instructions
    readers   frames of a virtual touchscreen, read by the daemon and by other programs: latency, processor time and
              memory of each, as lines of JSON; needs /dev/uinput

  scripts/bench runs them and makes a report.
  """

private func run(_ words: [String]) throws {
  let arguments = try Arguments(
    Array(words.dropFirst()),
    options: [
      "config", "part", "moves", "subscribers", "subscription", "touches", "binaries", "scripts",
      "only", "repetitions", "spinners", "seconds",
    ].map { Arguments.Option($0, value: "VALUE") })
  func number(_ name: String, _ standard: Int) -> Int {
    arguments[name].flatMap { Int($0) } ?? standard
  }
  let configuration = arguments["config"] ?? ""
  switch words.dropFirst().first {
  case "frames":
    var run = FrameRun(configuration: configuration)
    run.part = arguments["part"].flatMap { FrameRun.Part(rawValue: $0) } ?? run.part
    run.moves = number("moves", run.moves)
    run.subscribers = number("subscribers", run.subscribers)
    run.subscription = arguments["subscription"] ?? run.subscription
    try run.run()
  case "routing":
    var run = RoutingRun(configuration: configuration)
    run.touches = number("touches", run.touches)
    try run.run()
  case "readers":
    var run = ReadersRun(
      configuration: configuration, binaries: arguments["binaries"] ?? "",
      scripts: arguments["scripts"] ?? "")
    run.only = arguments.all("only")
    run.repetitions = number("repetitions", run.repetitions)
    run.secondsEach = number("seconds", run.secondsEach)
    run.spinners = arguments["spinners"].flatMap { Int($0) }
    try run.run()
  default:
    StandardStreams.error(usage)
    exit(64)
  }
}

do {
  try run(CommandLine.arguments)
} catch {
  StandardStreams.error("benchmark: \(error)")
  exit(1)
}
