// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import TestSupport

/// The descriptors that this process has open on a node.
enum OpenNodes {
  static func descriptors(of node: String) -> [CInt] {
    SystemFiles.names(in: "/proc/self/fd").compactMap { CInt($0) }.filter { number in
      withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
        guard let base = buffer.baseAddress else { return false }
        let count = readlink("/proc/self/fd/\(number)", base, buffer.count)
        guard count > 0 else { return false }
        let target = buffer.prefix(count).map { UInt8(bitPattern: $0) }
        return String(decoding: target, as: UTF8.self) == node
      }
    }
  }
}

/// Runs a program to its end.
enum Command {
  static func run(_ arguments: [String]) throws {
    var pid: pid_t = 0
    var pointers: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
    defer { for pointer in pointers { free(pointer) } }
    pointers.append(nil)
    let result = posix_spawnp(&pid, arguments[0], nil, nil, pointers, environ)
    guard result == 0 else { throw Errno(rawValue: result) }
    var status: CInt = 0
    while waitpid(pid, &status, 0) < 0 {
      guard errno == EINTR else { throw Errno.current }
    }
    guard status == 0 else { throw TestFailure("\(arguments) ended with \(status)") }
  }
}

/// A udev rule that lives as long as this object.
final class UdevRule {
  private let path: String

  /// Puts a rule into force for devices that come from now on, or are triggered.
  init(_ rule: String) throws {
    path = "/run/udev/rules.d/61-detent-test-\(EventLoop.clockUs()).rules"
    mkdir("/run/udev/rules.d", 0o755)
    let file = try OwnedDescriptor(
      opening: path, flags: O_WRONLY | O_CREAT | O_TRUNC, mode: 0o644)
    _ = try Array((rule + "\n").utf8).withUnsafeBytes { try file.write($0) }
    try Command.run(["udevadm", "control", "--reload"])
  }

  deinit {
    unlink(path)
    try? Command.run(["udevadm", "control", "--reload"])
  }

  /// Whether rules can be set here.
  static let isPossible = geteuid() == 0 && access("/run/udev/control", F_OK) == 0
}
