// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import TestSupport

/// A program and those that it started, seen through /proc.
struct ProcessTree {
  let root: pid_t

  private var pids: [pid_t] {
    var found = [root]
    var next = 0
    while next < found.count {
      let pid = found[next]
      found += Self.words("/proc/\(pid)/task/\(pid)/children").compactMap { pid_t($0) }
      next += 1
    }
    return found
  }

  /// The processor time of all, in microseconds.
  var processorUs: Int64 {
    pids.reduce(0) { sum, pid in
      sum
        + SystemFiles.names(in: "/proc/\(pid)/task").reduce(0) { sum, thread in
          let words = Self.words("/proc/\(pid)/task/\(thread)/schedstat")
          return sum + (words.first.flatMap { Int64($0) } ?? 0) / 1000
        }
    }
  }

  /// The memory of all, in kilobytes: what is theirs alone and was written, and what is resident.
  var memoryKB: (dirty: Int, resident: Int) {
    pids.reduce((0, 0)) { sum, pid in
      let words = Self.words("/proc/\(pid)/smaps_rollup")
      func field(_ name: String) -> Int {
        words.firstIndex { $0 == name }.flatMap { Int(words[$0 + 1]) } ?? 0
      }
      return (sum.0 + field("Private_Dirty:"), sum.1 + field("Rss:"))
    }
  }

  /// Whether one of them has a file open.
  func hasOpen(_ path: String) -> Bool {
    pids.contains { pid in
      SystemFiles.names(in: "/proc/\(pid)/fd").contains {
        var target = [CChar](repeating: 0, count: 4096)
        guard readlink("/proc/\(pid)/fd/\($0)", &target, target.count - 1) > 0 else { return false }
        return String(
          decoding: target.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
          == path
      }
    }
  }

  /// Ends them all.
  func end() {
    for pid in pids.reversed() { kill(pid, SIGKILL) }
  }

  private static func words(_ path: String) -> [Substring] {
    (SystemFiles.text(of: path) ?? "").split { $0 == " " || $0 == "\n" || $0 == "\t" }
  }
}
