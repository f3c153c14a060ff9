// SPDX-License-Identifier: Apache-2.0

package import LinuxIO

/// How an attempt to have a device alone ended.
package enum GrabOutcome: Hashable, Sendable, CustomStringConvertible {
  /// Nobody else hears the device from now on.
  case held
  /// Another process holds it, so this one hears nothing of it.
  case heldByAnother
  /// The kernel refused.
  case failed(Errno)

  /// The outcome and what to do, in one line.
  package var description: String {
    switch self {
    case .held: "held: nobody else hears this device"
    case .heldByAnother:
      "another process holds this device, so nothing of it arrives here; "
        + "end that process (detentctl doctor names it)"
    case .failed(let error): "cannot be held: \(error)"
    }
  }
}
