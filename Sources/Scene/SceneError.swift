// SPDX-License-Identifier: Apache-2.0

/// Why a request cannot be carried out.
package enum SceneError: Error, Hashable, Sendable {
  /// There is no picker of this name.
  case unknownPicker(String)
  /// There is no display of this name.
  case unknownDisplay(String)
  /// There are several displays, and none was named.
  case displayNeeded
  /// A picker of this name is there already.
  case duplicatePicker(String)
  /// The picker has no such value or index.
  case noSuchValue
  /// An index is not below the number of the picker's values.
  case noSuchIndex
  /// There are as many pickers as there may be.
  case tooManyPickers
}
