// SPDX-License-Identifier: Apache-2.0

import LinuxIO

/// A command of detentctl.
struct Command: Sendable {
  /// Its name.
  var name: String
  /// What follows the name, for the usage.
  var usage: String
  /// What it does, in a line.
  var summary: String
  /// Its options.
  var options: [Arguments.Option]
  /// How many operands it takes.
  var operands: ClosedRange<Int>
  /// Carries it out and returns the exit status.
  var run: @Sendable (Arguments) -> Int32

  /// All commands.
  static let all: [Command] = [replay]
}

/// The exit statuses that scripts may rely on.
enum ExitStatus {
  /// All went well.
  static let success: Int32 = 0
  /// The daemon refused, or the file is wrong.
  static let failure: Int32 = 1
  /// The command line cannot be understood.
  static let usage: Int32 = 64
  /// The daemon cannot be reached.
  static let unavailable: Int32 = 69
}
