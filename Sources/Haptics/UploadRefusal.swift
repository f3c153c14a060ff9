// SPDX-License-Identifier: Apache-2.0

package import LinuxIO

/// Why a device did not take an effect; what the kernel's errors mean to a probe and to a player.
package enum UploadRefusal: Hashable, Sendable {
  /// EINVAL: not this kind of effect.
  case unsupported
  /// ENOSPC: no slot is free.
  case noSlot
  /// EBUSY: not now.
  case busy
  /// ENODEV: the device is gone.
  case gone
  /// ETIMEDOUT: the driver did not answer for 30 seconds.
  case silent
  /// Anything else.
  case failed(Errno)

  /// What an error of EVIOCSFF means.
  package init(_ error: Errno) {
    switch error {
    // ENOSYS is what a node without any force feedback says.
    case .invalid, .notImplemented: self = .unsupported
    case .noSpace: self = .noSlot
    case .busy: self = .busy
    case .noDevice: self = .gone
    case .timedOut: self = .silent
    default: self = .failed(error)
    }
  }
}
