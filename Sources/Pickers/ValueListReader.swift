// SPDX-License-Identifier: Apache-2.0

import Wire

/// Reads the values of a picker: a range or a list.
enum ValueListReader {
  private static let expected =
    "a list, or a range such as { from = 40, through = 120, step = 1 }"

  /// Reads the values under `key`, and the `title` that formats them; nil where there is an error.
  static func read(_ key: String, _ reader: inout OptionReader) -> ValueList? {
    let format = format(&reader)
    guard let node = reader.required(key, expected: expected) else { return nil }
    switch node.content {
    case .array(let elements):
      return list(elements, key, format, &reader)
    case .table where key == "values":
      return reader.table(key) { range($0.path, format, &$0) }
    default:
      return reader.mismatch(key, node, expected: key == "values" ? expected : "a list")
    }
  }

  /// The value that a node writes.
  static func value(_ node: OptionNode) -> Value? {
    switch node.content {
    case .number(let number, _): .number(number)
    case .string(let text): .text(text)
    default: nil
    }
  }

  private static func format(_ reader: inout OptionReader) -> TitleFormat? {
    guard let text = reader.optionalString("title") else { return nil }
    if let format = TitleFormat(text) { return format }
    reader.fail("title", "expected a text with {} in the place of the value, found \"\(text)\"")
    return nil
  }

  private static func list(
    _ elements: [OptionNode], _ key: String, _ format: TitleFormat?,
    _ reader: inout OptionReader
  ) -> ValueList? {
    guard !elements.isEmpty else {
      reader.fail(key, "is empty; expected at least one value")
      return nil
    }
    var values: [Value] = []
    var titles: [String?] = []
    var isWhole = true
    for (index, element) in elements.enumerated() {
      let name = "\(key)[\(index)]"
      if case .table = element.content {
        let pair = reader.table(element, path: reader.child(name)) { item in
          labelled(&item)
        }
        guard let pair else {
          isWhole = false
          continue
        }
        values.append(pair.0)
        titles.append(pair.1)
      } else if let value = value(element) {
        values.append(value)
        titles.append(nil)
      } else {
        isWhole = false
        let _: Value? = reader.mismatch(
          name, element, expected: "a text, a number or { value = …, title = … }")
      }
    }
    guard isWhole else { return nil }
    let list = ValueList(values, titles: titles, format: format)
    if let duplicate = list.firstDuplicate {
      reader.warn(key, "\"\(duplicate)\" stands there twice; selecting it selects the first")
    }
    return list
  }

  private static func labelled(_ item: inout OptionReader) -> (Value, String?)? {
    let title = item.optionalString("title")
    guard let node = item.required("value", expected: "a text or a number") else { return nil }
    guard let value = value(node) else {
      return item.mismatch("value", node, expected: "a text or a number")
    }
    return (value, title)
  }

  private static func range(
    _ path: String, _ format: TitleFormat?, _ reader: inout OptionReader
  ) -> ValueList? {
    let from = reader.decimal("from")
    let through = reader.decimal("through")
    let step = reader.decimal("step", default: 1)
    guard let from, let through, let step else { return nil }
    do throws(ValueList.RangeError) {
      return try ValueList(
        from: from.value, through: through.value, step: step.value,
        decimals: max(from.decimals, step.decimals), format: format)
    } catch {
      switch error {
      case .stepIsZero:
        reader.fail("step", "is 0; expected a step from one value to the next")
      case .stepLeadsAway:
        reader.fail(
          "step",
          "\(step.value) leads from \(from.value) away from \(through.value); expected the other sign"
        )
      case .tooMany:
        reader.fail("step", "makes more values than a picker may have (\(ValueList.largestCount))")
      case .tooWide:
        reader.fail("from", "needs more digits at this step than fit; expected at most 18 in all")
      }
      return nil
    }
  }
}
