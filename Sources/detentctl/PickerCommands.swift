// SPDX-License-Identifier: Apache-2.0

import DetentClient
import LinuxIO
import Wire
import WireJSON

extension Command {
  static let list = Command(
    name: "list", usage: "[--json]", summary: "all pickers and what is selected",
    options: [socket, json], operands: 0...0
  ) { arguments in
    let states = try connect(arguments).call("list")
    if arguments["json"] != nil { return print(states) }
    guard case .array(let pickers) = states else { return ExitStatus.failure }
    for picker in pickers {
      let status = print(line(for: picker))
      if status != ExitStatus.success { return status }
    }
    return ExitStatus.success
  }

  static let get = Command(
    name: "get", usage: "PICKER [--json]", summary: "what a picker has selected",
    options: [socket, json], operands: 1...1
  ) { arguments in
    let state = try connect(arguments).call(
      "get", ["picker": .string(arguments.operands[0])])
    return arguments["json"] != nil ? print(state) : print(text(state["value"]))
  }

  static let select = Command(
    name: "select", usage: "PICKER VALUE | PICKER --index N | PICKER --null",
    summary: "select a value, or nothing",
    options: [socket, json, Arguments.Option("index", value: "N"), Arguments.Option("null")],
    operands: 1...2
  ) { arguments in
    var params: [String: JSONValue] = ["picker": .string(arguments.operands[0])]
    let connection = try connect(arguments)
    if arguments["null"] != nil {
      params["value"] = .null
    } else if let index = arguments["index"] {
      guard let number = Int64(index) else {
        throw Arguments.Problem(message: "--index needs a whole number, not \(index)")
      }
      params["index"] = .integer(number)
    } else {
      guard arguments.operands.count == 2 else {
        throw Arguments.Problem(message: "select what? a VALUE, --index N or --null")
      }
      return try select(arguments.operands[1], params, connection, arguments)
    }
    return try finish(connection.call("select", params), arguments)
  }

  static let move = Command(
    name: "move", usage: "PICKER BY", summary: "move a selection by so many values",
    options: [socket, json], operands: 2...2
  ) { arguments in
    guard let steps = Int64(arguments.operands[1]) else {
      throw Arguments.Problem(message: "BY is a whole number, not \(arguments.operands[1])")
    }
    let state = try connect(arguments).call(
      "move", ["picker": .string(arguments.operands[0]), "by": .integer(steps)])
    return try finish(state, arguments)
  }

  static let add = Command(
    name: "add", usage: "JSON [--keep]",
    summary: "add a picker, described as in the configuration, until this ends (or for good)",
    options: [socket, json, Arguments.Option("keep")], operands: 1...1
  ) { arguments in
    let description: JSONValue
    do throws(JSONTextError) {
      description = try JSONText().value(Array(arguments.operands[0].utf8))
    } catch {
      throw Arguments.Problem(message: "the description is not JSON")
    }
    guard case .object(var params) = description else {
      throw Arguments.Problem(message: "the description is not an object")
    }
    let isKept = arguments["keep"] != nil
    if isKept { params["keep"] = .bool(true) }
    let connection = try connect(arguments)
    let status = try finish(connection.call("add", params), arguments)
    if isKept { return status }
    while try connection.next() != nil {}
    return status
  }

  static let remove = Command(
    name: "remove", usage: "PICKER", summary: "take a picker away", options: [socket],
    operands: 1...1
  ) { arguments in
    try connect(arguments).call("remove", ["picker": .string(arguments.operands[0])])
    return ExitStatus.success
  }

  static let focus = Command(
    name: "focus", usage: "[PICKER]",
    summary: "give touchpads and knobs a picker to act on, or none", options: [socket],
    operands: 0...1
  ) { arguments in
    let picker = arguments.operands.first.map { JSONValue.string($0) } ?? .null
    try connect(arguments).call("focus", ["picker": picker])
    return ExitStatus.success
  }

  /// A picker in a line.
  static func line(for picker: JSONValue) -> String {
    let title = picker["title"] == .null ? "nothing selected" : text(picker["title"])
    return "\(text(picker["picker"]))  \(text(picker["type"]))  \(title)"
  }

  /// A value as a person would write it.
  static func text(_ value: JSONValue?) -> String {
    switch value {
    case .string(let string): return string
    case .null, nil: return "null"
    case .some(let value):
      var writer = JSONWriter()
      writer.json(value)
      return String(decoding: writer.bytes, as: UTF8.self)
    }
  }

  private static func finish(_ state: JSONValue, _ arguments: Arguments) throws -> Int32 {
    arguments["json"] != nil ? print(state) : print(line(for: state))
  }

  /// Selects what a word means: a number where the picker has it, else the text.
  private static func select(
    _ word: String, _ params: [String: JSONValue], _ connection: Connection,
    _ arguments: Arguments
  ) throws -> Int32 {
    var params = params
    if let number = DecimalNumber(word) {
      params["value"] =
        number.significand(at: 0).map { .integer($0) } ?? .number(number.doubleValue)
      do {
        return try finish(connection.call("select", params), arguments)
      } catch let failure as RPCFailure where failure.field == "value" {
        // No such number; perhaps there is such a text.
      }
    }
    params["value"] = .string(word)
    return try finish(connection.call("select", params), arguments)
  }
}
