// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO

/// A message bus of its own, as a system has one, for programs that are given its address.
package final class SystemBus {
  /// The variable that names a system bus to libsystemd and all others.
  package static let variable = "DBUS_SYSTEM_BUS_ADDRESS"
  /// Whether there is a bus daemon to run.
  package static let isInstalled = ChildProcess.isInstalled("dbus-daemon")
  /// Why tests with `.enabled(if: SystemBus.isInstalled)` do not run.
  package static let needsDaemon = "needs dbus-daemon"

  /// The bus's address.
  package var address: String { "unix:path=\(folder.path)/bus" }
  /// The environment of a program that shall take it for the system's.
  package var environment: [String: String] { [Self.variable: address] }

  private let folder: TemporaryFolder
  private var process: ChildProcess?

  /// Starts a bus that anybody may use for anything.
  package init() throws {
    folder = try TemporaryFolder()
    let text = """
      <busconfig>
        <type>system</type>
        <listen>\(address)</listen>
        <auth>EXTERNAL</auth>
        <policy context="default">
          <allow user="*"/>
          <allow own="*"/>
          <allow send_destination="*"/>
          <allow receive_sender="*"/>
        </policy>
      </busconfig>
      """
    try folder.write(text, to: "bus.conf")
    try start()
  }

  deinit {
    try? stop()
  }

  /// Starts it again after `stop`, at the same address.
  package func start() throws {
    unlink(folder.path + "/bus")
    let process = try ChildProcess([
      "dbus-daemon", "--config-file=\(folder.path)/bus.conf", "--nofork", "--nopidfile",
    ])
    self.process = process
    try Waiting.until("the bus to listen; it said \(process.errorLines)") {
      (try? UnixSocket.connect(to: folder.path + "/bus")) != nil
    }
  }

  /// Ends it; all who are connected lose it.
  package func stop() throws {
    // Not SIGTERM: a test that takes signals as events has them blocked, and its children inherit that.
    process?.signal(SIGKILL)
    _ = try process?.waitForEnd()
    process = nil
  }
}
