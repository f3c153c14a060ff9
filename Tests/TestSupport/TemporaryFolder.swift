// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO

/// A folder for the files of a test, gone with this object.
package final class TemporaryFolder {
  /// Its path.
  package let path: String

  /// A new, empty folder.
  package init() throws {
    var template = Array("/tmp/detent-folder.XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw Errno.current }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    Self.remove(path)
  }

  /// Makes a folder in it.
  package func makeFolder(_ name: String) throws {
    guard mkdir("\(path)/\(name)", 0o755) == 0 else { throw Errno.current }
  }

  /// Writes a file in it, in place.
  package func write(_ text: String, to name: String) throws {
    let file = try OwnedDescriptor(
      opening: "\(path)/\(name)", flags: O_WRONLY | O_CREAT | O_TRUNC, mode: 0o644)
    try Array(text.utf8).withUnsafeBytes { try Descriptor.writeAll(file.rawValue, $0) }
  }

  /// The text of a file in it; empty where there is none.
  package func text(_ name: String) -> String {
    let bytes = try? WholeFile.contents("\(path)/\(name)", limit: 1 << 24)
    return String(decoding: bytes ?? [], as: UTF8.self)
  }

  /// Whether a file in it holds a text.
  package func has(_ name: String, _ text: String) -> Bool { self.text(name).contains(text) }

  private static func remove(_ directory: String) {
    for name in SystemFiles.names(in: directory) {
      let path = "\(directory)/\(name)"
      if unlink(path) != 0 { remove(path) }
    }
    rmdir(directory)
  }
}
