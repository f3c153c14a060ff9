// SPDX-License-Identifier: Apache-2.0

package import Pickers
package import Scene
package import Wire

/// Pickers that clients describe, and what is wrong with them in the protocol's words.
package enum PickerParams {
  /// The picker that params describe, as the configuration would.
  package static func picker(
    _ params: [String: JSONValue], displays: [Display]
  ) throws(RPCError) -> PickerSettings {
    try picker(.object(params), path: "", displays: displays)
  }

  /// The picker that a value describes.
  ///
  /// - Parameter path: The field that it stands in; empty where the params are the picker.
  package static func picker(
    _ value: JSONValue, path: String, displays: [Display]
  ) throws(RPCError) -> PickerSettings {
    var problems: [OptionProblem] = []
    let picker = PickerSettings(node: node(value), path: path, problems: &problems)
    if let picker { problems += DisplayCheck.problems(of: picker, on: displays) }
    if let problem = problems.first(where: { $0.severity == .error }) {
      let field = problem.key.hasPrefix(".") ? String(problem.key.dropFirst()) : problem.key
      throw RPCError(.invalidParams, field: field, reason: problem.message)
    }
    guard let picker else {
      throw RPCError(.invalidParams, field: path, reason: "is no picker")
    }
    return picker
  }

  /// A JSON value as an option.
  package static func node(_ value: JSONValue) -> OptionNode {
    switch value {
    case .null: OptionNode(.other("null"))
    case .bool(let bool): OptionNode(.bool(bool))
    case .integer(let integer): number(DecimalNumber(integer))
    case .number(let double): DecimalNumber(double).map(number) ?? OptionNode(.other("a number"))
    case .string(let string): OptionNode(.string(string))
    case .array(let elements): OptionNode(.array(elements.map(node)))
    case .object(let members):
      OptionNode(
        .table(
          members.sorted { $0.key < $1.key }.map { OptionEntry(key: $0.key, node: node($0.value)) })
      )
    }
  }

  private static func number(_ number: DecimalNumber) -> OptionNode {
    OptionNode(.number(number, decimals: number.decimals))
  }

  /// What the scene refused, in the protocol's words.
  static func refusal(_ error: SceneError) -> RPCError {
    switch error {
    case .unknownPicker(let id):
      RPCError(.unknownPicker, field: "picker", reason: "there is no picker \"\(id)\"")
    case .unknownDisplay(let id):
      RPCError(.invalidParams, field: "display", reason: "there is no display \"\(id)\"")
    case .displayNeeded:
      RPCError(.invalidParams, field: "display", reason: "is missing, since there are several")
    case .duplicatePicker(let id):
      RPCError(.invalidParams, field: "id", reason: "\"\(id)\" exists already")
    case .noSuchValue:
      RPCError(.invalidParams, field: "value", reason: "the picker has no such value")
    case .noSuchIndex:
      RPCError(.invalidParams, field: "index", reason: "the picker has no such index")
    case .tooManyPickers:
      RPCError(.overLimit, reason: "there are \(Scene.mostPickers) pickers already")
    }
  }
}
