// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO

/// The program's standard output and error, written whole or not at all.
package enum StandardStreams {
  /// Writes bytes to standard output.
  ///
  /// - Returns: false where nobody reads any more or the disk is full: time to stop.
  package static func output(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { bytes in
      do throws(Errno) {
        try Descriptor.writeAll(STDOUT_FILENO, bytes)
        return true
      } catch {
        return false
      }
    }
  }

  /// Writes a line to standard output.
  package static func output(_ line: String) -> Bool { output(Array((line + "\n").utf8)) }

  /// Writes a line to standard error, where nothing can be done if that fails.
  package static func error(_ line: String) {
    Array((line + "\n").utf8).withUnsafeBytes { try? Descriptor.writeAll(STDERR_FILENO, $0) }
  }
}
