// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import TestSupport

/// A program that has been started and reads the device, and the end at which it tells what it reads.
final class Reading {
  let tree: ProcessTree
  private let process: ChildProcess
  private var descriptor: CInt = -1
  private var stuck: CInt = -1
  private let pipe: String
  private let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 8)

  /// Starts a program, and waits until it reads the node and the client has its first answer.
  init(_ subject: Subject, directory: String, node: String) throws {
    pipe = directory + "/output"
    // The program before was killed.
    unlink(directory + "/socket")
    switch subject.channel {
    case .output:
      mkfifo(pipe, 0o600)
      descriptor = open(pipe, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
      process = try ChildProcess(
        ["/bin/sh", "-c", "exec \"$@\" > \(pipe)", "sh"] + subject.arguments)
    default:
      process = try ChildProcess(subject.arguments)
    }
    let tree = ProcessTree(root: process.pid)
    self.tree = tree
    try Waiting.until("\(subject.name) to read; it said \(process.errorLines)", seconds: 30) {
      tree.hasOpen(node)
    }
    if case .socket(let request) = subject.channel {
      descriptor = try Self.connect(directory + "/socket", request)
      if subject.hasStuckClient { stuck = try Self.connect(directory + "/socket", request) }
      if request != nil, !wait(milliseconds: 10_000) {
        throw TestFailure("\(subject.name) does not answer")
      }
    }
    Waiting.sleep(untilUs: EventLoop.clockUs() + 500_000)
    drain()
  }

  deinit {
    tree.end()
    _ = try? process.waitForEnd()
    if descriptor >= 0 { close(descriptor) }
    if stuck >= 0 { close(stuck) }
    unlink(pipe)
    chunk.deallocate()
  }

  /// Waits for something to read, and reads it; whether anything came.
  func wait(milliseconds: CInt) -> Bool {
    guard descriptor >= 0 else { return false }
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&waiting, 1, milliseconds) > 0 else { return false }
    return read(descriptor, chunk.baseAddress, chunk.count) > 0
  }

  /// Reads all that there is.
  func drain() {
    while wait(milliseconds: 0) {}
  }

  private static func connect(_ path: String, _ request: String?) throws -> CInt {
    let number = try Waiting.value("the socket \(path)") {
      try? UnixSocket.connect(to: path).release()
    }
    if let request {
      _ = try Array(request.utf8).withUnsafeBytes { try UnixSocket.send(number, $0) }
    }
    return number
  }
}
