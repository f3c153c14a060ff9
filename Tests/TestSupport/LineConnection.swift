// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
package import Wire

/// A client that speaks the daemon's protocol by the line, and keeps everything that it was told.
package final class LineConnection {
  private let socket: OwnedDescriptor
  private var pending: [UInt8] = []
  private var nextID = 1
  /// How many of the messages `waitFor` has gone past.
  private var position = 0

  /// Every complete line so far, as it came.
  package private(set) var lines: [String] = []
  /// The same lines as values.
  package private(set) var messages: [JSONValue] = []
  /// Whether the server has closed the connection.
  package private(set) var isClosed = false

  /// Connects to the socket at a path.
  package init(path: String) throws {
    socket = try UnixSocket.connect(to: path)
  }

  /// Sends one line; the newline is added.
  package func send(_ line: String) throws {
    var rest = Array((line + "\n").utf8)[...]
    while !rest.isEmpty {
      do {
        let count = try rest.withUnsafeBytes { try UnixSocket.send(socket.rawValue, $0) }
        rest = rest.dropFirst(count)
      } catch let error as Errno where error == .wouldBlock {
        try wait(for: POLLOUT, milliseconds: 1_000)
      }
    }
  }

  /// Sends a request and waits for its answer: the whole response, a result or an error.
  ///
  /// - Parameter params: a JSON object as text; left out: none.
  @discardableResult
  package func request(_ method: String, _ params: String? = nil) throws -> JSONValue {
    let id = nextID
    nextID += 1
    let member = params.map { ",\"params\":\($0)" } ?? ""
    try send("{\"jsonrpc\":\"2.0\",\"id\":\(id),\"method\":\"\(method)\"\(member)}")
    return try Waiting.value("the answer to \(method)") {
      try receive(milliseconds: 20)
      return messages.first { $0["id"] == .integer(Int64(id)) }
    }
  }

  /// Waits for the next notification of a method that has not been waited for yet, and gives its params.
  ///
  /// Notifications before it are gone past: the next wait begins after it.
  @discardableResult
  package func waitFor(
    _ method: String, seconds: Double = 30, where fits: (JSONValue) -> Bool = { _ in true }
  ) throws -> JSONValue {
    try Waiting.value(
      "\(method); \(messages.count) lines came, the last \(lines.suffix(8))", seconds: seconds
    ) {
      while position < messages.count {
        let message = messages[position]
        position += 1
        let params = message["params"] ?? .null
        if message["method"] == .string(method), fits(params) { return params }
      }
      try receive(milliseconds: 20)
      return nil
    }
  }

  /// The params of all notifications of a method so far.
  package func notifications(_ method: String) -> [JSONValue] {
    messages.filter { $0["method"] == .string(method) }.compactMap { $0["params"] }
  }

  /// Takes what has come, waiting at most so long for something.
  package func receive(milliseconds: CInt = 0) throws {
    guard !isClosed else { return }
    try wait(for: POLLIN, milliseconds: milliseconds)
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count: Int
      do {
        count = try buffer.withUnsafeMutableBytes { try socket.read(into: $0) }
      } catch let error as Errno where error == .wouldBlock {
        break
      } catch let error as Errno where error == .connectionReset {
        isClosed = true
        break
      }
      if count == 0 {
        isClosed = true
        break
      }
      pending += buffer.prefix(count)
    }
    while let end = pending.firstIndex(of: 10) {
      let line = pending[..<end]
      lines.append(String(decoding: line, as: UTF8.self))
      messages.append(try JSONParser.value(of: line))
      pending.removeSubrange(...end)
    }
  }

  private func wait(for events: CInt, milliseconds: CInt) throws(Errno) {
    var wait = pollfd(fd: socket.rawValue, events: Int16(events), revents: 0)
    _ = try retryingInterrupts { poll(&wait, 1, milliseconds) }
  }
}
