// SPDX-License-Identifier: Apache-2.0

/// How the daemon is started.
package struct ServiceOptions: Sendable {
  /// Where input comes from.
  package enum Input: Sendable {
    /// All devices of the configuration's seat.
    case seat
    /// These nodes.
    case nodes([String])
    /// A recording, in real time.
    case recording(String, Repetition)
  }

  /// How often a recording is played.
  package enum Repetition: Sendable {
    /// Once; then the service goes on without input.
    case once
    /// Once; the service stops when all has come to rest.
    case onceThenStop
    /// Again and again.
    case forever
  }

  /// The configuration file.
  package var configuration = "/etc/detent/detent.toml"
  /// Where clients connect, unless the service manager hands over a socket.
  package var socket = "/run/detent/detent.sock"
  /// Where the selections of pickers with `remember` are kept.
  package var stateDirectory = "/var/lib/detent"
  /// Where input comes from.
  package var input = Input.seat
  /// Whether everything is logged.
  package var isVerbose = false

  /// The defaults.
  package init() {}
}
