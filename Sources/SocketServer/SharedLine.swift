// SPDX-License-Identifier: Apache-2.0

import Wire

/// A line that waits in the queues of any number of clients; encoded once, held once.
///
/// It owns its memory, so that the kernel can be handed pointers into many lines at once.
final class SharedLine {
  let bytes: UnsafeRawBufferPointer
  /// When it was put into queues, CLOCK_MONOTONIC in microseconds.
  let madeUs: Int64

  init(_ line: JSONWriter, madeUs: Int64) {
    bytes = line.withBytes { line in
      let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: line.count, alignment: 1)
      memory.copyMemory(from: line)
      return UnsafeRawBufferPointer(memory)
    }
    self.madeUs = madeUs
  }

  deinit { bytes.deallocate() }
}
