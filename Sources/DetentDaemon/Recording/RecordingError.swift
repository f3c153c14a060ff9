// SPDX-License-Identifier: Apache-2.0

/// What is wrong with a recording.
package struct RecordingError: Error, Hashable, CustomStringConvertible {
  /// The file.
  package var file: String
  /// The line, from 1; 0 where it is the file itself.
  package var line: Int
  /// What is wrong.
  package var reason: String

  /// The file, the line and what is wrong with it.
  package var description: String {
    line > 0 ? "\(file):\(line): \(reason)" : "\(file): \(reason)"
  }
}
