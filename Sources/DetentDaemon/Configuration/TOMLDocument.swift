// SPDX-License-Identifier: Apache-2.0

import CToml
import Pickers
import Wire

/// A TOML text as a tree of options, read by toml++.
struct TOMLDocument {
  /// More than any configuration nests, and little enough to be walked by recursion.
  private static let deepest = 32

  /// The table of the whole document.
  let root: OptionNode

  /// Parses a text.
  ///
  /// - Throws: The first thing that is wrong with it.
  init(_ text: String) throws(OptionProblem) {
    // A byte order mark counts as no column.
    var text = text
    if text.unicodeScalars.first == "\u{FEFF}" { text.unicodeScalars.removeFirst() }
    var error = ctoml_error()
    let document = text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { ctoml_parse($0.baseAddress, $0.count, &error) }
    }
    guard let document else {
      let message = withUnsafeBytes(of: &error.description) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      throw Self.problem(error.place, "not TOML: \(Self.plain(message))")
    }
    defer { ctoml_free(document) }
    root = try TOMLTree(text).node(ctoml_root(document), depth: 0)
  }

  /// What toml++ says, without what only its programmers know.
  private static func plain(_ message: String) -> String {
    var message = Substring(message)
    if message.hasPrefix("Error while parsing "), let end = message.firstRange(of: ": ") {
      message = message[end.upperBound...]
    }
    return String(message.replacing(" (TOML_MAX_NESTED_VALUES)", with: ""))
  }

  private static func problem(_ place: ctoml_place, _ message: String) -> OptionProblem {
    OptionProblem(key: "", line: Int(place.line), column: Int(place.column), message: message)
  }

  /// Makes options of toml++'s nodes.
  private struct TOMLTree {
    let source: TOMLSource

    init(_ text: String) { source = TOMLSource(text) }

    func node(_ node: OpaquePointer?, depth: Int) throws(OptionProblem) -> OptionNode {
      guard let node else { return OptionNode(.other("nothing")) }
      let begin = ctoml_node_begin(node)
      guard depth < deepest else {
        throw problem(begin, "nests deeper than \(deepest) tables and lists")
      }
      let content: OptionNode.Content
      switch ctoml_node_kind(node) {
      case CTOML_TABLE:
        content = .table(try entries(of: node, depth: depth))
      case CTOML_ARRAY:
        content = .array(try entries(of: node, depth: depth).map(\.node))
      case CTOML_STRING:
        var length = 0
        let bytes = ctoml_string(node, &length)
        content = .string(
          String(decoding: UnsafeRawBufferPointer(start: bytes, count: length), as: UTF8.self))
      case CTOML_BOOL:
        content = .bool(ctoml_bool(node))
      case CTOML_INTEGER:
        content = number(String(ctoml_integer(node)))
      case CTOML_FLOAT:
        // The text says how many decimals were meant, and is exact.
        let text = source.text(from: begin, to: ctoml_node_end(node))
        content = number(text ?? ctoml_float(node).description)
      default:
        content = .other("a date or a time")
      }
      return OptionNode(content, line: Int(begin.line), column: Int(begin.column))
    }

    private func number(_ text: String) -> OptionNode.Content {
      let text = text.filter { $0 != "_" }
      guard let number = DecimalNumber(text) else {
        let isFinite = !text.contains("n")
        return .other(isFinite ? "a number of too many digits" : "a number that is not finite")
      }
      let fraction = text.split(separator: ".", maxSplits: 1).dropFirst().first ?? ""
      let decimals = text.contains { $0 == "e" || $0 == "E" } ? number.decimals : fraction.count
      return .number(number, decimals: decimals)
    }

    private func entries(
      of node: OpaquePointer, depth: Int
    ) throws(OptionProblem) -> [OptionEntry] {
      var members: [Member] = []
      withUnsafeMutablePointer(to: &members) { pointer in
        ctoml_visit(node, pointer) { context, key, length, place, value in
          let members = context?.assumingMemoryBound(to: [Member].self)
          let name = UnsafeRawBufferPointer(start: key, count: length)
          members?.pointee.append(
            Member(key: String(decoding: name, as: UTF8.self), place: place, value: value))
        }
      }
      // Tables come in the order of their names; problems are told in the order of the file.
      if ctoml_node_kind(node) == CTOML_TABLE {
        members.sort { ($0.place.line, $0.place.column) < ($1.place.line, $1.place.column) }
      }
      var entries: [OptionEntry] = []
      for member in members {
        entries.append(
          OptionEntry(
            key: member.key, line: Int(member.place.line), column: Int(member.place.column),
            node: try self.node(member.value, depth: depth + 1)))
      }
      return entries
    }

    private struct Member {
      var key: String
      var place: ctoml_place
      var value: OpaquePointer?
    }
  }
}
