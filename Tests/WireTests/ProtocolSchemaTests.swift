// SPDX-License-Identifier: Apache-2.0

import Testing
import Wire
import WireTestSupport

@Suite struct ProtocolSchemaTests {
  private let validator = SchemaValidator()

  private func value(_ text: String) throws -> JSONValue {
    try JSONParser.value(of: Array(text.utf8))
  }

  @Test func `every method and notification has its schema`() {
    let methods = MethodName.allCases.map(\.rawValue).sorted()
    #expect(names(of: ProtocolSchema.json["methods"]) == methods)
    let notifications = EventName.allCases.map(\.rawValue) + ["hello", "bye", "resync"]
    #expect(names(of: ProtocolSchema.json["notifications"]) == notifications.sorted())
    let definitions = names(of: ProtocolSchema.json["$defs"])
    for method in methods {
      #expect(definitions.contains("params.\(method)"))
      #expect(definitions.contains("result.\(method)"))
    }
  }

  @Test func `every reference leads somewhere`() {
    var count = 0
    func walk(_ value: JSONValue) {
      switch value {
      case .object(let members):
        if case .string(let reference)? = members["$ref"] {
          count += 1
          #expect(reference.hasPrefix("#/$defs/"))
          #expect(
            ProtocolSchema.json["$defs"]?[String(reference.dropFirst(8))] != nil, "\(reference)")
        }
        for member in members.values { walk(member) }
      case .array(let elements):
        for element in elements { walk(element) }
      default: break
      }
    }
    walk(ProtocolSchema.json)
    #expect(count > 100)
  }

  @Test func `the text is one line that a client may read`() throws {
    #expect(!ProtocolSchema.text.contains(UInt8(ascii: "\n")))
    #expect(try JSONParser.value(of: ProtocolSchema.text) == ProtocolSchema.json)
  }

  @Test(arguments: [
    #"{"jsonrpc":"2.0","method":"rest","params":{"picker":"a","index":3,"time_us":5}}"#,
    #"{"jsonrpc":"2.0","method":"bye","params":{"reason":"slow","time_us":5}}"#,
    #"{"jsonrpc":"2.0","result":{},"id":null}"#,
    #"[{"jsonrpc":"2.0","result":[],"id":"x"},{"jsonrpc":"2.0","error":{"code":-32601,"message":"m","data":{"field":null,"reason":"r"}},"id":1.5}]"#,
  ])
  func `lines of the server's are right`(line: String) throws {
    #expect(validator.problems(ofLine: try value(line)) == [])
  }

  @Test(arguments: [
    #"{"jsonrpc":"2.0","method":"rest","params":{"picker":"a","time_us":5}}"#,
    #"{"jsonrpc":"2.0","method":"rest","params":{"picker":"a","index":-1,"time_us":5}}"#,
    #"{"jsonrpc":"2.0","method":"rest","params":{"picker":"a","index":1,"time_us":5,"more":1}}"#,
    #"{"jsonrpc":"2.0","method":"stop","params":{}}"#,
    #"{"method":"bye","params":{"reason":"slow","time_us":5}}"#,
    #"{"jsonrpc":"2.0","method":"bye","params":{"reason":"tired","time_us":5}}"#,
    #"{"jsonrpc":"2.0","result":{},"error":{"code":1,"message":"m","data":{"field":null,"reason":"r"}},"id":1}"#,
    #"{"jsonrpc":"2.0","result":{}}"#, #"[]"#, #"{}"#, #"1"#,
  ])
  func `lines that are wrong are found`(line: String) throws {
    #expect(validator.problems(ofLine: try value(line)) != [])
  }

  @Test(arguments: [
    ("select", #"{"picker":"a","value":null}"#, true),
    ("select", #"{"picker":"a","index":2}"#, true),
    ("select", #"{"picker":"a"}"#, false),
    ("select", #"{"picker":"a","value":1,"index":2}"#, false),
    ("list", "{}", true), ("list", #"{"a":1}"#, false),
    (
      "add",
      #"{"id":"w","type":"ruler","region":{"x":0,"y":0,"width":9,"height":9},"values":{"from":1,"through":9,"step":1},"keep":true}"#,
      true
    ),
    (
      "add",
      #"{"id":"w","type":"ruler","region":{"x":0,"y":0,"width":9,"height":9},"colors":["a"]}"#,
      false
    ),
    (
      "replace",
      #"{"pickers":[{"id":"w","type":"swatches","region":{"x":0,"y":0,"width":9,"height":9},"colors":["a",{"value":"b","title":"B"}],"haptic":"none"}]}"#,
      true
    ),
    (
      "replace",
      #"{"pickers":[{"id":"w","type":"swatches","region":{"x":0,"y":0,"width":0,"height":9},"colors":["a"]}]}"#,
      false
    ),
  ])
  func `params are told apart`(method: String, params: String, isRight: Bool) throws {
    let problems = validator.problems(of: try value(params), as: "params.\(method)")
    #expect(problems.isEmpty == isRight, "\(problems)")
  }

  private func names(of value: JSONValue?) -> [String] {
    guard case .object(let members)? = value else { return [] }
    return members.keys.sorted()
  }
}
