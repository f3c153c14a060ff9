// SPDX-License-Identifier: Apache-2.0

/// Thins the `motion` lines of each picker to a rate, and never drops the position at which a movement stops.
///
/// A motion that comes too early is held until its time, or until a newer one takes its place. What is held never
/// comes behind something later of the same picker: it goes before the end of a movement, and gives way to all else,
/// which a newer motion follows.
struct MotionThinner {
  private struct Pace {
    // When the next motion may be sent.
    var nextUs: Int64
    var held: SharedLine?
  }

  private let intervalUs: Int64
  private var paces: [String: Pace] = [:]

  /// - Parameter hertz: How many in a second; nil lets all through.
  init(hertz: Double?) {
    intervalUs = hertz.map { Int64((1e6 / $0).rounded()) } ?? 0
  }

  /// Whether a motion is sent now; else it is held, or let go where all are sent.
  mutating func admits(_ line: SharedLine, of picker: String, nowUs: Int64) -> Bool {
    guard intervalUs > 0 else { return true }
    // Frames that come at the very rate that was asked for all pass, though now and then one is early.
    let leewayUs = intervalUs / 2
    let dueUs = paces[picker]?.nextUs ?? nowUs
    guard nowUs >= dueUs - leewayUs else {
      paces[picker]?.held = line
      return false
    }
    // Counted from when it was due, so that the average rate is kept; after a pause from now, so that no burst follows.
    paces[picker] = Pace(nextUs: (nowUs > dueUs + leewayUs ? nowUs : dueUs) + intervalUs)
    return true
  }

  /// Something of a picker is sent: a motion from before it is not sent any more.
  mutating func outdate(_ picker: String, nowUs: Int64) {
    guard let held = paces[picker]?.held, held.madeUs < nowUs else { return }
    paces[picker]?.held = nil
  }

  /// The motion that is held of a picker, which is to be sent before what comes after it.
  mutating func release(_ picker: String) -> SharedLine? {
    paces.removeValue(forKey: picker)?.held
  }

  /// The motions whose time has come.
  mutating func takeDue(nowUs: Int64) -> [(picker: String, line: SharedLine)] {
    var due: [(picker: String, line: SharedLine)] = []
    for (picker, pace) in paces where pace.nextUs <= nowUs {
      guard let held = pace.held else { continue }
      due.append((picker, held))
      paces[picker] = Pace(nextUs: nowUs + intervalUs)
    }
    // One event may have caused several, and they are told in its order.
    return due.sorted { ($0.line.madeUs, $0.picker) < ($1.line.madeUs, $1.picker) }
  }

  /// When the next motion that is held is due.
  var nextDueUs: Int64? {
    paces.values.lazy.filter { $0.held != nil }.map(\.nextUs).min()
  }
}
