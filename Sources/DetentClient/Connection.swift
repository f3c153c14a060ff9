// SPDX-License-Identifier: Apache-2.0

import Glibc
public import Wire
import WireJSON

/// A connection to the daemon: requests out, replies and notifications in, one line each.
///
/// It blocks, and belongs to one thread at a time.
public final class Connection {
  /// Where the daemon listens, unless told otherwise.
  public static let defaultPath = "/run/detent/detent.sock"

  /// What the daemon said first.
  public private(set) var hello = JSONValue.null

  /// The socket, to be polled beside others.
  ///
  /// Bytes may wait in the connection while it is not readable.
  public let descriptor: Int32

  private let path: String
  private let json = JSONText()
  private var framer = LineFramer(longestLine: 64 << 20)
  private var lines: [[UInt8]] = []
  private var nextIndex = 0
  private var waiting: [[UInt8]] = []
  private var lastID: Int64 = 0
  private let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 8)

  /// Connects, and waits for the daemon's `hello`.
  ///
  /// - Parameter path: The socket.
  /// - Throws: Why nobody answers there, with the cure.
  public init(path: String = Connection.defaultPath) throws(ConnectionError) {
    self.path = path
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw ConnectionError(path: path, code: errno) }
    let result = Self.connect(descriptor, to: path)
    guard result == 0 else { throw ConnectionError(path: path, code: result) }
    guard let line = try readLine() else { throw ConnectionError(path: path, reason: .closed) }
    let first = try value(of: line)
    guard first["method"] == .string("hello"), let params = first["params"] else {
      throw ConnectionError(path: path, reason: .notTheDaemon)
    }
    hello = params
  }

  deinit {
    close(descriptor)
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

  // MARK: Requests

  /// Calls a method and waits for its result.
  ///
  /// Notifications that come meanwhile are kept for `next`.
  ///
  /// - Throws: `RPCFailure` where the daemon refuses, `ConnectionError` where it is gone.
  @discardableResult
  public func call(
    _ method: String, _ params: [String: JSONValue] = [:]
  ) throws -> JSONValue {
    lastID += 1
    let id = lastID
    try send(
      .object([
        "jsonrpc": .string("2.0"), "id": .integer(id), "method": .string(method),
        "params": .object(params),
      ]))
    while let line = try readLine() {
      let value = try value(of: line)
      guard value["id"] == .integer(id) else {
        waiting.append(line)
        continue
      }
      if let error = value["error"] { throw RPCFailure(error) }
      return value["result"] ?? .null
    }
    throw ConnectionError(path: path, reason: .closed)
  }

  /// The next notification, or nil once the daemon closed the connection.
  public func next() throws(ConnectionError) -> JSONValue? {
    guard let line = try nextLine() else { return nil }
    return try value(of: line)
  }

  /// The next notification as the daemon wrote it, without its newline, or nil once the daemon closed the connection.
  public func nextLine() throws(ConnectionError) -> [UInt8]? {
    waiting.isEmpty ? try readLine() : waiting.removeFirst()
  }

  /// Whether `next` would return without waiting for the daemon.
  public var hasNext: Bool { !waiting.isEmpty || nextIndex < lines.count }

  private func send(_ value: JSONValue) throws(ConnectionError) {
    var writer = JSONWriter()
    writer.json(value)
    writer.endLine()
    var rest = writer.bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw ConnectionError(path: path, reason: .closed) }
      rest = rest.dropFirst(count)
    }
  }

  // MARK: Lines

  private func readLine() throws(ConnectionError) -> [UInt8]? {
    while nextIndex >= lines.count {
      lines.removeAll(keepingCapacity: true)
      nextIndex = 0
      let count = recv(descriptor, chunk.baseAddress, chunk.count, 0)
      if count < 0, errno == EINTR { continue }
      if count < 0, errno != ECONNRESET { throw ConnectionError(path: path, code: errno) }
      guard count > 0 else { return nil }
      framer.append(UnsafeRawBufferPointer(rebasing: chunk[..<count])) { piece in
        if case .line(let line) = piece { lines.append(line) }
      }
    }
    defer { nextIndex += 1 }
    return lines[nextIndex]
  }

  private func value(of line: [UInt8]) throws(ConnectionError) -> JSONValue {
    do throws(JSONTextError) {
      return try json.value(line)
    } catch {
      throw ConnectionError(path: path, reason: .notTheDaemon)
    }
  }
}

/// Why there is no connection, and what to do about it.
public struct ConnectionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What happened.
  public enum Reason: Hashable, Sendable {
    /// Nobody listens.
    case notRunning
    /// This user may not open the socket.
    case notPermitted
    /// The daemon closed the connection.
    case closed
    /// Something answers, but it does not speak the protocol.
    case notTheDaemon
    /// The system refused, by its error number.
    case system(Int32)
  }

  /// The socket.
  public var path: String
  /// What happened.
  public var reason: Reason

  init(path: String, reason: Reason) {
    self.path = path
    self.reason = reason
  }

  init(path: String, code: Int32) {
    self.path = path
    reason =
      switch code {
      case ENOENT, ECONNREFUSED: .notRunning
      case EACCES, EPERM: .notPermitted
      default: .system(code)
      }
  }

  /// What happened and the cure, in a line.
  public var description: String {
    switch reason {
    case .notRunning:
      "\(path): nobody listens; is detentd running (systemctl status detent), and on this socket?"
    case .notPermitted:
      "\(path): this user may not connect; add it to the socket's group (usermod -aG detent USER) and log in again"
    case .closed: "\(path): the daemon closed the connection"
    case .notTheDaemon: "\(path): what answers is not detentd"
    case .system(let code): "\(path): \(String(cString: strerror(code)))"
    }
  }
}

/// A request that the daemon refused.
public struct RPCFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The code of the refusal.
  public var code: Int
  /// The field that is wrong, where it is one.
  public var field: String?
  /// What is wrong.
  public var reason: String

  init(_ error: JSONValue) {
    code = if case .integer(let code)? = error["code"] { Int(code) } else { 0 }
    field = if case .string(let field)? = error["data"]?["field"] { field } else { nil }
    if case .string(let reason)? = error["data"]?["reason"] {
      self.reason = reason
    } else if case .string(let message)? = error["message"] {
      reason = message
    } else {
      reason = "refused without a reason"
    }
  }

  /// What is wrong, with the field.
  public var description: String { field.map { "\($0): \(reason)" } ?? reason }
}
