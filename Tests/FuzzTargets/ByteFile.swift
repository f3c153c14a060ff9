// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO

/// A file without a name that holds bytes, for readers that open a path.
final class ByteFile {
  private let file: OwnedDescriptor

  /// An empty file.
  init() throws(BrokenInvariant) {
    var path = Array("/dev/shm/detent-fuzz-XXXXXX".utf8CString)
    let number = mkstemp(&path)
    guard number >= 0 else { throw BrokenInvariant("no file in /dev/shm: \(Errno.current)") }
    file = OwnedDescriptor(owning: number)
    unlink(path)
  }

  /// Where it can be opened.
  var path: String { "/proc/self/fd/\(file.rawValue)" }

  /// Replaces what it holds.
  func hold(_ bytes: [UInt8]) throws(BrokenInvariant) {
    let count = bytes.withUnsafeBytes { pwrite(file.rawValue, $0.baseAddress, $0.count, 0) }
    guard count == bytes.count, ftruncate(file.rawValue, count) == 0 else {
      throw BrokenInvariant("\(bytes.count) bytes could not be written: \(Errno.current)")
    }
  }
}
