// SPDX-License-Identifier: Apache-2.0

package import Wire

/// What a client wants to hear.
package struct Subscription: Sendable {
  /// The pickers, or nil for all.
  package var pickers: Set<String>?
  /// The notifications.
  package var events: Set<EventName>
  // The least time between two motions of a picker, in microseconds.
  private let motionIntervalUs: Int64
  private var nextMotionUs: [String: Int64] = [:]

  /// Reads the params of `subscribe`.
  package init(_ params: inout Params) throws(RPCError) {
    pickers = try params.strings("pickers").map { Set($0) }
    let names = try params.strings("events")
    let hertz = try params.number("motion_hz", in: 0.1...1000)
    if let names {
      var events: Set<EventName> = []
      for name in names {
        guard let event = EventName(rawValue: name) else {
          throw Params.mismatch(
            "events",
            expected: "names among \(EventName.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        events.insert(event)
      }
      self.events = events
    } else {
      events = Set(EventName.allCases)
      // Who says how often wants it at all.
      if hertz == nil { events.remove(.motion) }
    }
    motionIntervalUs = hertz.map { Int64((1e6 / $0).rounded()) } ?? 0
  }

  /// Whether every movement is wanted.
  package var wantsMotion: Bool { events.contains(.motion) }

  /// Whether a notification is wanted.
  ///
  /// - Parameters:
  ///   - name: What happened.
  ///   - picker: The picker, where it is about one.
  ///   - nowUs: Now, by which motions are thinned.
  package mutating func wants(_ name: EventName, picker: String?, nowUs: Int64) -> Bool {
    guard events.contains(name) else { return false }
    if let picker, let pickers, !pickers.contains(picker) { return false }
    guard name == .motion, motionIntervalUs > 0, let picker else { return true }
    // An eighth of leeway, so that frames which come at the very rate that was asked for all pass.
    let due = nextMotionUs[picker] ?? nowUs
    guard nowUs >= due - motionIntervalUs / 8 else { return false }
    nextMotionUs[picker] = max(due, nowUs - motionIntervalUs / 8) + motionIntervalUs
    return true
  }
}
