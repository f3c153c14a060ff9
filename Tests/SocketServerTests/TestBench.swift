// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import Testing
import Wire

@testable import SocketServer

/// A server on a real socket and a real loop, which the test itself turns.
final class TestBench {
  let loop: EventLoop
  let server: SocketServer
  let daemon: TestDaemon
  let directory: String
  var path: String { directory + "/s.sock" }
  /// How long the longest round of the loop kept the processor, in microseconds.
  private(set) var longestRoundUs: Int64 = 0

  init(allowControl: [String] = [], patienceUs: Int64 = Limits.patienceUs) throws {
    var template = Array("/tmp/detent-test-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw Errno.current }
    directory = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    loop = try EventLoop()
    server = try SocketServer(
      listeners: [try UnixListener(listeningAt: directory + "/s.sock")],
      identity: SocketServer.Identity(
        version: "0.0.1", instance: "test", allowControl: allowControl),
      loop: loop, patienceUs: patienceUs)
    daemon = TestDaemon(server)
  }

  deinit {
    unlink(path)
    rmdir(directory)
  }

  /// A new client that has not read anything yet.
  func connect() throws -> TestClient { try TestClient(path: path) }

  /// A new client that has had its `hello`.
  func client(subscribing params: String? = nil) throws -> TestClient {
    let client = try connect()
    _ = try #require(try line(for: client)["method"] == .string("hello"))
    if let params {
      try client.send(#"{"jsonrpc":"2.0","id":"s","method":"subscribe","params":\#(params)}"#)
      _ = try #require(try line(for: client)["result"])
    }
    return client
  }

  // MARK: Turning the loop

  /// One round that does not wait.
  @discardableResult
  func turn() throws -> Bool {
    let beganUs = processorUs()
    let isDone = try loop.runOnce(timeoutUs: 0)
    longestRoundUs = max(longestRoundUs, processorUs() - beganUs)
    return isDone
  }

  /// Turns until nothing is left to do.
  func settle() throws {
    while try turn() {}
  }

  /// Turns until something is the case.
  func turn(seconds: Double = 10, until isDone: () throws -> Bool) throws {
    let endUs = EventLoop.clockUs() + Int64(seconds * 1e6)
    while try !isDone() {
      guard EventLoop.clockUs() < endUs else { throw TestTimeout() }
      if try !turn() { usleep(200) }
    }
  }

  /// Turns for a while.
  func turn(for seconds: Double) throws {
    let endUs = EventLoop.clockUs() + Int64(seconds * 1e6)
    while EventLoop.clockUs() < endUs {
      if try !turn() { usleep(200) }
    }
  }

  /// The next line that a client gets, as a value.
  func line(for client: TestClient) throws -> JSONValue {
    try JSONParser.value(of: Array(try text(for: client).utf8))
  }

  /// The next line that a client gets.
  func text(for client: TestClient) throws -> String {
    try turn { client.receive() }
    return try #require(client.next())
  }

  /// What a client is answered.
  func reply(_ line: String, for client: TestClient) throws -> JSONValue {
    try client.send(line)
    return try self.line(for: client)
  }

  /// Turns until the client was closed, and returns the lines that it still got.
  func end(of client: TestClient) throws -> [String] {
    try turn {
      client.receive(all: true)
      return client.isClosed
    }
    return client.takeAll()
  }

  func forgetRounds() { longestRoundUs = 0 }
}

struct TestTimeout: Error {}

/// A client that reads only when the test says so.
final class TestClient {
  private var socket: OwnedDescriptor?
  private var framer = LineFramer(longestLine: 64 << 20)
  private var lines: [String] = []
  /// Whether the server closed the connection.
  private(set) var isClosed = false
  /// Whether it was reset, with something unread at the other end.
  private(set) var isReset = false

  init(path: String) throws { socket = try UnixSocket.connect(to: path) }

  var descriptor: CInt { socket?.rawValue ?? -1 }

  func send(_ line: String) throws { try send(bytes: Array((line + "\n").utf8)) }

  /// Sends everything, for which the other end has to read where it is much.
  func send(bytes: [UInt8]) throws {
    #expect(try sendSome(bytes[...]) == bytes.count)
  }

  /// Sends what fits.
  func sendSome(_ bytes: ArraySlice<UInt8>) throws(Errno) -> Int {
    do throws(Errno) {
      let result = bytes.withUnsafeBytes { bytes in
        Result { () throws(Errno) in try UnixSocket.send(descriptor, bytes) }
      }
      return try result.get()
    } catch {
      if error == .wouldBlock { return 0 }
      throw error
    }
  }

  /// Says that nothing more will be sent.
  func endInput() { shutdown(descriptor, CInt(SHUT_WR)) }

  /// Goes, whatever is left.
  func vanish() { socket = nil }

  /// Gives the descriptor away.
  func release() -> CInt { socket.take()?.release() ?? -1 }

  /// Reads what there is; whether a line is there now.
  @discardableResult
  func receive(all: Bool = false, bytes: Int = 65_536) -> Bool {
    while all || lines.isEmpty {
      var chunk = [UInt8](repeating: 0, count: bytes)
      let outcome = chunk.withUnsafeMutableBytes { chunk in
        Result { () throws(Errno) in try UnixSocket.receive(descriptor, into: chunk) }
      }
      guard case .success(let count) = outcome else {
        if case .failure(let error) = outcome, error != .wouldBlock {
          isClosed = true
          isReset = true
        }
        break
      }
      if count == 0 {
        isClosed = true
        break
      }
      chunk.withUnsafeBytes { chunk in
        framer.append(UnsafeRawBufferPointer(rebasing: chunk[..<count])) { piece in
          if case .line(let line) = piece { lines.append(String(decoding: line, as: UTF8.self)) }
        }
      }
      if bytes < 65_536 { break }
    }
    return !lines.isEmpty
  }

  /// What came after the last newline.
  var unfinished: [UInt8] { framer.unfinished }

  func next() -> String? { lines.isEmpty ? nil : lines.removeFirst() }

  func takeAll() -> [String] {
    defer { lines = [] }
    return lines
  }
}

extension JSONValue {
  var text: String? { if case .string(let text) = self { text } else { nil } }
  var int: Int? { if case .integer(let integer) = self { Int(integer) } else { nil } }
  var list: [JSONValue]? { if case .array(let list) = self { list } else { nil } }
  var code: Int? { self["error"]?["code"]?.int }
}

/// The processor time of this thread in microseconds: what others on the machine do does not count.
func processorUs() -> Int64 {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
}

/// The memory that this process has in use, in bytes.
func residentMemory() -> Int {
  guard let file = try? OwnedDescriptor(opening: "/proc/self/statm", flags: O_RDONLY) else {
    return 0
  }
  var bytes = [UInt8](repeating: 0, count: 256)
  let count = bytes.withUnsafeMutableBytes { (try? file.read(into: $0)) ?? 0 }
  let words = String(decoding: bytes.prefix(count), as: UTF8.self).split(separator: " ")
  return words.count > 1 ? (Int(words[1]) ?? 0) * Int(getpagesize()) : 0
}
