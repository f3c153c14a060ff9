// SPDX-License-Identifier: Apache-2.0

import LinuxIO
import Pickers

/// Reads a configuration file into memory: bounded, and with a plain word about what is in the way.
enum ConfigurationFile {
  /// More than the largest sensible configuration, and little enough to be read at once.
  private static let largestBytes = 1 << 20

  /// The text of a file.
  static func text(_ path: String) throws(OptionProblem) -> String {
    let bytes: [UInt8]
    do throws(Errno) {
      bytes = try WholeFile.contents(path, limit: largestBytes)
    } catch {
      throw problem(cure(error))
    }
    guard !bytes.isEmpty else {
      throw problem("is empty; expected at least a [[display]] with width and height")
    }
    guard bytes.count <= largestBytes else {
      throw problem("is larger than \(largestBytes) bytes; this is no configuration")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw problem("is not UTF-8 text")
    }
    return text
  }

  private static func problem(_ message: String) -> OptionProblem {
    OptionProblem(key: "", line: 0, column: 0, message: message)
  }

  private static func cure(_ error: Errno) -> String {
    switch error {
    case .noEntry: "does not exist; make it, or name another with --config FILE"
    case .accessDenied: "may not be read by this user; chmod it, or run as another user"
    case .isDirectory: "is a folder; name a file in it"
    case .invalid: "is no file but a device, a pipe or a socket; name a file"
    default: "cannot be read: \(error)"
    }
  }
}
