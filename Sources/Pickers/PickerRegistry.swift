// SPDX-License-Identifier: Apache-2.0

package import Wire

/// The types of pickers that there are.
package enum PickerRegistry {
  /// A type: what its values are called, what it plays, how it is made.
  package struct Kind: Sendable {
    /// The key of its values.
    package let valuesKey: String
    /// The cue that it plays where the configuration names none.
    package let cue: Cue?
    /// Reads its own options; problems are left in the reader.
    package let make: @Sendable (inout OptionReader, PickerBase) -> (any PickerModel)?
  }

  /// All types, by the name that configurations use.
  ///
  /// A new one is a model in a file of its own and a line here.
  package static let types: [String: Kind] = [
    "ruler": Kind(valuesKey: "values", cue: .light) { Ruler(options: &$0, base: $1) },
    "swatches": Kind(valuesKey: "colors", cue: .selection) { Swatches(options: &$0, base: $1) },
    "carousel": Kind(valuesKey: "items", cue: nil) { Carousel(options: &$0, base: $1) },
    "radial": Kind(valuesKey: "values", cue: .light) { Radial.make(options: &$0, base: $1) },
  ]

  /// The names, as in "expected one of …".
  package static var expectedTypes: String {
    "one of \(types.keys.sorted().map { "\"\($0)\"" }.joined(separator: ", "))"
  }
}
