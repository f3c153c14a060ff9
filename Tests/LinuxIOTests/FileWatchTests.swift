// SPDX-License-Identifier: Apache-2.0

import Glibc
@testable import LinuxIO
import Testing

@Suite struct FileWatchTests {
  let directory: TemporaryDirectory
  let loop: EventLoop

  init() throws {
    directory = try TemporaryDirectory()
    loop = try EventLoop()
  }

  private func write(_ text: String, to name: String, flags: CInt = O_TRUNC) throws {
    let file = try OwnedDescriptor(
      opening: directory.file(name), flags: O_WRONLY | O_CREAT | flags, mode: 0o600)
    _ = try Array(text.utf8).withUnsafeBytes { try file.write($0) }
  }

  /// Runs the loop for a while.
  private func run(milliseconds: Int64) throws {
    let endUs = EventLoop.clockUs() + milliseconds * 1000
    while EventLoop.clockUs() < endUs {
      try loop.runOnce(timeoutUs: max(0, endUs - EventLoop.clockUs()))
    }
  }

  /// A watch on a file of the test's directory that counts what it tells.
  private final class Watched {
    var count = 0
    private var watch: FileWatch?

    init(_ path: String, _ loop: EventLoop) throws {
      watch = try FileWatch(path: path, loop: loop) { [unowned self] in count += 1 }
    }
  }

  @Test func `a file that is written in pieces is told once, when it is quiet`() throws {
    try write("a", to: "f")
    let watched = try Watched(directory.file("f"), loop)
    for _ in 0..<5 {
      try write("half", to: "f", flags: O_APPEND)
      try run(milliseconds: 60)
      #expect(watched.count == 0)
    }
    try run(milliseconds: 400)
    #expect(watched.count == 1)
  }

  @Test func `a file that is renamed over is told, and again the next time`() throws {
    try write("old", to: "f")
    let watched = try Watched(directory.file("f"), loop)
    for round in 1...2 {
      try write("new \(round)", to: "f.tmp")
      #expect(rename(directory.file("f.tmp"), directory.file("f")) == 0)
      try run(milliseconds: 400)
      #expect(watched.count == round)
    }
  }

  @Test func `deleting and creating within the quiet time is one change`() throws {
    try write("old", to: "f")
    let watched = try Watched(directory.file("f"), loop)
    unlink(directory.file("f"))
    try run(milliseconds: 50)
    try write("new", to: "f")
    try run(milliseconds: 400)
    #expect(watched.count == 1)
    unlink(directory.file("f"))
    try run(milliseconds: 400)
    #expect(watched.count == 2)
  }

  @Test func `other files in the directory are nobody's business`() throws {
    try write("x", to: "f")
    let watched = try Watched(directory.file("f"), loop)
    try write("y", to: "g")
    try run(milliseconds: 300)
    #expect(watched.count == 0)
  }

  @Test func `opening without a change is none`() throws {
    try write("x", to: "f")
    let watched = try Watched(directory.file("f"), loop)
    _ = try OwnedDescriptor(opening: directory.file("f"), flags: O_WRONLY)
    try run(milliseconds: 300)
    #expect(watched.count == 0)
  }

  @Test func `a link that is swapped leads to a change, and its new target is watched`() throws {
    try write("one", to: "target1")
    try write("other", to: "target2")
    #expect(symlink("target1", directory.file("f")) == 0)
    let watched = try Watched(directory.file("f"), loop)
    #expect(symlink("target2", directory.file("f.tmp")) == 0)
    #expect(rename(directory.file("f.tmp"), directory.file("f")) == 0)
    try run(milliseconds: 400)
    #expect(watched.count == 1)
    try write("more", to: "target2", flags: O_APPEND)
    try run(milliseconds: 400)
    #expect(watched.count == 2)
    try write("more", to: "target1", flags: O_APPEND)
    try run(milliseconds: 400)
    #expect(watched.count == 2)
  }

  @Test func `a directory that comes later is found`() throws {
    let inner = directory.file("inner")
    let watched = try Watched(inner + "/deep/f", loop)
    defer {
      unlink(inner + "/deep/f")
      rmdir(inner + "/deep")
      rmdir(inner)
    }
    #expect(mkdir(inner, 0o700) == 0)
    try run(milliseconds: 300)
    #expect(mkdir(inner + "/deep", 0o700) == 0)
    try run(milliseconds: 300)
    try write("here", to: "inner/deep/f")
    try run(milliseconds: 400)
    #expect(watched.count == 1)
  }

  @Test func `links that run in a circle end`() throws {
    #expect(symlink("b", directory.file("a")) == 0)
    #expect(symlink("a", directory.file("b")) == 0)
    #expect(FileWatch.places(on: directory.file("a")).count < 100)
  }
}
