// SPDX-License-Identifier: Apache-2.0

/// The protocol as a JSON Schema (draft 2020-12): what `describe` answers.
///
/// The schema itself is that of a line which the server sends. Beside it stand the params and results of all
/// methods, the params of all notifications, the error codes and the limits. What the server sends may get new
/// members, so those schemas are open; params are closed, because the server refuses what it does not know.
public enum ProtocolSchema {
  /// The schema.
  public static let json: JSONValue = .object([
    "$schema": .string("https://json-schema.org/draft/2020-12/schema"),
    "title": .string("A line that detentd sends"),
    "protocol": .integer(Int64(Limits.protocolVersion)),
    "anyOf": .array([
      reference("notification"), reference("reply"),
      .object(["type": .string("array"), "items": reference("reply"), "minItems": .integer(1)]),
    ]),
    "$defs": .object(definitions),
    "methods": .object(methods),
    "notifications": .object(notifications),
    "errors": .array(RPCError.Code.allCases.map { error($0) }),
    "limits": limits,
  ])

  /// The schema as JSON on one line, without a newline.
  public static let text: [UInt8] = {
    var writer = JSONWriter()
    writer.json(json)
    return writer.bytes
  }()

  /// What a line of the server's is made of.
  private static let definitions: [String: JSONValue] = {
    var definitions = parts
    for (name, schema) in notificationParams { definitions["notification.\(name)"] = schema }
    for (name, schema) in methodParams { definitions["params.\(name)"] = schema }
    for (name, schema) in methodResults { definitions["result.\(name)"] = schema }
    definitions["notification"] = .object([
      "oneOf": .array(
        notificationParams.keys.sorted().map { name in
          object([
            "jsonrpc": .object(["const": .string("2.0")]),
            "method": .object(["const": .string(name)]),
            "params": reference("notification.\(name)"),
          ])
        })
    ])
    return definitions
  }()

  private static let methods: [String: JSONValue] = Dictionary(
    uniqueKeysWithValues: MethodName.allCases.map { method in
      (
        method.rawValue,
        .object([
          "params": reference("params.\(method.rawValue)"),
          "result": reference("result.\(method.rawValue)"),
          "needs_control": .bool(method.needsControl),
        ])
      )
    })

  private static let notifications: [String: JSONValue] = Dictionary(
    uniqueKeysWithValues: notificationParams.keys.map { name in
      (name, .object(["params": reference("notification.\(name)")]))
    })

  private static func error(_ code: RPCError.Code) -> JSONValue {
    .object([
      "code": .integer(Int64(code.rawValue)), "message": .string(code.message.description),
    ])
  }

  private static let limits: JSONValue = .object([
    "line_bytes": .integer(Int64(Limits.longestLine)),
    "nesting": .integer(Int64(JSONParser.deepestNesting)),
    "batch": .integer(Int64(Limits.largestBatch)),
    "clients": .integer(Int64(Limits.mostClients)),
    "clients_per_user": .integer(Int64(Limits.mostClientsPerUser)),
  ])

  // MARK: Making schemas

  static func reference(_ name: String) -> JSONValue {
    .object(["$ref": .string("#/$defs/\(name)")])
  }

  /// An object that has all of these members, and maybe others.
  static func object(_ members: [String: JSONValue]) -> JSONValue {
    .object([
      "type": .string("object"),
      "required": .array(members.keys.sorted().map { .string($0) }),
      "properties": .object(members),
    ])
  }

  /// The words of an enumeration, as JSON text.
  static func words<Word: CaseIterable & RawRepresentable<String>>(_ type: Word.Type) -> String {
    "[" + Word.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ",") + "]"
  }

  /// The members of an object that is written as JSON text.
  static func members(_ text: String) -> [String: JSONValue] {
    guard case .object(let members)? = try? JSONParser.value(of: Array(text.utf8)) else {
      preconditionFailure("the protocol's own schema is not JSON: \(text)")
    }
    return members
  }
}
