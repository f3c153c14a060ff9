// SPDX-License-Identifier: Apache-2.0

public import Wire

/// A connection that waits: requests out, replies and notifications in, one line each.
///
/// For scripts and tools; an application that draws is better served by `Client`, which comes back when the daemon
/// does. A connection blocks, and belongs to one thread at a time. The greeting and replies are waited for until a
/// time limit, notifications for ever.
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
  private let timeLimitUs: Int64

  /// Connects, and waits for the daemon's `hello`.
  ///
  /// - Parameters:
  ///   - path: The socket.
  ///   - timeLimit: How long the daemon may take to greet, and later for each reply; more than 0.
  /// - Throws: Why nobody answers there, with the cure.
  public init(
    path: String = Connection.defaultPath, timeLimit: Duration = .seconds(10)
  ) throws(ConnectionError) {
    timeLimitUs = max(1, timeLimit.microseconds)
    socket = try LineSocket(path: path, patienceUs: timeLimitUs)
    let deadlineUs = MonotonicClock.nowUs + timeLimitUs
    guard let first = try Self.readLine(socket, untilUs: deadlineUs) else {
      throw ConnectionError(path: path, reason: .closed)
    }
    hello = try Hello(first: JSONValue(line: first, from: path), path: path)
  }

  // MARK: Requests

  /// Carries out a request and waits for its result.
  ///
  /// Notifications that come meanwhile are kept for `next`.
  ///
  /// - Parameter request: The request.
  /// - Throws: `RPCFailure` where the daemon refuses, `ConnectionError` where it is gone or does not answer in time,
  ///   `JSONMismatch` where it answers with something else.
  @discardableResult
  public func call<Result>(_ request: Call<Result>) throws -> Result {
    lastID += 1
    let id = lastID
    var rest = try request.line(id: id)[...]
    let deadlineUs = MonotonicClock.nowUs + timeLimitUs
    while !rest.isEmpty {
      let count = try socket.send(rest)
      guard count > 0 else { throw ConnectionError(path: socket.path, reason: .silent) }
      rest = rest.dropFirst(count)
    }
    while let line = try Self.readLine(socket, untilUs: deadlineUs) {
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
    waiting.isEmpty ? try Self.readLine(socket, untilUs: nil) : waiting.removeFirst()
  }

  /// The next line, or nil at the end of the stream.
  ///
  /// - Parameter deadlineUs: Until when it is waited for, in CLOCK_MONOTONIC microseconds; nil for ever.
  private static func readLine(
    _ socket: LineSocket, untilUs deadlineUs: Int64?
  ) throws(ConnectionError) -> [UInt8]? {
    while true {
      if let line = try socket.nextLine() { return line }
      if let deadlineUs, !socket.waitToReceive(untilUs: deadlineUs) {
        throw ConnectionError(path: socket.path, reason: .silent)
      }
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

extension Duration {
  /// In microseconds, as far as they fit.
  fileprivate var microseconds: Int64 {
    let (seconds, attoseconds) = components
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
    // Far enough from the end that a time can be added.
    return overflow || abs(whole) > .max / 4 ? .max / 4 : whole + attoseconds / 1_000_000_000_000
  }
}
