// SPDX-License-Identifier: Apache-2.0

import Pickers
import Testing

@testable import DetentDaemon

/// docs/configuration.md against the code: every key is on the page, and the page has no other; defaults are those
/// that the page says.
@Suite struct ConfigurationPageTests {
  /// A row of the page: a key with its default as TOML would write it, or nil where there is none.
  private struct Row {
    var key: String
    var standard: String?
  }

  /// The rows under each heading.
  private static func page() throws -> [String: [Row]] {
    var rows: [String: [Row]] = [:]
    var heading = ""
    for line in try Fixtures.text("\(Fixtures.tree)/docs/configuration.md").split(separator: "\n") {
      if line.hasPrefix("#") {
        heading = String(line.drop { $0 == "#" || $0 == " " })
      } else if line.hasPrefix("| `") {
        let cells = line.split(separator: "|").map { $0.trimmingSpaces }
        let key = String(cells[0].dropFirst().dropLast())
        let standard = cells[2].hasPrefix("`") ? String(cells[2].dropFirst().dropLast()) : nil
        #expect(standard != nil || ["required", "none", "by type"].contains(cells[2]), "\(line)")
        rows[heading, default: []].append(Row(key: key, standard: standard))
      }
    }
    return rows
  }

  /// A configuration with a key that no table has, in each of them.
  private static let strange = """
    stranger = 1
    [daemon]
    stranger = 1
    [gesture]
    stranger = 1
    [touchpad]
    stranger = 1
    [haptics]
    stranger = 1
    device = { name = "*", stranger = 1 }
    [[display]]
    stranger = 1
    width = 1000
    height = 1000
    [[knob]]
    stranger = 1
    device = { name = "*" }
    [[picker]]
    id = "a"
    type = "ruler"
    stranger = 1
    region = { x = 0, y = 0, width = 100, height = 100, stranger = 1 }
    values = { from = 0, through = 1, step = 1, stranger = 1 }
    [[picker]]
    id = "b"
    type = "carousel"
    stranger = 1
    region = { x = 0, y = 0, width = 100, height = 100 }
    items = [{ value = 1, stranger = 1 }]
    [[picker]]
    id = "c"
    type = "swatches"
    stranger = 1
    region = { x = 0, y = 0, width = 500, height = 100 }
    colors = [1]
    [[picker]]
    id = "d"
    type = "radial"
    stranger = 1
    region = { x = 0, y = 0, width = 100, height = 100 }
    values = [1]

    """

  /// The keys that the code knows, by the path of their table: what it says of one that it does not know.
  private static func known() throws -> [String: [String]] {
    try Fixtures.withFile(strange) { path in
      var known: [String: [String]] = [:]
      do throws(ConfigurationError) {
        _ = try Configuration(file: path)
        Issue.record("no key is unknown")
      } catch {
        for problem in error.problems {
          let list = try #require(problem.message.split(separator: "expected one of ").last)
          known[String(problem.key.dropLast("stranger".count))] =
            list.split(separator: ", ").map(String.init)
        }
      }
      return known
    }
  }

  @Test func `the page has every key and no other`() throws {
    let page = try Self.page()
    let common = "[[picker]]"
    let tables: [(path: String, headings: [String])] = [
      ("daemon.", ["[daemon]"]), ("gesture.", ["[gesture]"]), ("touchpad.", ["[touchpad]"]),
      ("haptics.", ["[haptics]"]), ("haptics.device.", ["Devices"]),
      ("display[0].", ["[[display]]"]),
      ("knob[0].", ["[[knob]]"]), ("picker[0].", [common, "type = \"ruler\""]),
      ("picker[1].", [common, "type = \"carousel\""]),
      ("picker[2].", [common, "type = \"swatches\""]),
      ("picker[3].", [common, "type = \"radial\""]), ("picker[0].region.", ["Regions"]),
    ]
    let known = try Self.known()
    for (path, headings) in tables {
      let written = headings.flatMap { heading in
        (page["`\(heading)`"] ?? page[heading] ?? []).map(\.key)
      }
      #expect(written.sorted() == known[path] ?? [], "\(path) \(headings)")
    }
    let values = (known["picker[0].values."] ?? []) + (known["picker[1].items[0]."] ?? [])
    #expect((page["Values"] ?? []).map(\.key).sorted() == values.sorted())
    let top = page.keys.compactMap { heading in
      heading.hasPrefix("`[") ? String(heading.filter { !"`[]".contains($0) }) : nil
    }
    #expect(top.sorted() == known[""] ?? [])
    #expect(known.count == tables.count + 3)
  }

  @Test func `defaults are those of the page`() throws {
    let page = try Self.page()
    func defaults(_ heading: String) -> String {
      (page["`\(heading)`"] ?? []).compactMap { row in
        row.standard.map { "\(row.key) = \($0)\n" }
      }.joined()
    }
    func text(_ all: Bool) -> String {
      func table(_ heading: String, _ rest: String = "") -> String {
        "\(heading)\n\(rest)\(all ? defaults(heading) : "")"
      }
      func picker(_ type: String, _ rest: String) -> String {
        let own = all ? defaults("[[picker]]") + defaults("type = \"\(type)\"") : ""
        return """
          [[picker]]
          id = "\(type)"
          type = "\(type)"
          region = { x = 0, y = 0, width = 1000, height = 500 }
          \(rest)
          \(own)
          """
      }
      return [
        table("[daemon]"), table("[gesture]"), table("[touchpad]"), table("[haptics]"),
        table("[[display]]", "width = 1000\nheight = 1000\n"),
        table("[[knob]]", "device = { name = \"*\" }\n"), picker("ruler", "values = [1, 2]"),
        picker("carousel", "items = [1, 2]"), picker("swatches", "colors = [1, 2]"),
        picker("radial", "values = [1, 2]"),
      ].joined(separator: "\n")
    }
    func meaning(_ text: String) throws -> String {
      try Fixtures.withFile(text) { path in
        let configuration = try Configuration(file: path)
        var words = [
          configuration.seat, "\(configuration.allowControl)", "\(configuration.scene)",
          "\(configuration.haptics)", "\(configuration.knobs)",
        ]
        for picker in configuration.pickers {
          words.append("\(picker.isEnabled) \(picker.remembers) \(picker.model)")
        }
        return words.joined(separator: "\n")
      }
    }
    #expect(try meaning(text(false)) == meaning(text(true)))
    // That the words tell one configuration from another at all.
    #expect(try meaning(text(true)) != meaning(text(true).replacing("old = 10", with: "old = 11")))
  }
}

extension Substring {
  /// The text without spaces around it.
  fileprivate var trimmingSpaces: String {
    var text = drop { $0 == " " }
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
