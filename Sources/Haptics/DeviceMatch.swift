// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Which devices the configuration means, by glob patterns (`fnmatch`).
///
/// `{ name = "drv260x*" }` or `{ path = "platform-*" }`; with both, both must fit.
package struct DeviceMatch: Hashable, Sendable {
  /// A pattern for the kernel's name of the device; nil fits any.
  package var name: String?
  /// A pattern for udev's ID_PATH; nil fits any.
  package var path: String?

  /// A match by these patterns.
  package init(name: String? = nil, path: String? = nil) {
    self.name = name
    self.path = path
  }

  /// Whether a device is meant; without any pattern, none is.
  package func matches(name deviceName: String, path devicePath: String) -> Bool {
    guard name != nil || path != nil else { return false }
    return (name.map { fnmatch($0, deviceName, 0) == 0 } ?? true)
      && (path.map { fnmatch($0, devicePath, 0) == 0 } ?? true)
  }
}
