// SPDX-License-Identifier: Apache-2.0

/// The exit statuses of both programs that scripts may rely on, as sysexits.h has them from 64 on.
package enum ExitStatus {
  /// All went well.
  package static let success: Int32 = 0
  /// The daemon refused, a file is wrong, or the service could not start.
  package static let failure: Int32 = 1
  /// The command line cannot be understood.
  package static let usage: Int32 = 64
  /// The daemon cannot be reached.
  package static let unavailable: Int32 = 69
  /// The output cannot be written.
  package static let output: Int32 = 74
}
