// SPDX-License-Identifier: Apache-2.0

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
    // For a resync, how many notifications it makes up for.
    var dropped = 0
  }

  /// The most bytes of notifications.
  var limit: Int
  /// The bytes that wait.
  private(set) var byteCount = 0
  /// How many notifications were forgotten since the last resync.
  private(set) var missed = 0

  private var entries: [Entry] = []
  // Entries whose motion gave way to a newer one.
  private var holes = 0
  private var head = 0
  // How much of the first line is sent already.
  private var sent = 0
  // Where the newest motion of each picker is: looked up only once the queue is half full, which is seldom.
  private var lastMotion: [String: Int]?

  init(limit: Int) { self.limit = limit }

  /// How many lines are held, those included that gave way.
  var entryCount: Int { entries.count }

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
    append(Entry(line: line, isReply: false, motionOf: nil, dropped: missed))
    missed = 0
  }

  /// Adds a notification.
  ///
  /// - Parameter motionOf: The picker that moved, where it is a motion.
  mutating func appendNotification(_ line: SharedLine, motionOf: String?) {
    guard missed == 0 else { return missed += 1 }
    if let motionOf, byteCount > limit / 2 { dropMotion(of: motionOf) }
    guard byteCount + line.bytes.count <= limit else { return miss(1) }
    if let motionOf { lastMotion?[motionOf] = entries.count }
    append(Entry(line: line, isReply: false, motionOf: motionOf))
  }

  /// Forgets all notifications that wait, and counts some more that were not even added.
  mutating func miss(_ count: Int) {
    missed += count
    keep { $0.isReply }
  }

  /// Forgets that anything was missed: a new snapshot, or nobody who listens, makes up for it.
  mutating func forgive() { missed = 0 }

  /// Forgets everything but the rest of a line that is on its way.
  mutating func abandon() {
    keep { _ in false }
    missed = 0
  }

  private mutating func append(_ entry: Entry) {
    byteCount += entry.line?.bytes.count ?? 0
    entries.append(entry)
  }

  private mutating func dropMotion(of picker: String) {
    if lastMotion == nil { lastMotion = Self.newestMotions(in: entries[head...]) }
    guard let older = lastMotion?[picker], older > head || (older == head && sent == 0),
      let stale = entries[older].line
    else { return }
    byteCount -= stale.bytes.count
    entries[older].line = nil
    holes += 1
    // A reader that takes a little now and then would collect holes for ever.
    if holes > 64, holes * 2 > entries.count - head { keep { _ in true } }
  }

  private mutating func keep(_ isKept: (Entry) -> Bool) {
    var kept: [Entry] = []
    for (index, entry) in entries[head...].enumerated() {
      guard let line = entry.line else { continue }
      // A line that is on its way must be finished.
      if isKept(entry) || (index == 0 && sent > 0) {
        kept.append(entry)
      } else {
        byteCount -= line.bytes.count
        if !entry.isReply { missed += max(1, entry.dropped) }
      }
    }
    entries = kept
    head = 0
    holes = 0
    lastMotion = nil
  }

  private static func newestMotions(in entries: ArraySlice<Entry>) -> [String: Int] {
    var newest: [String: Int] = [:]
    for index in entries.indices where entries[index].line != nil {
      if let picker = entries[index].motionOf { newest[picker] = index }
    }
    return newest
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

  /// Takes away what was sent, and calls `body` with each line that is finished by it.
  mutating func advance(by count: Int, _ body: (SharedLine) -> Void) {
    byteCount -= count
    var count = count
    while head < entries.count {
      if let line = entries[head].line {
        let remaining = line.bytes.count - sent
        if count < remaining {
          sent += count
          break
        }
        count -= remaining
        sent = 0
        body(line)
        if lastMotion != nil, let picker = entries[head].motionOf, lastMotion?[picker] == head {
          lastMotion?[picker] = nil
        }
        entries[head].line = nil
      } else {
        holes -= 1
      }
      head += 1
    }
    compact()
  }

  private mutating func compact() {
    if head == entries.count {
      entries.removeAll(keepingCapacity: entries.capacity <= 256)
      head = 0
      lastMotion = nil
    } else if head > 1024, head * 2 > entries.count {
      entries.removeFirst(head)
      head = 0
      lastMotion = nil
    }
  }
}
