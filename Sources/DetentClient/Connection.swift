// SPDX-License-Identifier: Apache-2.0

public import Wire

/// A connection that waits: requests out, replies and notifications in, one line each.
///
/// For scripts and tools; an application that draws is better served by `Client`, which comes back when the daemon
/// does. A connection blocks, and belongs to one thread at a time.
public final class Connection {
  /// Where the daemon listens, unless told otherwise.
  public static let defaultPath = "/run/detent/detent.sock"

  /// What the daemon said first.
  public let hello: Hello

  /// The socket, to be polled beside others.
  ///
  /// Bytes may wait in the connection while it is not readable; `hasNext` tells.
  public var descriptor: Int32 { socket.descriptor }

  private let socket: LineSocket
  private var waiting: [[UInt8]] = []
  private var lastID: Int64 = 0

  /// Connects, and waits for the daemon's `hello`.
  ///
  /// - Parameter path: The socket.
  /// - Throws: Why nobody answers there, with the cure.
  public init(path: String = Connection.defaultPath) throws(ConnectionError) {
    socket = try LineSocket(path: path, isBlocking: true)
    var first = try socket.nextLine()
    while first == nil {
      guard try socket.receive() else { throw ConnectionError(path: path, reason: .closed) }
      first = try socket.nextLine()
    }
    hello = try Hello(first: JSONValue(line: first ?? [], from: path), path: path)
  }

  // MARK: Requests

  /// Carries out a request and waits for its result.
  ///
  /// Notifications that come meanwhile are kept for `next`.
  ///
  /// - Parameter request: The request.
  /// - Throws: `RPCFailure` where the daemon refuses, `ConnectionError` where it is gone, `JSONMismatch` where it
  ///   answers with something else.
  @discardableResult
  public func call<Result>(_ request: Call<Result>) throws -> Result {
    lastID += 1
    let id = lastID
    var rest = try request.line(id: id)[...]
    while !rest.isEmpty { rest = rest.dropFirst(try socket.send(rest)) }
    while let line = try readLine() {
      let value = try JSONValue(line: line, from: socket.path)
      guard value["method"] == nil, value["id"] == .integer(id) else {
        waiting.append(line)
        continue
      }
      if let error = value["error"] { throw RPCFailure(error) }
      return try request.read(value["result"] ?? .null)
    }
    throw ConnectionError(path: socket.path, reason: .closed)
  }

  // MARK: Notifications

  /// Whether `next` would return without waiting for the daemon.
  public var hasNext: Bool {
    get throws(ConnectionError) {
      if waiting.isEmpty, let line = try socket.nextLine() { waiting.append(line) }
      return !waiting.isEmpty
    }
  }

  /// The next notification, or nil once the daemon closed the connection.
  public func next() throws(ConnectionError) -> ServerNotification? {
    while let line = try nextLine() {
      if let notification = ServerNotification(try JSONValue(line: line, from: socket.path)) {
        return notification
      }
    }
    return nil
  }

  /// The next notification as the daemon wrote it, without its newline, or nil once the daemon closed the connection.
  public func nextLine() throws(ConnectionError) -> [UInt8]? {
    waiting.isEmpty ? try readLine() : waiting.removeFirst()
  }

  private func readLine() throws(ConnectionError) -> [UInt8]? {
    while true {
      if let line = try socket.nextLine() { return line }
      guard try socket.receive() else { return nil }
    }
  }
}

extension JSONValue {
  /// A line of the daemon's.
  init(line: [UInt8], from path: String) throws(ConnectionError) {
    do throws(JSONParser.Failure) {
      self = try JSONParser.value(of: line)
    } catch {
      throw ConnectionError(path: path, reason: .notTheDaemon)
    }
  }
}

extension Hello {
  /// The greeting that the first line of a connection is.
  ///
  /// A daemon that has no room says `bye` instead.
  init(first line: JSONValue, path: String) throws(ConnectionError) {
    switch ServerNotification(line) {
    case .hello(let hello): self = hello
    case .bye: throw ConnectionError(path: path, reason: .closed)
    default: throw ConnectionError(path: path, reason: .notTheDaemon)
    }
  }
}
