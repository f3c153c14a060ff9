// SPDX-License-Identifier: Apache-2.0

package import Wire

/// Reads one table key by key and collects what is wrong with it, instead of stopping at the first.
///
/// Each read returns the value, its default where the key is absent, or nil where it is there and wrong; then the
/// problem stands in `problems`. At the end, `finish` reports the keys that nobody asked for.
package struct OptionReader {
  /// What is wrong so far.
  package var problems: [OptionProblem] = []
  /// The key that the table itself has, such as `picker[2].values`; empty for the whole file.
  package let path: String
  /// All keys that were asked for, in order.
  package private(set) var knownKeys: [String] = []

  private let line: Int
  private let column: Int
  private let entries: [OptionEntry]

  /// A reader of a table; anything else is a problem, and reads as an empty table.
  package init(_ node: OptionNode, path: String) {
    self.path = path
    line = node.line
    column = node.column
    if case .table(let entries) = node.content {
      self.entries = entries
    } else {
      entries = []
      problems.append(
        OptionProblem(
          key: path, line: line, column: column,
          message: "expected a table, found \(node.content.kindName)"))
    }
  }

  /// The value of a key, whatever it is.
  package mutating func node(_ key: String) -> OptionNode? {
    if !knownKeys.contains(key) { knownKeys.append(key) }
    return entries.first { $0.key == key }?.node
  }

  /// The value of a key that must be there.
  package mutating func required(_ key: String, expected: String) -> OptionNode? {
    if let node = node(key) { return node }
    fail(key, "is missing; expected \(expected)")
    return nil
  }

  // MARK: Scalars

  /// `true` or `false`.
  package mutating func bool(_ key: String, default fallback: Bool) -> Bool? {
    guard let node = node(key) else { return fallback }
    if case .bool(let bool) = node.content { return bool }
    return mismatch(key, node, expected: "true or false")
  }

  /// A finite number in a range.
  package mutating func number(
    _ key: String, default fallback: Double?, in range: ClosedRange<Double>
  ) -> Double? {
    let expected = "a number from \(range.lowerBound.plain) to \(range.upperBound.plain)"
    return number(key, default: fallback, expected: expected) { range.contains($0) }
  }

  /// A finite number above a bound, and not beyond 10⁹.
  package mutating func number(
    _ key: String, default fallback: Double?, above bound: Double
  ) -> Double? {
    number(key, default: fallback, expected: "a number above \(bound.plain)") {
      $0 > bound && $0 <= 1e9
    }
  }

  private mutating func number(
    _ key: String, default fallback: Double?, expected: String, allows: (Double) -> Bool
  ) -> Double? {
    guard let node = node(key) else {
      if fallback == nil { fail(key, "is missing; expected \(expected)") }
      return fallback
    }
    guard case .number(let number, _) = node.content, allows(number.doubleValue) else {
      return mismatch(key, node, expected: expected)
    }
    return number.doubleValue
  }

  /// A whole number in a range.
  package mutating func integer(
    _ key: String, default fallback: Int, in range: ClosedRange<Int>
  ) -> Int? {
    guard let node = node(key) else { return fallback }
    guard case .number(let number, _) = node.content, let value = number.significand(at: 0),
      number.decimals == 0, range.contains(Int(value))
    else {
      return mismatch(
        key, node, expected: "a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return Int(value)
  }

  /// An exact decimal, with the number of decimals that it was written with.
  package mutating func decimal(_ key: String) -> (value: DecimalNumber, decimals: Int)? {
    guard let node = required(key, expected: "a number") else { return nil }
    return decimal(key, node)
  }

  /// An exact decimal that may be absent.
  package mutating func decimal(
    _ key: String, default fallback: Int
  ) -> (value: DecimalNumber, decimals: Int)? {
    guard let node = node(key) else { return (DecimalNumber(Int64(fallback)), 0) }
    return decimal(key, node)
  }

  private mutating func decimal(
    _ key: String, _ node: OptionNode
  ) -> (value: DecimalNumber, decimals: Int)? {
    guard case .number(let number, let decimals) = node.content else {
      return mismatch(key, node, expected: "a number")
    }
    return (number, decimals)
  }

  /// A text.
  package mutating func string(_ key: String, default fallback: String) -> String? {
    guard let node = node(key) else { return fallback }
    return string(key, node)
  }

  /// A text that may be absent; then nil without a problem.
  package mutating func optionalString(_ key: String) -> String? {
    guard let node = node(key) else { return nil }
    return string(key, node)
  }

  private mutating func string(_ key: String, _ node: OptionNode) -> String? {
    if case .string(let string) = node.content { return string }
    return mismatch(key, node, expected: "a text")
  }

  /// One of the words of a type.
  package mutating func choice<Choice: RawRepresentable & CaseIterable>(
    _ key: String, default fallback: Choice
  ) -> Choice? where Choice.RawValue == String {
    guard let node = node(key) else { return fallback }
    return choice(key, node)
  }

  /// One of the words of a type, or nil for the word `none` and where the key is absent.
  package mutating func choice<Choice: RawRepresentable & CaseIterable>(
    _ key: String, none: String
  ) -> Choice? where Choice.RawValue == String {
    guard let node = node(key), node.content != .string(none) else { return nil }
    return choice(key, node, besides: [none])
  }

  private mutating func choice<Choice: RawRepresentable & CaseIterable>(
    _ key: String, _ node: OptionNode, besides others: [String] = []
  ) -> Choice? where Choice.RawValue == String {
    if case .string(let word) = node.content, let choice = Choice(rawValue: word) { return choice }
    let words = (others + Choice.allCases.map(\.rawValue)).map { "\"\($0)\"" }
    return mismatch(key, node, expected: "one of \(words.joined(separator: ", "))")
  }

  // MARK: Tables and lists

  /// The elements of a list; empty where the key is absent.
  package mutating func array(_ key: String) -> [OptionNode]? {
    guard let node = node(key) else { return [] }
    if case .array(let elements) = node.content { return elements }
    return mismatch(key, node, expected: "a list")
  }

  /// Reads a table inside this one, its unknown keys included; nil where it is absent.
  package mutating func table<Result>(
    _ key: String, _ read: (inout OptionReader) -> Result?
  ) -> Result? {
    guard let node = node(key) else { return nil }
    return table(node, path: child(key), read)
  }

  /// Reads a table that `node` should be, its unknown keys included.
  package mutating func table<Result>(
    _ node: OptionNode, path: String, _ read: (inout OptionReader) -> Result?
  ) -> Result? {
    var reader = OptionReader(node, path: path)
    guard reader.problems.isEmpty else {
      problems += reader.problems
      return nil
    }
    let result = read(&reader)
    reader.finish()
    problems += reader.problems
    return reader.problems.contains { $0.severity == .error } ? nil : result
  }

  // MARK: Problems

  /// The full name of a key of this table.
  package func child(_ key: String) -> String {
    let name = key.isPlainKey ? key : "\"\(key)\""
    return path.isEmpty ? name : "\(path).\(name)"
  }

  /// Says that a key's value cannot be used.
  package mutating func fail(_ key: String, _ message: String) {
    report(.error, key, message)
  }

  /// Says that a key's value is probably not what was meant.
  package mutating func warn(_ key: String, _ message: String) {
    report(.warning, key, message)
  }

  /// Says that a key holds something else than expected.
  package mutating func mismatch<Result>(
    _ key: String, _ node: OptionNode, expected: String
  ) -> Result? {
    problems.append(
      OptionProblem(
        key: child(key), line: node.line, column: node.column,
        message: "expected \(expected), found \(node.content.summary)"))
    return nil
  }

  /// Reports the keys that nobody asked for.
  package mutating func finish() {
    for entry in entries where !knownKeys.contains(entry.key) {
      problems.append(
        OptionProblem(
          key: child(entry.key), line: entry.line, column: entry.column,
          message: "unknown key; "
            + (nearestKey(to: entry.key).map { "did you mean \($0)?" }
              ?? "expected one of \(knownKeys.sorted().joined(separator: ", "))")))
    }
  }

  /// The known key that was probably meant: at most two letters away.
  private func nearestKey(to key: String) -> String? {
    let length = key.utf8.count
    return knownKeys.filter { abs($0.utf8.count - length) <= 2 }
      .map { (key: $0, distance: $0.distance(to: key)) }
      .filter { $0.distance <= 2 }
      .min { $0.distance < $1.distance }?.key
  }

  private mutating func report(
    _ severity: OptionProblem.Severity, _ key: String, _ message: String
  ) {
    let node = entries.first { $0.key == key }?.node
    problems.append(
      OptionProblem(
        severity: severity, key: child(key), line: node?.line ?? line,
        column: node?.column ?? column, message: message))
  }
}

extension OptionNode.Content {
  /// The kind of value, as in "expected a number, found a list".
  package var kindName: String {
    switch self {
    case .bool: "true or false"
    case .number: "a number"
    case .string: "a text"
    case .array: "a list"
    case .table: "a table"
    case .other(let name): name
    }
  }

  /// The value itself where it is short, else its kind.
  package var summary: String {
    switch self {
    case .bool(let bool): bool ? "true" : "false"
    case .number(let number, let decimals):
      abs(number.exponent) <= 20
        ? number.description(decimals: decimals) : "\(number.significand)e\(number.exponent)"
    case .string(let text): text.utf8.count <= 60 ? "\"\(text)\"" : "a long text"
    default: kindName
    }
  }

  /// Whether both say the same, wherever they stand in their files.
  package func says(the other: OptionNode.Content) -> Bool {
    switch (self, other) {
    case (.number(let a, let aDecimals), .number(let b, let bDecimals)):
      a == b && aDecimals == bDecimals
    case (.array(let a), .array(let b)):
      a.count == b.count && zip(a, b).allSatisfy { $0.content.says(the: $1.content) }
    case (.table(let a), .table(let b)):
      a.count == b.count
        && zip(a.sorted { $0.key < $1.key }, b.sorted { $0.key < $1.key }).allSatisfy {
          $0.key == $1.key && $0.node.content.says(the: $1.node.content)
        }
    default: self == other
    }
  }
}

extension Double {
  /// The number without a needless fraction.
  package var plain: String {
    DecimalNumber(self)?.description ?? description
  }
}

extension String {
  /// Whether a path can show the key as it is.
  ///
  /// List elements come as `values[3]`.
  fileprivate var isPlainKey: Bool {
    !isEmpty
      && unicodeScalars.allSatisfy {
        $0.isASCII && ($0.properties.isAlphabetic || "0123456789_-[]".unicodeScalars.contains($0))
      }
  }

  /// How many letters must be put in, left out or changed to make this `other`.
  fileprivate func distance(to other: String) -> Int {
    let target = Array(other)
    var row = Array(0...target.count)
    for (i, letter) in self.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, wanted) in target.enumerated() {
        let change = diagonal + (letter == wanted ? 0 : 1)
        diagonal = row[j + 1]
        row[j + 1] = Swift.min(change, diagonal + 1, row[j] + 1)
      }
    }
    return row[target.count]
  }
}
