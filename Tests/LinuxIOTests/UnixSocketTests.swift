// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import Synchronization
import Testing

/// A directory of its own for one test.
final class TemporaryDirectory {
  let path: String

  init() throws {
    var template = Array("/tmp/detent-test-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw Errno.current }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    for name in contents { unlink(file(name)) }
    rmdir(path)
  }

  func file(_ name: String) -> String { path + "/" + name }

  var contents: [String] {
    guard let directory = opendir(path) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }
}

func mode(of path: String) -> UInt32? {
  var status = stat()
  return lstat(path, &status) == 0 ? status.st_mode & 0o7777 : nil
}

@Suite struct UnixSocketTests {
  let directory: TemporaryDirectory
  var path: String { directory.file("s.sock") }

  init() throws {
    directory = try TemporaryDirectory()
  }

  /// Sends everything that fits, a byte at a time where `piece` is 1.
  private func exchange(_ client: CInt, _ server: CInt, _ text: String) throws -> String {
    let bytes = Array(text.utf8)
    #expect(try bytes.withUnsafeBytes { try UnixSocket.send(client, $0) } == bytes.count)
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = try buffer.withUnsafeMutableBytes { try UnixSocket.receive(server, into: $0) }
    return String(decoding: buffer.prefix(count), as: UTF8.self)
  }

  @Test func `a client connects, speaks and is known`() throws {
    let listener = try UnixListener(listeningAt: path, mode: 0o640)
    #expect(mode(of: path) == 0o640)
    #expect(try listener.accept() == nil)
    let client = try UnixSocket.connect(to: path)
    guard let accepted = try listener.accept() else {
      Issue.record("nobody waits")
      return
    }
    let server = accepted.release()
    defer { close(server) }
    #expect(try exchange(client.rawValue, server, "hello\n") == "hello\n")
    let peer = try PeerCredentials(of: server)
    #expect(peer == PeerCredentials(pid: getpid(), uid: geteuid(), gid: getegid()))
    #expect(peer.command != nil)
    _ = try PeerCredentials.groups(of: server)
    for number in [client.rawValue, server, listener.descriptor] {
      #expect(fcntl(number, F_GETFL) & O_NONBLOCK != 0)
      #expect(fcntl(number, F_GETFD) & FD_CLOEXEC != 0)
    }
  }

  @Test func `several buffers go in one call`() throws {
    let pair = try UnixSocket.pair()
    let text = Array("one two three".utf8)
    try text.withUnsafeBytes { bytes in
      let parts = [0..<4, 4..<8, 8..<13].map { UnsafeRawBufferPointer(rebasing: bytes[$0]) }
      let count = try parts.withUnsafeBufferPointer {
        try UnixSocket.send(pair.first.rawValue, gathering: $0)
      }
      #expect(count == 13)
    }
    var buffer = [UInt8](repeating: 0, count: 64)
    let count = try buffer.withUnsafeMutableBytes {
      try UnixSocket.receive(pair.second.rawValue, into: $0)
    }
    #expect(String(decoding: buffer.prefix(count), as: UTF8.self) == "one two three")
  }

  @Test func `a full peer would block, a gone one is a broken pipe`() throws {
    let pair = try UnixSocket.pair()
    let sender = pair.first
    let receiver = pair.second
    let block = [UInt8](repeating: 0x61, count: 1 << 20)
    #expect(throws: Errno.wouldBlock) {
      while true { _ = try block.withUnsafeBytes { try UnixSocket.send(sender.rawValue, $0) } }
    }
    close(receiver.release())
    // SIGPIPE would end the test process here.
    #expect(throws: Errno.brokenPipe) {
      _ = try block.withUnsafeBytes { try UnixSocket.send(sender.rawValue, $0) }
    }
  }

  @Test func `a stale socket file is replaced`() throws {
    do {
      // What a crash leaves: bound, never unlinked.
      let left = try UnixListener(listeningAt: path)
      let saved = directory.file("saved")
      #expect(link(path, saved) == 0)
      withExtendedLifetime(left) {}
    }
    #expect(rename(directory.file("saved"), path) == 0)
    #expect(throws: Errno.connectionRefused) { _ = try UnixSocket.connect(to: path) }
    let listener = try UnixListener(listeningAt: path)
    _ = try UnixSocket.connect(to: path)
    withExtendedLifetime(listener) {}
  }

  @Test func `a live socket is left alone`() throws {
    let first = try UnixListener(listeningAt: path)
    #expect(throws: SocketPathError.inUse(path: path, pid: getpid())) {
      _ = try UnixListener(listeningAt: path)
    }
    _ = try UnixSocket.connect(to: path)
    withExtendedLifetime(first) {}
  }

  @Test func `what is no socket is never deleted`() throws {
    let file = try OwnedDescriptor(opening: path, flags: O_CREAT | O_WRONLY, mode: 0o600)
    _ = try Array("precious".utf8).withUnsafeBytes { try file.write($0) }
    #expect(throws: SocketPathError.foreign(path: path, what: "a file")) {
      _ = try UnixListener(listeningAt: path)
    }
    #expect(directory.contents == ["s.sock"])
    let link = directory.file("link")
    #expect(symlink(path, link) == 0)
    #expect(throws: SocketPathError.foreign(path: link, what: "a symbolic link")) {
      _ = try UnixListener(listeningAt: link)
    }
    #expect(directory.contents == ["link", "s.sock"])
  }

  @Test func `a full queue is a live socket`() throws {
    let listener = try UnixListener(listeningAt: path)
    #expect(Glibc.listen(listener.descriptor, 0) == 0)
    var clients: [CInt] = []
    defer { for client in clients { close(client) } }
    #expect(throws: Errno.wouldBlock) {
      while true { clients.append(try UnixSocket.connect(to: path).release()) }
    }
    #expect(throws: SocketPathError.inUse(path: path, pid: nil)) {
      _ = try UnixListener(listeningAt: path)
    }
  }

  @Test func `the listener takes its own file away and no other`() throws {
    do {
      let listener = try UnixListener(listeningAt: path)
      withExtendedLifetime(listener) { #expect(directory.contents == ["s.sock"]) }
    }
    #expect(directory.contents.isEmpty)
    var first: UnixListener? = try UnixListener(listeningAt: path)
    #expect(first != nil)
    unlink(path)
    let second = try UnixListener(listeningAt: path)
    first = nil
    #expect(directory.contents == ["s.sock"])
    _ = try UnixSocket.connect(to: path)
    withExtendedLifetime(second) {}
  }

  @Test func `errors name the path and the cure`() throws {
    let long = directory.file(String(repeating: "x", count: 120))
    #expect(throws: SocketPathError.tooLong(path: long)) {
      _ = try UnixListener(listeningAt: long)
    }
    let nowhere = directory.file("no/s.sock")
    #expect(
      throws: SocketPathError.noDirectory(path: nowhere, directory: directory.file("no"))
    ) { _ = try UnixListener(listeningAt: nowhere) }
    let unknown = SocketPathError.unknownGroup(path: path, group: "no-such-group")
    #expect(throws: unknown) {
      _ = try UnixListener(listeningAt: path, group: "no-such-group")
    }
    #expect(unknown.description.contains("groupadd --system no-such-group"))
    #expect(directory.contents.isEmpty)
  }

  @Test func `the group of the file is set`() throws {
    let group = Accounts.groupName(getegid())
    let listener = try UnixListener(listeningAt: path, mode: 0o660, group: group)
    var status = stat()
    #expect(lstat(path, &status) == 0)
    #expect(status.st_gid == getegid())
    #expect(status.st_mode & 0o7777 == 0o660)
    withExtendedLifetime(listener) {}
  }

  @Test func `of many that start at once over a stale file one wins`() throws {
    for _ in 0..<10 {
      try Self.leaveStale(at: path)
      let contest = Contest(path: path)
      var threads = [pthread_t](repeating: 0, count: 4)
      for index in threads.indices {
        let result = pthread_create(
          &threads[index], nil,
          { argument in
            if let argument {
              Unmanaged<Contest>.fromOpaque(argument).takeUnretainedValue().enter()
            }
            return nil
          }, Unmanaged.passUnretained(contest).toOpaque())
        #expect(result == 0)
      }
      for thread in threads { pthread_join(thread, nil) }
      #expect(contest.outcomes == [true, false, false, false])
    }
  }

  /// Starters on threads of their own; who wins holds the socket until all have tried.
  final class Contest: Sendable {
    let path: String
    private let state = Mutex<(won: [Unmanaged<UnixListener>], lost: Int)>(([], 0))

    init(path: String) {
      self.path = path
    }

    deinit {
      state.withLock { for listener in $0.won { listener.release() } }
    }

    func enter() {
      if let listener = try? UnixListener(listeningAt: path) {
        let bits = UInt(bitPattern: Unmanaged.passRetained(listener).toOpaque())
        state.withLock {
          guard let pointer = UnsafeRawPointer(bitPattern: bits) else { return }
          $0.won.append(Unmanaged.fromOpaque(pointer))
        }
      } else {
        state.withLock { $0.lost += 1 }
      }
    }

    var outcomes: [Bool] {
      state.withLock {
        [Bool](repeating: true, count: $0.won.count) + [Bool](repeating: false, count: $0.lost)
      }
    }
  }

  static func leaveStale(at path: String) throws {
    unlink(path)
    let saved = path + ".saved"
    do {
      let listener = try UnixListener(listeningAt: path)
      #expect(link(path, saved) == 0)
      withExtendedLifetime(listener) {}
    }
    #expect(rename(saved, path) == 0)
  }

  @Test func `nothing is inherited without a service manager`() throws {
    #expect(try UnixListener.inherited { _ in }.isEmpty)
  }
}
