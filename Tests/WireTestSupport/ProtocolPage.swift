// SPDX-License-Identifier: Apache-2.0

import Glibc
package import Wire

/// The conversations of docs/protocol.md.
package struct ProtocolPage {
  /// A line of a conversation.
  package enum Line: Sendable {
    /// What a client sends.
    case sent(String)
    /// What the server says.
    case received(String)
  }

  /// The whole page.
  package let text: String
  /// The conversations, each a connection of its own.
  package let conversations: [[Line]]
  /// The lines of the server's that are shown one by one.
  package let examples: [String]

  /// Reads the page of this source tree.
  package init() throws(PageError) {
    let path = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }
    try self.init(file: path + "/docs/protocol.md")
  }

  private init(file: String) throws(PageError) {
    guard let stream = fopen(file, "r") else { throw PageError(file: file) }
    defer { fclose(stream) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = fread(&buffer, 1, buffer.count, stream)
      if count == 0 { break }
      bytes += buffer[..<count]
    }
    text = String(decoding: bytes, as: UTF8.self)
    var conversations: [[Line]] = []
    var examples: [String] = []
    var fence: Substring?
    for line in text.split(separator: "\n") {
      if line.hasPrefix("```") {
        fence = line
        if line == "```jsonl" { conversations.append([]) }
      } else if fence == "```json" {
        examples.append(String(line))
      } else if fence == "```jsonl" {
        let line: Line =
          line.hasPrefix("> ")
          ? .sent(String(line.dropFirst(2))) : .received(String(line.dropFirst(2)))
        conversations[conversations.count - 1].append(line)
      }
    }
    self.conversations = conversations
    self.examples = examples
  }

  /// The page cannot be read.
  package struct PageError: Error {
    /// Where it should be.
    package let file: String
  }

  /// A value without what differs from run to run: times, the version, the name of the run.
  package static func timeless(_ value: JSONValue) -> JSONValue {
    switch value {
    case .object(let members):
      var plain: [String: JSONValue] = [:]
      for (name, member) in members {
        let isVolatile = name.hasSuffix("_us") || name == "instance" || name == "version"
        plain[name] = isVolatile ? .null : timeless(member)
      }
      return .object(plain)
    case .array(let elements): return .array(elements.map(timeless))
    // The last digits of what was computed may differ from one processor to another.
    case .number(let number): return .string(rounded(number))
    default: return value
    }
  }

  private static func rounded(_ number: Double) -> String {
    let scale = 1e6
    return "\((number * scale).rounded() / scale)"
  }
}
