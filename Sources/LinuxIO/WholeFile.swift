// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Files that are read and written as a whole.
package enum WholeFile {
  /// The bytes of a regular file.
  ///
  /// What stands in the place of a file, a pipe or a device, holds nobody up: it is `Errno.invalid`, a
  /// folder `Errno.isDirectory`.
  ///
  /// - Parameter limit: how many bytes are wanted at most; of a longer file a little more than that comes back.
  package static func contents(_ path: String, limit: Int) throws(Errno) -> [UInt8] {
    let file = try OwnedDescriptor(opening: path, flags: O_RDONLY | O_NONBLOCK | O_NOCTTY)
    var status = stat()
    guard fstat(file.rawValue, &status) == 0 else { throw Errno.current }
    guard status.st_mode & S_IFMT != S_IFDIR else { throw .isDirectory }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .invalid }
    var bytes: [UInt8] = []
    let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 1)
    defer { chunk.deallocate() }
    while bytes.count <= limit {
      let count = try file.read(into: chunk)
      if count == 0 { break }
      bytes += chunk[..<count]
    }
    return bytes
  }

  /// Puts bytes in the place of a file, so that after a power cut there is the old or the new, never a part.
  ///
  /// Blocks until the disk has it, which may take seconds: not for the loop's thread.
  ///
  /// - Parameters:
  ///   - path: the file; beside it `path` with `.new` at its end is made, and taken away where this fails.
  ///   - mode: the mode of the file.
  package static func replace(
    _ path: String, with bytes: [UInt8], mode: UInt32 = 0o644
  ) throws(Errno) {
    let temporary = path + ".new"
    do throws(Errno) {
      try write(bytes, to: temporary, mode: mode)
      _ = try retryingInterrupts { rename(temporary, path) }
    } catch {
      unlink(temporary)
      throw error
    }
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    let descriptor = try OwnedDescriptor(opening: folder, flags: O_RDONLY | O_DIRECTORY)
    // Some network file systems cannot flush a folder; the file is in place by then.
    if fsync(descriptor.rawValue) != 0, Errno.current != .invalid { throw Errno.current }
  }

  private static func write(_ bytes: [UInt8], to path: String, mode: UInt32) throws(Errno) {
    // Never through a link that somebody has put there.
    unlink(path)
    let file = try OwnedDescriptor(
      opening: path, flags: O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: mode)
    var result: Result<Void, Errno> = .success(())
    bytes.withUnsafeBytes { buffer in
      do throws(Errno) {
        try Descriptor.writeAll(file.rawValue, buffer)
      } catch {
        result = .failure(error)
      }
    }
    try result.get()
    _ = try retryingInterrupts { fsync(file.rawValue) }
  }
}
