// SPDX-License-Identifier: Apache-2.0

package import Wire

/// The values of a picker with their titles, by index.
///
/// A range is its start and its step, whatever its length: a million values cost no more than ten.
package struct ValueList: Hashable, Sendable {
  /// The most values that a picker may have.
  package static let largestCount = Int(Int32.max)

  // In a box, so that each event can carry the values at the price of a reference.
  private indirect enum Storage: Hashable, Sendable {
    /// Value i is (first + i · step) × 10^exponent.
    case range(first: Int64, step: Int64, exponent: Int, decimals: Int, format: TitleFormat?)
    case list([Value], titles: [String?], format: TitleFormat?)
  }

  private let storage: Storage
  /// How many values there are, at least 1.
  package let count: Int

  /// A list of values, which must not be empty; a title of nil is made from the value.
  package init(_ values: [Value], titles: [String?]? = nil, format: TitleFormat? = nil) {
    storage = .list(
      values, titles: titles ?? Array(repeating: nil, count: values.count), format: format)
    count = values.count
  }

  /// The values from `first` in steps up to the last that does not pass `through`.
  ///
  /// - Parameters:
  ///   - first: The first value.
  ///   - through: What no value passes.
  ///   - step: What lies between two values, not 0; negative to count down.
  ///   - decimals: How many decimals the titles show.
  ///   - format: What surrounds the number in a title.
  /// - Throws: A sentence saying why there is no such range.
  package init(
    from first: DecimalNumber, through: DecimalNumber, step: DecimalNumber, decimals: Int,
    format: TitleFormat? = nil
  ) throws(RangeError) {
    guard step.significand != 0 else { throw .stepIsZero }
    let exponent = min(first.exponent, through.exponent, step.exponent)
    guard let start = first.significand(at: exponent), let stride = step.significand(at: exponent),
      let end = through.significand(at: exponent)
    else { throw .tooWide }
    let (distance, overflow) = end.subtractingReportingOverflow(start)
    guard !overflow else { throw .tooWide }
    guard distance == 0 || (distance > 0) == (stride > 0) else { throw .stepLeadsAway }
    // Int64.min / −1 overflows.
    let (last, isMore) = distance.dividedReportingOverflow(by: stride)
    guard !isMore, last < Int64(ValueList.largestCount) else { throw .tooMany }
    storage = .range(
      first: start, step: stride, exponent: exponent, decimals: decimals, format: format)
    count = Int(last) + 1
  }

  /// Why a range cannot be.
  package enum RangeError: Error {
    /// The step is 0.
    case stepIsZero
    /// The step leads away from the end.
    case stepLeadsAway
    /// There would be more values than a picker may have.
    case tooMany
    /// The numbers need more than 64 bits at the range's finest decimal.
    case tooWide
  }

  /// The value at `index`, 0..<count.
  package subscript(index: Int) -> Value {
    switch storage {
    case .list(let values, _, _): return values[index]
    case .range(let first, let step, let exponent, _, _):
      return .number(DecimalNumber(first + Int64(index) * step, exponent: exponent))
    }
  }

  /// What a person would read or hear for the value at `index`.
  package func title(at index: Int) -> String {
    switch storage {
    case .list(let values, let titles, let format):
      if let title = titles[index] { return title }
      return format?.text(values[index].description) ?? values[index].description
    case .range(_, _, _, let decimals, let format):
      guard case .number(let number) = self[index] else { return "" }
      let text = number.description(decimals: decimals)
      return format?.text(text) ?? text
    }
  }

  /// Where `value` is, if it is here.
  package func index(of value: Value) -> Int? {
    switch storage {
    case .list(let values, _, _): return values.firstIndex(of: value)
    case .range(let first, let step, let exponent, _, _):
      guard case .number(let number) = value,
        let significand = number.significand(at: exponent)
      else { return nil }
      let (distance, overflow) = significand.subtractingReportingOverflow(first)
      let (index, isMore) = distance.dividedReportingOverflow(by: step)
      guard !overflow, !isMore, (0..<Int64(count)).contains(index), index * step == distance
      else { return nil }
      return Int(index)
    }
  }

  /// The first value that stands in the list a second time, if there is one.
  package var firstDuplicate: Value? {
    guard case .list(let values, _, _) = storage else { return nil }
    var seen: Set<Value> = []
    return values.first { !seen.insert($0).inserted }
  }
}

/// The text around a number in a title: `{} kg` puts the number in the place of the braces.
package struct TitleFormat: Hashable, Sendable {
  private let prefix: String
  private let suffix: String

  /// The format that `text` writes, or nil where it has no `{}`.
  package init?(_ text: String) {
    guard let braces = text.utf8.firstRange(of: "{}".utf8) else { return nil }
    prefix = String(text[..<braces.lowerBound])
    suffix = String(text[braces.upperBound...])
  }

  /// The title of a value that is written as `value`.
  package func text(_ value: String) -> String { prefix + value + suffix }
}
