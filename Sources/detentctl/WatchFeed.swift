// SPDX-License-Identifier: Apache-2.0

import Wire

/// Where `watch` has it from: a daemon, or a recording.
protocol WatchFeed: AnyObject {
  /// A descriptor to be polled beside the keyboard; -1 where there is nothing to wait for but time.
  var descriptor: Int32 { get }
  /// The time that notifications go by, in microseconds.
  var nowUs: Int64 { get }
  /// Whether nothing more comes.
  var isOver: Bool { get }

  /// Takes what has come by now.
  ///
  /// - Parameter hear: Takes the notifications, in order.
  func take(into board: inout WatchBoard, hear: (ServerNotification) -> Void) throws
  /// Values of a picker with their titles; none where that cannot be known now.
  func values(of picker: String, from: Int, count: Int) throws -> [PickerValue]
}

extension WatchFeed {
  func take(into board: inout WatchBoard) throws { try take(into: &board) { _ in } }

  /// Asks for the titles that are about to be seen and are not known yet.
  func fetchTitles(for board: inout WatchBoard, width: Int) throws {
    for (picker, places) in board.missing(width: width, atUs: nowUs) {
      board.take(
        try values(of: picker, from: places.lowerBound, count: places.count), of: picker)
    }
  }
}
