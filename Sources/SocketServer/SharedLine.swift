// SPDX-License-Identifier: Apache-2.0

/// A line that waits in the queues of any number of clients; encoded once, held once.
///
/// It owns its memory, so that the kernel can be handed pointers into many lines at once.
final class SharedLine {
  let bytes: UnsafeRawBufferPointer
  /// When it was put into queues, CLOCK_MONOTONIC in microseconds.
  let madeUs: Int64

  init(_ line: [UInt8], madeUs: Int64) {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: line.count, alignment: 1)
    memory.copyBytes(from: line)
    bytes = UnsafeRawBufferPointer(memory)
    self.madeUs = madeUs
  }

  deinit { bytes.deallocate() }
}
