// SPDX-License-Identifier: Apache-2.0

import Testing

/// The page of faults names tests that exist, at least one for each fault.
struct FaultPageTests {
  @Test func everyFaultHasItsTest() throws {
    let page = try SourceTree.lines(of: "docs/faults.md")
    let rows = page.filter { $0.hasPrefix("| ") && !$0.hasPrefix("| fault") }
    #expect(rows.count > 45)
    var functions: [String: Set<Substring>] = [:]
    for file in try SourceTree.files(in: "Tests") { Self.collect(file, into: &functions) }
    for row in rows {
      let cells = row.split(separator: "|")
      let names = (cells.last ?? "").split(separator: "`").filter { $0.contains("Tests/") }
      #expect(cells.count == 3 && !names.isEmpty, "\(row)")
      for name in names {
        let parts = name.split(separator: "/", maxSplits: 1)
        let known = functions[String(parts[0])] ?? []
        #expect(parts.count == 2 && known.contains(parts[1]), "there is no test \(name)")
      }
    }
  }

  /// Takes the functions of a file by the suite around them.
  private static func collect(
    _ file: SourceTree.File, into functions: inout [String: Set<Substring>]
  ) {
    var suite = ""
    for line in file.lines {
      let words = line.drop { $0 == " " }
      if let name = name(after: "struct ", in: words), name.hasSuffix("Tests") {
        suite = String(name)
      }
      guard let range = words.firstRange(of: "func ") else { continue }
      let rest = words[range.upperBound...]
      let name =
        rest.hasPrefix("`") ? rest.dropFirst().prefix { $0 != "`" } : rest.prefix { $0 != "(" }
      functions[suite, default: []].insert(name)
    }
  }

  private static func name(after word: String, in line: Substring) -> Substring? {
    guard let range = line.firstRange(of: word) else { return nil }
    return line[range.upperBound...].prefix { $0.isLetter || $0.isNumber }
  }
}
