// SPDX-License-Identifier: Apache-2.0

import DetentClient
import Glibc
import Wire

/// What a daemon says, also the next one where one goes.
final class DaemonFeed: WatchFeed {
  /// How long until it is tried again where nobody answers, in microseconds.
  private static let pauseUs: Int64 = 250_000

  private let path: String
  private let comesBack: Bool
  private var connection: Connection?
  private var snapshot: Snapshot?
  private var nextTryUs: Int64 = 0
  private(set) var isOver = false

  /// Connects and subscribes.
  ///
  /// - Parameter comesBack: Whether a daemon that goes is waited for; else that is the end.
  init(path: String, comesBack: Bool) throws {
    self.path = path
    self.comesBack = comesBack
    try connect()
  }

  var descriptor: Int32 { connection?.descriptor ?? -1 }
  var nowUs: Int64 { MonotonicClock.nowUs }

  func take(into board: inout WatchBoard, hear: (ServerNotification) -> Void) throws {
    do {
      if connection == nil, nowUs >= nextTryUs { try connect() }
      guard let connection else { return }
      if let snapshot { board.take(snapshot) }
      snapshot = nil
      while try isReadable(connection) {
        guard let notification = try connection.next() else { return lose(&board) }
        board.take(notification, atUs: nowUs)
        hear(notification)
      }
      let motors = board.store.devices.filter { $0.kind == "motor" }.map(\.name)
      board.remarks = motors.isEmpty ? ["no motor"] : motors
    } catch is ConnectionError {
      lose(&board)
    }
  }

  private func lose(_ board: inout WatchBoard) {
    connection = nil
    nextTryUs = nowUs + Self.pauseUs
    isOver = !comesBack
    board.lose("waiting for \(path)")
  }

  func values(of picker: String, from: Int, count: Int) throws -> [PickerValue] {
    do {
      return try connection?.call(.values(picker, from: from, count: count)) ?? []
    } catch is RPCFailure {
      // It went meanwhile; a line will say so.
      return []
    } catch let error as ConnectionError where comesBack || error.reason != .silent {
      // So does the next look at the connection, which one that does not answer in time is no more.
      connection = nil
      return []
    }
  }

  private func connect() throws {
    let connection = try Connection(path: path)
    // A terminal shows no more than that.
    snapshot = try connection.call(.subscribe(Subscription(motionHz: 30)))
    self.connection = connection
  }

  private func isReadable(_ connection: Connection) throws -> Bool {
    var descriptor = pollfd(fd: connection.descriptor, events: Int16(POLLIN), revents: 0)
    return try connection.hasNext || poll(&descriptor, 1, 0) > 0
  }
}
