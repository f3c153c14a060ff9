// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import Testing
import Wire

/// The rules of JSON-RPC 2.0, as a table of what is sent and what is answered.
@Suite struct ProtocolTableTests {
  /// A connection, by the lines of the table.
  struct Block: Sendable, CustomTestStringConvertible {
    var number: Int
    var steps: [Step] = []

    var testDescription: String { "line \(number)" }
  }

  enum Step: Sendable {
    case sends(String)
    case gets(String)
  }

  static let blocks: [Block] = {
    var blocks: [Block] = []
    var isOpen = false
    for (number, line) in text("Tests/Tables/json-rpc.txt").enumerated() {
      guard line.hasPrefix(">") || line.hasPrefix("<") else {
        isOpen = false
        continue
      }
      if !isOpen { blocks.append(Block(number: number + 1)) }
      isOpen = true
      let rest = String(line.dropFirst(line.hasPrefix("> ") || line.hasPrefix("< ") ? 2 : 1))
      blocks[blocks.count - 1].steps.append(line.hasPrefix(">") ? .sends(rest) : .gets(rest))
    }
    return blocks
  }()

  /// The lines of a file of the package.
  private static func text(_ name: String) -> [String] {
    let package = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    guard let file = fopen("/\(package)/\(name)", "r") else { return [] }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = fread(&chunk, 1, chunk.count, file)
      if count == 0 { break }
      bytes += chunk[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  @Test func `the table is there`() {
    #expect(Self.blocks.count > 15)
  }

  @Test(arguments: blocks)
  func `every line is answered as the table says`(block: Block) throws {
    let bench = try TestBench()
    bench.daemon.pickers = ["a": 3, "b": 0]
    let client = try bench.client()
    for step in block.steps {
      switch step {
      case .sends(let line):
        try client.send(line)
      case .gets(let line):
        let expected = try JSONParser.value(of: Array(line.utf8))
        #expect(Self.withoutData(try bench.line(for: client)) == expected)
      }
    }
    try bench.settle()
    client.receive()
    #expect(client.takeAll() == [])
    #expect(bench.daemon.reentries == 0)
  }

  /// A reply without the members of an error that only say more.
  private static func withoutData(_ value: JSONValue) -> JSONValue {
    switch value {
    case .array(let elements): return .array(elements.map(withoutData))
    case .object(var members):
      if case .object(var error)? = members["error"] {
        #expect(error["data"]?["reason"]?.text?.isEmpty == false)
        error["data"] = nil
        members["error"] = .object(error)
      }
      return .object(members)
    default: return value
    }
  }
}
