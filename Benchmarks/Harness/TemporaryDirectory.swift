// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO

/// A directory that everybody may enter, gone with its last reference.
final class TemporaryDirectory {
  let path: String

  init() throws {
    // Short: the path of a socket has at most 107 bytes.
    var template = Array("/tmp/detent-bench.XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw Errno.current }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    chmod(path, 0o755)
  }

  deinit {
    unlink(path + "/socket")
    rmdir(path)
  }
}
