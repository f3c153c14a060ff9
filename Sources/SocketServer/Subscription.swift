// SPDX-License-Identifier: Apache-2.0

package import Wire

/// What a client wants to hear.
package struct Subscription: Sendable {
  /// The pickers, or nil for all.
  package var pickers: Set<String>?
  /// The notifications.
  package private(set) var events: Set<EventName>
  /// Whether every movement is wanted: what is asked most often.
  package private(set) var wantsMotion = false
  /// The most motions of a picker in a second; nil for all there are.
  package var motionHertz: Double?

  /// Reads the params of `subscribe`.
  package init(_ params: inout Params) throws(RPCError) {
    pickers = try params.strings("pickers").map { Set($0) }
    let names = try params.strings("events")
    motionHertz = try params.number("motion_hz", in: 0.1...1000)
    guard let names else {
      events = Set(EventName.allCases)
      // Who says how often wants it at all.
      wantsMotion = motionHertz != nil
      if !wantsMotion { events.remove(.motion) }
      return
    }
    events = []
    for name in names {
      guard let event = EventName(rawValue: name) else {
        throw Params.mismatch(
          "events",
          expected:
            "names among \(EventName.allCases.map(\.rawValue).joined(separator: ", ")); found \(name)"
        )
      }
      events.insert(event)
    }
    wantsMotion = events.contains(.motion)
  }

  /// Whether a notification is wanted.
  ///
  /// - Parameters:
  ///   - name: What happened.
  ///   - picker: The picker, where it is about one.
  package func wants(_ name: EventName, picker: String?) -> Bool {
    guard name == .motion ? wantsMotion : events.contains(name) else { return false }
    // There is one focus for all pickers: who draws one of them must hear that it went to another.
    guard name != .focus, let picker, let pickers else { return true }
    return pickers.contains(picker)
  }
}
