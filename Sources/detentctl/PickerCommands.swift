// SPDX-License-Identifier: Apache-2.0

import DetentDaemon
import DetentClient
import LinuxIO
import Wire

extension Command {
  static let list = Command(
    name: "list", usage: "[--json]", summary: "all pickers and what is selected",
    options: [socket, json], operands: 0...0
  ) { arguments in
    try answer(.list, on: connect(arguments), arguments) { pickers in
      pickers.map { line(for: $0) }.joined(separator: "\n")
    }
  }

  static let get = Command(
    name: "get", usage: "PICKER [--json]", summary: "what a picker has selected",
    options: [socket, json], operands: 1...1
  ) { arguments in
    try answer(.get(arguments.operands[0]), on: connect(arguments), arguments) { state in
      state.value?.description ?? "null"
    }
  }

  static let select = Command(
    name: "select", usage: "PICKER VALUE | PICKER --index N | PICKER --null",
    summary: "select a value, or nothing",
    options: [socket, json, Arguments.Option("index", value: "N"), Arguments.Option("null")],
    operands: 1...2
  ) { arguments in
    let picker = arguments.operands[0]
    let words = arguments.operands.dropFirst()
    try arguments.expectOne(of: "index", "null")
    if arguments["index"] != nil || arguments["null"] != nil {
      try arguments.expectOperands(atMost: 1)
    } else if words.isEmpty {
      throw Arguments.Problem(message: "select what? a VALUE, --index N or --null")
    }
    let connection = try connect(arguments)
    if arguments["null"] != nil {
      return try change(.select(picker, value: nil), connection, arguments)
    }
    if let index = arguments["index"] {
      guard let number = Int(index) else {
        throw Arguments.Problem(message: "--index needs a whole number, not \(index)")
      }
      return try change(.select(picker, index: number), connection, arguments)
    }
    let word = words.joined()
    // A number where the picker has it, else the text.
    if let number = DecimalNumber(word) {
      do {
        return try change(.select(picker, value: .number(number)), connection, arguments)
      } catch let failure as RPCFailure where failure.field == "value" {
        // No such number; perhaps there is such a text.
      }
    }
    return try change(.select(picker, value: .text(word)), connection, arguments)
  }

  static let move = Command(
    name: "move", usage: "PICKER BY", summary: "move a selection by so many values",
    options: [socket, json], operands: 2...2
  ) { arguments in
    guard let steps = Int(arguments.operands[1]) else {
      throw Arguments.Problem(message: "BY is a whole number, not \(arguments.operands[1])")
    }
    let request = Call.move(arguments.operands[0], by: steps)
    return try change(request, connect(arguments), arguments)
  }

  static let add = Command(
    name: "add", usage: "JSON [--keep]",
    summary: "add a picker, described as in the configuration, until this ends (or for good)",
    options: [socket, json, Arguments.Option("keep")], operands: 1...1
  ) { arguments in
    let description: JSONValue
    do throws(JSONParser.Failure) {
      description = try JSONParser.value(of: arguments.operands[0].utf8)
    } catch {
      throw Arguments.Problem(message: "the description is not JSON")
    }
    guard case .object(let members) = description else {
      throw Arguments.Problem(message: "the description is not an object")
    }
    let isKept = arguments["keep"] != nil
    let connection = try connect(arguments)
    let status = try change(.add(members, keep: isKept), connection, arguments)
    if isKept { return status }
    while try connection.next() != nil {}
    return status
  }

  static let remove = Command(
    name: "remove", usage: "PICKER", summary: "take a picker away", options: [socket],
    operands: 1...1
  ) { arguments in
    try connect(arguments).call(.remove(arguments.operands[0]))
    return ExitStatus.success
  }

  static let focus = Command(
    name: "focus", usage: "[PICKER]",
    summary: "give touchpads and knobs a picker to act on, or none", options: [socket],
    operands: 0...1
  ) { arguments in
    try connect(arguments).call(.focus(arguments.operands.first))
    return ExitStatus.success
  }

  /// A picker in a line.
  static func line(for picker: PickerState) -> String {
    "\(picker.picker)  \(picker.type)  \(picker.title ?? "nothing selected")"
  }

  /// Carries out what changes a picker, and prints how it stands then.
  private static func change(
    _ request: Call<PickerState>, _ connection: Connection, _ arguments: Arguments
  ) throws -> Int32 {
    try answer(request, on: connection, arguments) { line(for: $0) }
  }
}
