// SPDX-License-Identifier: Apache-2.0

import DetentClient
import DetentDaemon
import Wire

/// What the daemon would say to a recording, as fast as it was recorded.
final class ReplayFeed: WatchFeed {
  private var replay: Replay
  private let startedUs = MonotonicClock.nowUs
  private var hasBegun = false

  init(_ replay: Replay) { self.replay = replay }

  let descriptor: Int32 = -1
  var isOver: Bool { replay.isOver }
  /// The recorded time.
  var nowUs: Int64 { replay.startUs + MonotonicClock.nowUs - startedUs }

  func take(into board: inout WatchBoard, hear: (ServerNotification) -> Void) throws {
    if !hasBegun { board.take(try opening()) }
    hasBegun = true
    var mistake: JSONParser.Failure?
    try replay.advance(toUs: nowUs) { line in
      do throws(JSONParser.Failure) {
        let json = try JSONParser.value(of: line.dropLast())
        guard let notification = ServerNotification(json) else { return }
        board.take(notification, atUs: nil)
        hear(notification)
      } catch {
        mistake = error
      }
    }
    if let mistake { throw mistake }
    let tenths = (nowUs - replay.startUs) / 100_000
    board.remarks = ["recording, \(tenths / 10).\(tenths % 10) s"]
    board.remarks += replay.fingers.map { finger in
      "finger at \(percent(finger.x)) across, \(percent(finger.y)) down"
    }
    if isOver { board.trouble = "the recording is over" }
  }

  func values(of picker: String, from: Int, count: Int) throws -> [PickerValue] {
    guard let page = replay.values(of: picker, from: from, count: count) else { return [] }
    return try PickerValue.list(page)
  }

  private func percent(_ share: Double) -> String {
    share.isFinite ? "\(Int((min(max(share, -9), 9) * 100).rounded())) %" : "?"
  }

  private func opening() throws -> Snapshot {
    let states = replay.pickers.compactMap { replay.state(of: $0, atUs: replay.startUs) }
    return try Snapshot([
      "pickers": .array(states), "displays": [], "devices": [],
      "focus": replay.focus.map { .string($0) } ?? .null,
      "inhibited": false, "active": true, "now_us": .integer(replay.startUs),
    ])
  }
}
