// SPDX-License-Identifier: Apache-2.0

/// A line that waits in the queues of any number of clients; encoded once, held once.
final class SharedLine {
  let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }
}

/// What waits to be sent to one client: bounded, whatever the client does.
///
/// Replies are never dropped. Past half of the limit, a newer motion of a picker takes the place of an older one
/// that has not been sent. Past the limit, all notifications that wait are forgotten, and so are those that come,
/// until the client has taken what is left; then one `resync` tells it how things stand.
struct OutputQueue {
  private struct Entry {
    // nil where a newer motion took its place.
    var line: SharedLine?
    var isReply: Bool
    var motionOf: String?
  }

  /// The most bytes of notifications.
  var limit: Int
  /// The bytes that wait.
  private(set) var byteCount = 0
  /// How many notifications were forgotten since the last resync.
  private(set) var missed = 0

  private var entries: [Entry] = []
  private var head = 0
  // How much of the first line is sent already.
  private var sent = 0
  private var lastMotion: [String: Int] = [:]

  init(limit: Int) { self.limit = limit }

  /// Whether nothing waits.
  var isEmpty: Bool { head == entries.count }

  /// Whether the client is to be told how things stand, as soon as nothing else waits.
  var needsResync: Bool { missed > 0 && isEmpty }

  /// Adds a reply, or a notification that must arrive.
  mutating func appendReply(_ line: SharedLine) {
    append(Entry(line: line, isReply: true, motionOf: nil))
  }

  /// Adds the resync that makes up for what was missed.
  mutating func appendResync(_ line: SharedLine) {
    missed = 0
    append(Entry(line: line, isReply: false, motionOf: nil))
  }

  /// Adds a notification.
  ///
  /// - Parameter motionOf: The picker that moved, where it is a motion.
  mutating func appendNotification(_ line: SharedLine, motionOf: String?) {
    if missed > 0 {
      missed += 1
      return
    }
    if let motionOf, byteCount > limit / 2, let older = lastMotion[motionOf],
      older > head || (older == head && sent == 0), let stale = entries[older].line
    {
      byteCount -= stale.bytes.count
      entries[older].line = nil
    }
    if byteCount + line.bytes.count > limit {
      forgetNotifications()
      missed += 1
      return
    }
    if let motionOf { lastMotion[motionOf] = entries.count }
    append(Entry(line: line, isReply: false, motionOf: motionOf))
  }

  private mutating func append(_ entry: Entry) {
    byteCount += entry.line?.bytes.count ?? 0
    entries.append(entry)
  }

  private mutating func forgetNotifications() {
    var kept: [Entry] = []
    for (index, entry) in entries[head...].enumerated() {
      // A line that is on its way must be finished.
      let isStarted = index == 0 && sent > 0
      if entry.isReply || isStarted {
        kept.append(entry)
      } else if let line = entry.line {
        byteCount -= line.bytes.count
        missed += 1
      }
    }
    entries = kept
    head = 0
    lastMotion.removeAll(keepingCapacity: true)
  }

  // MARK: Sending

  /// Calls `body` with the next pieces to send, at most `count`.
  func pieces(_ count: Int, _ body: (SharedLine, _ from: Int) -> Void) {
    var remaining = count
    var index = head
    var offset = sent
    while index < entries.count, remaining > 0 {
      if let line = entries[index].line {
        body(line, offset)
        remaining -= 1
      }
      offset = 0
      index += 1
    }
  }

  /// Takes away what was sent.
  mutating func advance(by count: Int) {
    byteCount -= count
    var count = count
    while head < entries.count {
      guard let line = entries[head].line else {
        head += 1
        continue
      }
      let remaining = line.bytes.count - sent
      if count < remaining {
        sent += count
        break
      }
      count -= remaining
      sent = 0
      if let picker = entries[head].motionOf, lastMotion[picker] == head {
        lastMotion[picker] = nil
      }
      entries[head].line = nil
      head += 1
      if count == 0 { skipReplaced() }
      if count == 0 { break }
    }
    compact()
  }

  private mutating func skipReplaced() {
    while head < entries.count, entries[head].line == nil { head += 1 }
  }

  private mutating func compact() {
    if head == entries.count {
      entries.removeAll(keepingCapacity: entries.capacity <= 256)
      head = 0
      lastMotion.removeAll(keepingCapacity: true)
    } else if head > 1024, head * 2 > entries.count {
      entries.removeFirst(head)
      for (picker, index) in lastMotion { lastMotion[picker] = index - head }
      head = 0
    }
  }
}
