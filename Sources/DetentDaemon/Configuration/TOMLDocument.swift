// SPDX-License-Identifier: Apache-2.0

import CToml
import Pickers
import Wire

/// A TOML text as a tree of options, read by toml++.
struct TOMLDocument {
  /// The table of the whole document.
  let root: OptionNode

  /// Parses a text.
  ///
  /// - Throws: The first thing that is wrong with it.
  init(_ text: String) throws(OptionProblem) {
    var error = ctoml_error()
    var text = text
    let document = text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { ctoml_parse($0.baseAddress, $0.count, &error) }
    }
    guard let document else {
      let message = withUnsafeBytes(of: &error.description) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      throw OptionProblem(
        key: "", line: Int(error.place.line), column: Int(error.place.column),
        message: "not TOML: \(message)")
    }
    defer { ctoml_free(document) }
    let lines = text.split(
      omittingEmptySubsequences: false, whereSeparator: { $0 == "\n" || $0 == "\r\n" })
    root = Self.node(ctoml_root(document), lines: lines)
  }

  private static func node(_ node: OpaquePointer?, lines: [Substring]) -> OptionNode {
    guard let node else { return OptionNode(.other("nothing")) }
    let begin = ctoml_node_begin(node)
    let content: OptionNode.Content
    switch ctoml_node_kind(node) {
    case CTOML_TABLE:
      content = .table(members(of: node, lines: lines))
    case CTOML_ARRAY:
      content = .array(members(of: node, lines: lines).map(\.node))
    case CTOML_STRING:
      var length = 0
      let bytes = ctoml_string(node, &length)
      content = .string(
        String(
          decoding: UnsafeRawBufferPointer(start: bytes, count: length), as: UTF8.self))
    case CTOML_BOOL:
      content = .bool(ctoml_bool(node))
    case CTOML_INTEGER:
      content = number(String(ctoml_integer(node)), else: "a number of more than 18 digits")
    case CTOML_FLOAT:
      // The text says how many decimals were meant, and is exact.
      let text = source(of: node, lines: lines) ?? ctoml_float(node).description
      content = number(text, else: "a number that is not finite or has more than 18 digits")
    default:
      content = .other("a date or a time")
    }
    return OptionNode(content, line: Int(begin.line), column: Int(begin.column))
  }

  private static func number(_ text: String, else name: String) -> OptionNode.Content {
    guard let number = DecimalNumber(text) else { return .other(name) }
    let fraction = text.split(separator: ".", maxSplits: 1).dropFirst().first ?? ""
    let decimals = text.contains { $0 == "e" || $0 == "E" } ? number.decimals : fraction.count
    return .number(number, decimals: decimals)
  }

  private static func source(of node: OpaquePointer, lines: [Substring]) -> String? {
    let begin = ctoml_node_begin(node)
    let end = ctoml_node_end(node)
    guard begin.line == end.line, lines.indices.contains(Int(begin.line) - 1) else { return nil }
    let letters = Array(lines[Int(begin.line) - 1].unicodeScalars)
    let range = Int(begin.column) - 1..<Int(end.column) - 1
    guard range.lowerBound >= 0, range.upperBound <= letters.count else { return nil }
    var text = ""
    text.unicodeScalars.append(contentsOf: letters[range])
    return text
  }

  private struct Members {
    var entries: [OptionEntry] = []
    let lines: [Substring]
  }

  private static func members(of node: OpaquePointer, lines: [Substring]) -> [OptionEntry] {
    var members = Members(lines: lines)
    withUnsafeMutablePointer(to: &members) { pointer in
      ctoml_visit(node, pointer) { context, key, length, place, value in
        guard let members = context?.assumingMemoryBound(to: Members.self) else { return }
        let name = UnsafeRawBufferPointer(start: key, count: length)
        members.pointee.entries.append(
          OptionEntry(
            key: String(decoding: name, as: UTF8.self), line: Int(place.line),
            column: Int(place.column),
            node: TOMLDocument.node(value, lines: members.pointee.lines)))
      }
    }
    // Tables come in the order of their names; problems are told in the order of the file.
    let entries = members.entries
    guard ctoml_node_kind(node) == CTOML_TABLE else { return entries }
    return entries.sorted { ($0.line, $0.column) < ($1.line, $1.column) }
  }
}
