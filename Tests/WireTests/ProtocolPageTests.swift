// SPDX-License-Identifier: Apache-2.0

import Testing
import Wire
import WireTestSupport

/// Holds docs/protocol.md against the schema: what stands there, and that nothing is left out.
@Suite struct ProtocolPageTests {
  private let page: ProtocolPage
  private let validator = SchemaValidator()

  init() throws {
    page = try ProtocolPage()
  }

  private func value(_ text: String) throws -> JSONValue {
    try JSONParser.value(of: Array(text.utf8))
  }

  @Test func `every line of the server's is valid and has its typed value`() throws {
    let received: [String] = page.conversations.joined().compactMap {
      if case .received(let line) = $0 { line } else { nil }
    }
    var shown: Set<String> = []
    for line in received + page.examples {
      let value = try value(line)
      #expect(validator.problems(ofLine: value) == [], "\(line)")
      guard case .string(let method)? = value["method"] else { continue }
      shown.insert(method)
      let notification = try #require(ServerNotification(value))
      if case .unknown = notification { Issue.record("not known: \(line)") }
    }
    // There is a line of each kind.
    #expect(shown == Set(EventName.allCases.map(\.rawValue) + ["hello", "resync", "bye"]))
  }

  @Test func `results are what their methods return`() throws {
    for conversation in page.conversations {
      var methods: [RequestID: String] = [:]
      for line in conversation {
        switch line {
        case .sent(let text):
          guard let line = try? RequestLine(Array(text.utf8)) else { continue }
          for call in line.calls {
            let request = try call.get()
            if let id = request.id { methods[id] = request.method }
          }
        case .received(let text):
          let value = try value(text)
          let replies: [JSONValue] = if case .array(let all) = value { all } else { [value] }
          for reply in replies {
            guard let result = reply["result"], let id = reply["id"].flatMap({ RequestID($0) })
            else { continue }
            let method = try #require(methods[id], "\(text)")
            #expect(validator.problems(of: result, as: "result.\(method)") == [], "\(text)")
          }
        }
      }
    }
  }

  @Test func `requests are right unless they show an error`() throws {
    let refused = ["hat", "speed"]
    var count = 0
    for case .sent(let text) in page.conversations.joined() {
      guard let line = try? RequestLine(Array(text.utf8)) else {
        #expect(text == "weight = 72")
        continue
      }
      for call in line.calls {
        let request = try call.get()
        let problems = validator.problems(
          of: .object(request.params), as: "params.\(request.method)")
        if !problems.isEmpty { #expect(refused.contains { text.contains($0) }, "\(problems)") }
        count += 1
      }
    }
    #expect(count > 10)
  }

  @Test func `all methods, notifications, causes, cues and codes are named`() {
    for method in MethodName.allCases {
      let row = method.needsControl ? "| `\(method.rawValue)` ✱ |" : "| `\(method.rawValue)` |"
      #expect(page.text.contains(row), "\(row)")
    }
    for name in EventName.allCases.map(\.rawValue) + ["resync", "bye"] {
      #expect(page.text.contains("| `\(name)` | "), "\(name)")
    }
    for word in Cause.allCases.map(\.rawValue) + Cue.allCases.map(\.rawValue) {
      #expect(page.text.contains("`\(word)`"), "\(word)")
    }
    for code in RPCError.Code.allCases {
      let row = "| −\(-code.rawValue) | \(code.message) | "
      #expect(page.text.contains(row), "\(row)")
    }
  }

  @Test func `tables name every param and every member`() throws {
    for name in EventName.allCases.map(\.rawValue) + ["resync", "bye"] {
      let row = try #require(
        page.text.split(separator: "\n").last { $0.hasPrefix("| `\(name)` | ") })
      for member in members(of: "notification.\(name)") where member != "time_us" {
        #expect(row.contains("`\(member)`"), "\(member) of \(name)")
      }
    }
    for method in MethodName.allCases where ![.add, .update].contains(method) {
      let row = try #require(
        page.text.split(separator: "\n").first { $0.hasPrefix("| `\(method.rawValue)` ") })
      for param in members(of: "params.\(method.rawValue)") {
        #expect(row.contains("`\(param)`"), "\(param) of \(method)")
      }
    }
    let keys = members(of: "params.add")
    #expect(keys.count > 20)
    for key in keys {
      #expect(page.text.contains("`\(key)`") || page.text.contains("`\(key)?`"), "\(key)")
    }
    for member in members(of: "state") {
      #expect(page.text.contains("`\(member)`") || page.text.contains("`\(member): "), "\(member)")
    }
  }

  @Test func `limits stand there as they are`() {
    let limits = [
      "at most 64 KiB", "nests 32 deep", "at most 64 requests", "at most 256 clients",
      "64 of one user", "at most 1 MiB",
    ]
    // Whoever changes one of these numbers must change the page too.
    #expect(Limits.longestLine == 64 << 10)
    #expect(JSONParser.deepestNesting == 32)
    #expect(Limits.largestBatch == 64)
    #expect(Limits.mostClients == 256)
    #expect(Limits.mostClientsPerUser == 64)
    #expect(Limits.smallestQueue == 1 << 20)
    #expect(Limits.mostOffences == 8)
    #expect(Limits.patienceUs == 10_000_000)
    let words = page.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    for limit in limits { #expect(words.contains(limit), "\(limit)") }
  }

  private func members(of definition: String) -> [String] {
    guard let schema = ProtocolSchema.json["$defs"]?[definition] else { return [] }
    let choices: [JSONValue] = if case .array(let all)? = schema["anyOf"] { all } else { [schema] }
    var names: Set<String> = []
    for choice in choices {
      if case .object(let members)? = choice["properties"] { names.formUnion(members.keys) }
    }
    return names.sorted()
  }
}
