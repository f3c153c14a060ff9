// SPDX-License-Identifier: Apache-2.0

import CToml
import LinuxIO

/// The program's version.
package enum Version {
  /// The version of the next release.
  package static let current = "0.1.0"

  /// What it was built with, in a line.
  package static var builtWith: String {
    let toml = String(cString: ctoml_version())
    return "libinput \(BuiltWith.libinput), libevdev \(BuiltWith.libevdev), "
      + "systemd \(BuiltWith.libsystemd), toml++ \(toml), Swift \(BuiltWith.swift), "
      + BuiltWith.architecture
  }
}
