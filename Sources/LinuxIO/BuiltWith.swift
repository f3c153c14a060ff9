// SPDX-License-Identifier: Apache-2.0

import CLinux

/// The versions of what the program was compiled with; "unknown" where that could not be found out.
package enum BuiltWith {
  /// libinput's.
  package static var libinput: String { version(detent_built_with_libinput()) }
  /// libevdev's.
  package static var libevdev: String { version(detent_built_with_libevdev()) }
  /// libsystemd's, which is systemd's.
  package static var libsystemd: String { version(detent_built_with_libsystemd()) }

  /// The compiler's, as far as it tells.
  package static var swift: String {
    #if compiler(>=6.6)
      "6.6 or later"
    #elseif compiler(>=6.5)
      "6.5"
    #elseif compiler(>=6.4)
      "6.4"
    #elseif compiler(>=6.3)
      "6.3"
    #else
      "6.2"
    #endif
  }

  /// The processor, in the words of uname.
  package static var architecture: String {
    #if arch(x86_64)
      "x86_64"
    #elseif arch(arm64)
      "aarch64"
    #elseif arch(arm)
      "armv7l"
    #elseif arch(riscv64)
      "riscv64"
    #else
      "unknown"
    #endif
  }

  private static func version(_ description: UnsafePointer<CChar>?) -> String {
    guard let description else { return "unknown" }
    let line = String(cString: description).split(separator: "\n").first {
      $0.hasPrefix("Version:")
    }
    return line?.split(separator: " ").last.map(String.init) ?? "unknown"
  }
}
