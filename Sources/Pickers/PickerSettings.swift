// SPDX-License-Identifier: Apache-2.0

import Wire

/// A picker as the configuration, or a client, describes it.
package struct PickerSettings: Sendable {
  /// The name that clients use.
  package let id: String
  /// The type's name.
  package let type: String
  /// The display that it lies on, or nil where there is only one.
  package let display: String?
  /// Whether it takes fingers.
  package let isEnabled: Bool
  /// Whether its selection outlives the service.
  package let remembers: Bool
  /// The model, as it opens.
  package let model: any PickerModel
  /// The description itself.
  package let node: OptionNode
  /// The key of the description, such as `picker[2]`.
  package let path: String

  /// Reads a picker.
  ///
  /// - Parameters:
  ///   - node: Its table.
  ///   - path: The key of the table, such as `picker[2]`.
  ///   - problems: Takes errors and warnings; nil is returned where there was an error.
  package init?(node: OptionNode, path: String, problems: inout [OptionProblem]) {
    var reader = OptionReader(node, path: path)
    defer { problems += reader.problems }
    guard reader.problems.isEmpty else { return nil }

    let idNode = reader.required("id", expected: "a name that no other picker has")
    let typeNode = reader.required("type", expected: PickerRegistry.expectedTypes)
    display = reader.optionalString("display")
    isEnabled = reader.bool("enabled", default: true) ?? true
    remembers = reader.bool("remember", default: false) ?? false
    self.node = node
    self.path = path

    let name = Self.text(idNode, "id", &reader)
    id = name ?? ""
    if name != nil, id.isEmpty || id.utf8.count > 256 {
      reader.fail("id", "expected a name of 1 to 256 bytes")
    }
    type = Self.text(typeNode, "type", &reader) ?? ""
    guard let kind = PickerRegistry.types[type] else {
      if !type.isEmpty {
        reader.fail("type", "unknown type \"\(type)\"; expected \(PickerRegistry.expectedTypes)")
      }
      return nil
    }
    let base = Self.base(of: kind, &reader)
    // The options of the type are read even so, that all problems are told and no key seems unknown.
    let model = kind.make(&reader, base ?? Self.placeholder)
    reader.finish()
    guard base != nil, let model, !reader.problems.contains(where: { $0.severity == .error })
    else { return nil }
    self.model = model
  }

  /// Stands for what could not be read, and is large enough for all options.
  private static var placeholder: PickerBase {
    PickerBase(
      values: ValueList([.text("")]), region: Region(x: 0, y: 0, width: 1e15, height: 1e15),
      cue: nil, opening: nil)
  }

  private static func text(
    _ node: OptionNode?, _ key: String, _ reader: inout OptionReader
  ) -> String? {
    guard let node else { return nil }
    if case .string(let text) = node.content { return text }
    return reader.mismatch(key, node, expected: "a text")
  }

  private static func base(
    of kind: PickerRegistry.Kind, _ reader: inout OptionReader
  ) -> PickerBase? {
    let region = region(&reader)
    let values = ValueListReader.read(kind.valuesKey, &reader)
    let cue = cue(&reader, default: kind.cue)
    let selection = reader.node("selection")
    guard let values else { return nil }
    let index = opening(selection, values, kind, &reader)
    guard let region else { return nil }
    return PickerBase(values: values, region: region, cue: cue, opening: index)
  }

  private static func region(_ reader: inout OptionReader) -> Region? {
    guard
      reader.required("region", expected: "a table with x, y, width and height in points") != nil
    else { return nil }
    return reader.table("region") { Region.read(&$0) }
  }

  private static func cue(_ reader: inout OptionReader, default fallback: Cue?) -> Cue? {
    guard let node = reader.node("haptic") else { return fallback }
    guard case .string(let word) = node.content else {
      return reader.mismatch("haptic", node, expected: expectedCues)
    }
    if word == "none" { return nil }
    return Cue(rawValue: word) ?? reader.mismatch("haptic", node, expected: expectedCues)
  }

  private static var expectedCues: String {
    "\"none\" or one of \(Cue.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", "))"
  }

  private static func opening(
    _ node: OptionNode?, _ values: ValueList, _ kind: PickerRegistry.Kind,
    _ reader: inout OptionReader
  ) -> Int? {
    guard let node else { return nil }
    guard let value = ValueListReader.value(node) else {
      return reader.mismatch("selection", node, expected: "one of the values")
    }
    if let index = values.index(of: value) { return index }
    reader.warn(
      "selection",
      "\(node.content.summary) is not among the \(kind.valuesKey); it opens on the first of them")
    return nil
  }
}
