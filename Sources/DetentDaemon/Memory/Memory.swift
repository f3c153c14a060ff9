// SPDX-License-Identifier: Apache-2.0

import LinuxIO

/// The selections that outlive the service.
///
/// Whatever fails here costs the memory, never the service.
final class Memory {
  var selections = SelectionMemory()
  var file: MemoryFile
  var timer: TimerSource
  // What the last write failed with, so that it is said once.
  var failure: Errno?

  init(file: MemoryFile, timer: TimerSource) {
    self.file = file
    self.timer = timer
  }
}
