// SPDX-License-Identifier: Apache-2.0

import CLibsystemd
import Glibc

/// What the service tells systemd; without systemd every call does nothing.
package enum ServiceManager {
  /// The service does its work from now on.
  package static func ready(status: String) {
    notify("READY=1\nSTATUS=\(oneLine(status))")
  }

  /// One line for `systemctl status`.
  package static func status(_ text: String) {
    notify("STATUS=\(oneLine(text))")
  }

  /// The configuration is being read again; `ready` ends it.
  package static func reloading() {
    // systemd takes the time to tell this reload from one that ended before.
    notify("RELOADING=1\nMONOTONIC_USEC=\(EventLoop.clockUs())")
  }

  /// The service ends.
  package static func stopping(status: String) {
    notify("STOPPING=1\nSTATUS=\(oneLine(status))")
  }

  private static func notify(_ state: String) {
    // The service works without its manager, so a failure has no consequence.
    sd_notify(0, state)
  }

  private static func oneLine(_ text: String) -> String {
    String(text.map { $0.isNewline ? " " : $0 })
  }
}
