// SPDX-License-Identifier: Apache-2.0

import DetentClient
import DetentDaemon
import Glibc
import LinuxIO
import Wire

/// A command of detentctl.
struct Command: Sendable {
  /// Its name.
  var name: String
  /// What follows the name, for the usage.
  var usage: String
  /// What it does, in a line.
  var summary: String
  /// Its options.
  var options: [Arguments.Option]
  /// How many operands it takes.
  var operands: ClosedRange<Int>
  /// Carries it out and returns the exit status.
  var run: @Sendable (Arguments) throws -> Int32

  /// How it is called, in a line.
  var line: String { "usage: detentctl \(name)\(usage.isEmpty ? "" : " ")\(usage)" }

  /// All commands.
  static let all: [Command] =
    [watch, monitor, list, get, select, move, add, remove, focus, inhibit, play]
    + [devices, stats, reload, record, replay, doctor]

  /// The option that names the socket.
  static let socket = Arguments.Option("socket", value: "PATH")
  /// The option that asks for JSON.
  static let json = Arguments.Option("json")

  /// A connection to the daemon that the arguments name.
  static func connect(_ arguments: Arguments) throws -> Connection {
    try Connection(path: socketPath(arguments))
  }

  /// The socket that the arguments name, or the environment.
  static func socketPath(_ arguments: Arguments) -> String {
    let environment = getenv("DETENT_SOCKET").map { String(cString: $0) }
    return arguments["socket"] ?? environment ?? Connection.defaultPath
  }

  /// Carries out a request and prints its result: in the given words, or as JSON where that is asked for.
  static func answer<Result>(
    _ request: Call<Result>, on connection: Connection, _ arguments: Arguments,
    words: (Result) -> String
  ) throws -> Int32 {
    let json = try connection.call(request.json)
    return arguments["json"] != nil ? print(json) : print(words(try request.result(of: json)))
  }

  /// Prints a line of JSON.
  static func print(_ value: JSONValue) -> Int32 {
    var writer = JSONWriter()
    writer.json(value)
    writer.endLine()
    return StandardStreams.output(writer.bytes) ? ExitStatus.success : ExitStatus.output
  }

  /// Prints a line of text, or several; nothing where there is none.
  static func print(_ line: String) -> Int32 {
    line.isEmpty || StandardStreams.output(line) ? ExitStatus.success : ExitStatus.output
  }
}
