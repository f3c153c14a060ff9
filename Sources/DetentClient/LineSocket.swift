// SPDX-License-Identifier: Apache-2.0

import Glibc
import Wire

/// A connected Unix socket that speaks in lines.
///
/// It belongs to one thread at a time.
final class LineSocket {
  /// What is longer than the longest snapshot can be is no daemon's line.
  private static let longestLine = 64 << 20

  let path: String
  let descriptor: Int32
  private var framer = LineFramer(longestLine: longestLine)
  private let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 8)

  /// Connects.
  ///
  /// - Parameters:
  ///   - path: The socket.
  ///   - patienceUs: How long connecting and `send` wait at most, in microseconds, while `receive` waits for ever; nil
  ///     where none of them is to wait.
  init(path: String, patienceUs: Int64?) throws(ConnectionError) {
    self.path = path
    let flags =
      Int32(SOCK_CLOEXEC.rawValue) | (patienceUs != nil ? 0 : Int32(SOCK_NONBLOCK.rawValue))
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | flags, 0)
    guard descriptor >= 0 else { throw ConnectionError(path: path, code: errno) }
    if let patienceUs {
      var limit = timeval(tv_sec: Int(patienceUs / 1_000_000), tv_usec: Int(patienceUs % 1_000_000))
      let size = socklen_t(MemoryLayout.size(ofValue: limit))
      guard setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, size) == 0 else {
        throw ConnectionError(path: path, code: errno)
      }
    }
    let code = Self.connect(descriptor, to: path)
    guard code == 0 else { throw ConnectionError(path: path, code: code) }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
    chunk.deallocate()
  }

  private static func connect(_ descriptor: Int32, to path: String) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return ENAMETOOLONG }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        return Glibc.connect(descriptor, generic, size) == 0 ? 0 : errno
      }
    }
  }

  /// The next line that has come, without its newline; nil until more is received.
  func nextLine() throws(ConnectionError) -> [UInt8]? {
    switch framer.next() {
    case .line(let line): return line
    case .tooLong: throw ConnectionError(path: path, reason: .notTheDaemon)
    case nil: return nil
    }
  }

  /// Waits until `receive` has something to take; false where the time passes first.
  func waitToReceive(untilUs deadlineUs: Int64) -> Bool {
    var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while true {
      let leftUs = max(0, deadlineUs - MonotonicClock.nowUs)
      let result = poll(&wait, 1, Int32(clamping: (leftUs + 999) / 1000))
      if result > 0 { return true }
      // A signal, or a wait that is longer than poll can wait.
      if leftUs == 0 { return false }
    }
  }

  /// Takes what has come, once; false at the end of the stream.
  func receive() throws(ConnectionError) -> Bool {
    while true {
      let count = recv(descriptor, chunk.baseAddress, chunk.count, 0)
      if count > 0 {
        framer.append(UnsafeRawBufferPointer(rebasing: chunk[..<count]))
        return true
      }
      switch count < 0 ? errno : 0 {
      case EINTR: continue
      case EAGAIN: return true
      // A daemon that died with something of ours unread.
      case 0, ECONNRESET: return false
      case let code: throw ConnectionError(path: path, code: code)
      }
    }
  }

  /// Sends what the socket takes, and returns how many bytes that were: none where it takes nothing in time.
  func send(_ bytes: ArraySlice<UInt8>) throws(ConnectionError) -> Int {
    while true {
      let count = bytes.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count >= 0 { return count }
      switch errno {
      case EINTR: continue
      case EAGAIN: return 0
      default: throw ConnectionError(path: path, reason: .closed)
      }
    }
  }
}
