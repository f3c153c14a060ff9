// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc

/// The options and operands of a command line, by getopt_long.
package struct Arguments {
  /// An option that a command takes.
  package struct Option: Sendable {
    /// Its long name, without the dashes.
    package var name: String
    /// What its value is called in the usage; nil where it takes none.
    package var value: String?

    /// An option.
    package init(_ name: String, value: String? = nil) {
      self.name = name
      self.value = value
    }
  }

  /// Why the command line cannot be understood.
  package struct Problem: Error, Sendable {
    /// In words.
    package var message: String

    /// A problem.
    package init(message: String) { self.message = message }
  }

  private var values: [String: [String]] = [:]
  /// What is not an option.
  package private(set) var operands: [String] = []

  /// Reads a command line, whose first word is the command itself.
  package init(_ words: [String], options: [Option]) throws(Problem) {
    let names = options.map { strdup($0.name) }
    defer { for name in names { free(name) } }
    let table = zip(options, names).map {
      detent_option(name: $1, takes_value: $0.value != nil)
    }
    let owned = words.map { strdup(Self.isNumber($0) ? Self.mark + $0 : $0) }
    defer { for word in owned { free(word) } }
    var argv = owned + [nil]
    var next: CInt = 1
    var value: UnsafePointer<CChar>?
    var isFirst = true
    while true {
      let index = detent_next_option(
        CInt(words.count), &argv, table, CInt(table.count), isFirst, &value, &next)
      isFirst = false
      let text = value.map { Self.unmarked(String(cString: $0)) } ?? ""
      if index == DETENT_OPTION_END.rawValue { break }
      if index == DETENT_OPTION_NEEDS_VALUE.rawValue {
        throw Problem(message: "\(text) needs a value")
      }
      guard index >= 0 else { throw Problem(message: "unknown option \(text)") }
      values[options[Int(index)].name, default: []].append(text)
    }
    for case let word? in argv[Int(next)...] {
      operands.append(Self.unmarked(String(cString: word)))
    }
  }

  // getopt takes -3 for an option: negative numbers go by it behind a letter that no number begins with.
  private static let mark = "\u{1}"

  private static func isNumber(_ word: String) -> Bool {
    guard word.hasPrefix("-"), let second = word.dropFirst().first else { return false }
    return second.isASCII && (second.isNumber || second == ".")
  }

  private static func unmarked(_ word: String) -> String {
    let rest = String(word.dropFirst(mark.count))
    return word.hasPrefix(mark) && isNumber(rest) ? rest : word
  }

  // MARK: What fits together

  /// Refuses options of which at most one makes sense.
  package func expectOne(of names: String...) throws(Problem) {
    let given = names.filter { values[$0] != nil }
    guard given.count > 1 else { return }
    throw Problem(message: "--\(given[0]) and --\(given[1]) do not fit together")
  }

  /// Refuses an option that says nothing without another.
  package func expect(_ other: String, with name: String) throws(Problem) {
    guard values[name] != nil, values[other] == nil else { return }
    throw Problem(message: "--\(name) needs --\(other)")
  }

  /// Refuses operands beyond so many.
  package func expectOperands(atMost most: Int) throws(Problem) {
    guard operands.count > most else { return }
    throw Problem(message: "what is \(operands[most])?")
  }

  // MARK: What was given

  /// The value of an option, if it was given; empty where it takes none.
  ///
  /// The last one counts.
  package subscript(name: String) -> String? { values[name]?.last }

  /// All values of an option, in order.
  package func all(_ name: String) -> [String] { values[name] ?? [] }
}
