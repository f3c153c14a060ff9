// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO

/// Small files and directories of the kernel and of udev, read whole.
package enum SystemFiles {
  /// The bytes of a file; nil where it cannot be read.
  package static func bytes(of path: String) -> [UInt8]? {
    guard let file = try? OwnedDescriptor(opening: path, flags: O_RDONLY) else { return nil }
    var content: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      guard let count = try? buffer.withUnsafeMutableBytes({ try file.read(into: $0) }) else {
        return nil
      }
      if count == 0 { return content }
      content += buffer.prefix(count)
    }
  }

  /// The text of a file without white space at its end; nil where it cannot be read.
  package static func text(of path: String) -> String? {
    guard var bytes = bytes(of: path) else { return nil }
    while let last = bytes.last, last == 10 || last == 32 { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The names in a directory, sorted, without "." and ".."; none where it cannot be read.
  package static func names(in directory: String) -> [String] {
    guard let stream = opendir(directory) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }
}
