// SPDX-License-Identifier: Apache-2.0

public import Wire

/// What a client wants to be told.
public struct Subscription: Hashable, Sendable {
  /// The pickers that are wanted, also those to come; nil for all.
  public var pickers: [String]?
  /// The notifications that are wanted; nil for all but `motion`.
  public var events: Set<EventName>?
  /// At most so many `motion` a second for each picker, 0.1…1000; nil for none unless `events` names them.
  ///
  /// Asks for `motion` too.
  public var motionHz: Double?

  /// A subscription; to all that happens unless told otherwise.
  public init(
    pickers: [String]? = nil, events: Set<EventName>? = nil, motionHz: Double? = nil
  ) {
    self.pickers = pickers
    self.events = events
    self.motionHz = motionHz
  }

  var params: [String: JSONValue] {
    var params: [String: JSONValue] = [:]
    if let pickers { params["pickers"] = .array(pickers.map { .string($0) }) }
    if let events { params["events"] = .array(events.map { .string($0.rawValue) }) }
    if let motionHz { params["motion_hz"] = .number(min(max(motionHz, 0.1), 1000)) }
    return params
  }
}
