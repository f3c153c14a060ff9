// SPDX-License-Identifier: Apache-2.0

/// Why a test's equipment did not do what the test needs.
package struct TestFailure: Error, CustomStringConvertible {
  /// What went wrong, in words.
  package var description: String

  /// A failure that says this.
  package init(_ description: String) {
    self.description = description
  }
}
