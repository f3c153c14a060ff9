// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO

/// A folder that goes with this object, and the files in it.
package final class TemporaryFolder {
  /// Where it is.
  package let path: String

  /// Makes one.
  package init() throws {
    var template = Array("/tmp/detent-test-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw Errno.current }
    path = String(decoding: template.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  deinit {
    for name in SystemFiles.names(in: path) { unlink("\(path)/\(name)") }
    rmdir(path)
  }
}
