// SPDX-License-Identifier: Apache-2.0

import LinuxIO
import Synchronization

/// The file of the selections, written on a thread of its own: a disk may take seconds to say that it has it.
final class MemoryFile {
  /// How a write ended: nil where the disk has it.
  typealias Outcome = Errno?

  private final class Box: Sendable {
    let outcome = Mutex<Outcome?>(nil)
  }

  /// The file's path.
  let path: String
  private let bell: Wakeup
  private let ended: (Outcome) -> Void
  private var source: DescriptorSource?
  private var box: Box?

  /// A file in a folder, which need not exist yet.
  ///
  /// - Parameter ended: called on the loop after each write.
  init(
    directory: String, loop: EventLoop, ended: @escaping (Outcome) -> Void
  ) throws(Errno) {
    path = directory + "/selections.json"
    bell = try Wakeup()
    self.ended = ended
    source = try loop.watch(bell.descriptor, for: .readable) { [unowned self] _ in collect() }
  }

  deinit {
    source?.cancel()
  }

  /// What it holds; nil where there is none.
  func read() throws(Errno) -> [UInt8]? {
    do throws(Errno) {
      return try WholeFile.contents(path, limit: SelectionMemory.largestBytes)
    } catch {
      if error == .noEntry { return nil }
      throw error
    }
  }

  /// Begins to write; the one before must have ended.
  func write(_ bytes: [UInt8]) {
    let box = Box()
    self.box = box
    do throws(Errno) {
      try DetachedThread.start { [path, bell] in
        var outcome: Outcome = nil
        do throws(Errno) {
          try WholeFile.replace(path, with: bytes, mode: 0o600)
        } catch {
          outcome = error
        }
        box.outcome.withLock { [outcome] in $0 = .some(outcome) }
        bell.ring()
      }
    } catch {
      box.outcome.withLock { $0 = .some(error) }
      bell.ring()
    }
  }

  /// Waits for the write that is under way, at most until a time in microseconds.
  func finish(untilUs endUs: Int64) {
    while box != nil, EventLoop.clockUs() < endUs {
      bell.wait(untilUs: endUs)
      collect()
    }
  }

  private func collect() {
    bell.clear()
    guard let outcome = box?.outcome.withLock({ $0 }) else { return }
    box = nil
    ended(outcome)
  }
}
