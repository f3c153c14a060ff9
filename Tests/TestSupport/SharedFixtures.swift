// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Material that may lie beside the source tree, in `../shared`; tests that need it are skipped without it.
package enum SharedFixtures {
  /// Why tests with `.enabled(if: SharedFixtures.isPresent)` do not run.
  package static let reason = "needs ../shared beside the source tree"

  /// The root of the source tree.
  package static let tree: String = {
    var parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
    parts.removeLast(3)
    return parts.joined(separator: "/")
  }()

  /// Where the material is.
  package static let directory = tree + "/../shared"

  /// Whether it is there.
  package static let isPresent = access(directory + "/recordings", R_OK) == 0

  /// Files with event streams of real devices in evemu's format, sorted; a few lack a device or events.
  package static func recordings() -> [String] {
    ["evemu-devices", "transcribed", "xit"].flatMap { folder in
      SystemFiles.names(in: "\(directory)/recordings/\(folder)")
        .filter { $0.hasSuffix(".events") || $0.hasSuffix(".evemu") }
        .map { "\(directory)/recordings/\(folder)/\($0)" }
    }
  }
}
