// SPDX-License-Identifier: Apache-2.0

import Gestures

/// Tells the flicker of a wet panel from fingers.
///
/// Water makes contacts come and go on one spot, up to 50 in a second. A finger presses for longer, and does not
/// come back that soon. So a device counts as wet once three contacts in half a second each began where and soon
/// after another short one ended. Until ten seconds have passed without that, contacts that begin so go to nobody, and
/// others that end too soon are void. A device that never does so is never touched by the rule.
struct FlickerRule: Sendable {
  /// Shorter than any press: taps of people last 50 ms and more.
  static let shortestPressUs: Int64 = 40_000
  /// Sooner than any finger comes back: quick double taps leave 80 ms and more.
  static let longestGapUs: Int64 = 60_000
  /// How many contacts must begin so, and within which time.
  static let evidence = 3
  /// See ``evidence``.
  static let evidenceUs: Int64 = 500_000
  /// For how long a device then stays wet.
  static let dryingUs: Int64 = 10_000_000
  /// How wide a spot is about its middle.
  static let radiusMM = 5.0
  /// The same in points, where the device does not tell its size.
  static let radiusWithoutSize = 20.0

  private struct Spot: Sendable {
    var slot: Int
    var place: Point
    var timeUs: Int64
  }

  // Contacts that are down, where and when they came.
  private var present: [Spot] = []
  // Short contacts that ended lately.
  private var ended: [Spot] = []
  private var flickersUs: [Int64] = []
  private var wetUntilUs = Int64.min

  /// A contact came.
  ///
  /// - Parameters:
  ///   - place: Where, in points.
  ///   - radius: How wide a spot is, in points.
  /// - Returns: Whether it may be a finger.
  mutating func begins(slot: Int, at place: Point, radius: Double, timeUs: Int64) -> Bool {
    present.removeAll { $0.slot == slot }
    present.append(Spot(slot: slot, place: place, timeUs: timeUs))
    ended.removeAll { timeUs - $0.timeUs > Self.longestGapUs }
    guard ended.contains(where: { $0.place.distance(to: place) <= radius }) else { return true }
    flickersUs.removeAll { timeUs - $0 > Self.evidenceUs }
    flickersUs.append(timeUs)
    guard flickersUs.count >= Self.evidence || timeUs < wetUntilUs else { return true }
    wetUntilUs = timeUs + Self.dryingUs
    return false
  }

  /// A contact ended.
  ///
  /// - Returns: Whether it was a finger's, as far as one can tell.
  mutating func ends(slot: Int, timeUs: Int64) -> Bool {
    guard let index = present.firstIndex(where: { $0.slot == slot }) else { return true }
    let contact = present.remove(at: index)
    guard timeUs - contact.timeUs < Self.shortestPressUs else { return true }
    ended.append(Spot(slot: slot, place: contact.place, timeUs: timeUs))
    return timeUs >= wetUntilUs
  }
}
