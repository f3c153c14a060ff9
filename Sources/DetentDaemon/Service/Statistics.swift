// SPDX-License-Identifier: Apache-2.0

/// What the service counts for `stats`.
struct Statistics {
  /// Events of input devices.
  var events = 0
  /// Devices that came.
  var devicesAdded = 0
  /// Devices that went.
  var devicesRemoved = 0
  /// Configurations applied after the first.
  var reloads = 0
  /// Configurations refused.
  var refusedReloads = 0
  /// Sleeps of the machine.
  var sleeps = 0
  /// Times that selections were written to the disk.
  var memoryWrites = 0
  /// Times that this failed.
  var memoryFailures = 0
}
