// SPDX-License-Identifier: Apache-2.0

import Pickers
import Wire

/// Somebody who wants touches swallowed.
struct Lease: Sendable {
  var guardUs: Int64
  // When it ends by itself; .max for never.
  var untilUs: Int64
}

extension Scene {
  // MARK: Deadlines

  /// When the scene has something to say by itself next, or nil for never.
  package var deadlineUs: Int64? {
    let next = nextUs
    return next == .max ? nil : next
  }

  private var nextUs: Int64 {
    // In every frame of a drag: nothing comes by itself while a finger is down, and nobody needs to look closer.
    if gliding.isEmpty, leases.isEmpty, !contacts.isEmpty { return .max }
    return min(nextGlideUs, nextIdleUs, nextLeaseUs)
  }

  /// Whether any picker glides.
  package var isGliding: Bool { !gliding.isEmpty }

  /// Says what is due up to a time, in the order in which it happens.
  package mutating func advance(toUs timeUs: Int64) {
    while true {
      let next = nextUs
      guard next <= timeUs, next != .max else { return }
      if next == nextGlideUs {
        advanceGlides(toUs: next)
      } else if next == nextLeaseUs {
        endLeases(dueUs: next)
      } else {
        advanceIdle(toUs: next)
      }
    }
  }

  /// Says what is due before something else is said, and nothing of an earlier time after it.
  ///
  /// - Parameter timeUs: When that happened.
  /// - Returns: The time to say it at: later where the scene has already spoken of a later one.
  package mutating func catchUp(toUs timeUs: Int64) -> Int64 {
    let timeUs = max(timeUs, saidUs)
    advance(toUs: timeUs)
    saidUs = timeUs
    return timeUs
  }

  private var nextGlideUs: Int64 {
    var next = Int64.max
    for slot in gliding {
      guard let entry = entries[slot] else { continue }
      next = min(next, entry.model.deadlineUs ?? .max, entry.nextFrameUs)
    }
    return next
  }

  private mutating func advanceGlides(toUs timeUs: Int64) {
    let slots = gliding.count > 1 ? gliding.sorted() : gliding
    for slot in slots {
      guard let entry = entries[slot] else { continue }
      if let deadline = entry.model.deadlineUs, deadline <= timeUs {
        with(slot) { $0.advance(toUs: timeUs, in: &$1) }
      }
      guard let frame = entries[slot]?.nextFrameUs, frame <= timeUs else { continue }
      let isGliding = entries[slot]?.model.phase == .glide
      let nextFrameUs = isGliding && wantsMotion ? timeUs + frameUs : .max
      entries[slot]?.nextFrameUs = nextFrameUs
      if isGliding, wantsMotion { with(slot) { $0.showMotion(timeUs: timeUs, in: &$1) } }
    }
  }

  // MARK: Idle

  /// Somebody touched something.
  mutating func noteActivity(timeUs: Int64) {
    lastActivityUs = max(lastActivityUs, timeUs)
    isIdleResetDue = settings.idleResetUs > 0
    guard !isActive else { return }
    isActive = true
    say(.activity(isActive: true, resetsInMS: nil, timeUs: timeUs), timeUs: timeUs)
  }

  private var nextIdleUs: Int64 {
    guard contacts.isEmpty else { return .max }
    var next = Int64.max
    if isActive, settings.idleAfterUs > 0 { next = lastActivityUs + settings.idleAfterUs }
    if isIdleResetDue { next = min(next, lastActivityUs + settings.idleResetUs) }
    return next
  }

  private mutating func advanceIdle(toUs timeUs: Int64) {
    if isActive, settings.idleAfterUs > 0, lastActivityUs + settings.idleAfterUs <= timeUs {
      isActive = false
      let remaining = lastActivityUs + settings.idleResetUs - timeUs
      say(
        .activity(
          isActive: false,
          resetsInMS: isIdleResetDue ? Double(max(0, remaining)) / 1000 : nil, timeUs: timeUs),
        timeUs: timeUs)
    }
    guard isIdleResetDue, lastActivityUs + settings.idleResetUs <= timeUs else { return }
    isIdleResetDue = false
    for slot in order {
      release(slot: slot, timeUs: timeUs)
      with(slot) { $0.returnToOpening(timeUs: timeUs, in: &$1) }
    }
  }

  // MARK: Inhibit

  /// Swallows touches for a holder, or no longer for it.
  ///
  /// Touches are swallowed while anyone holds a lease.
  ///
  /// - Parameters:
  ///   - isOn: Whether the holder wants touches swallowed.
  ///   - holder: Who; a second lease of a holder replaces its first.
  ///   - guardUs: For how long after the last lease ends new contacts are still swallowed, in microseconds.
  ///   - forUs: After how long the lease ends by itself, in microseconds; nil for never.
  ///   - timeUs: Now.
  package mutating func inhibit(
    _ isOn: Bool, holder: Int, guardUs: Int64 = 0, forUs: Int64? = nil, timeUs: Int64
  ) {
    let timeUs = max(timeUs, saidUs)
    advance(toUs: timeUs)
    guard isOn else {
      guard var lease = leases.removeValue(forKey: holder) else { return }
      lease.guardUs = max(lease.guardUs, guardUs)
      leaseEnded(lease, timeUs: timeUs)
      return
    }
    let wasInhibited = isInhibited
    let untilUs = forUs.map { timeUs.addingReportingOverflow($0) }
    leases[holder] = Lease(
      guardUs: guardUs,
      untilUs: untilUs.map { $0.overflow ? .max : $0.partialValue } ?? .max)
    guard !wasInhibited else { return }
    for key in contacts.keys {
      contactCancelled(key, timeUs: timeUs)
      contacts.set(.swallowed, for: key)
    }
    for key in devices.keys.sorted() where devices[key]?.pad.slot != nil {
      cancelTouchpad(key, timeUs: timeUs)
      devices[key]?.pad.isSwallowed = true
    }
    say(.inhibit(isOn: true, timeUs: timeUs), timeUs: timeUs)
  }

  private var nextLeaseUs: Int64 {
    var next = Int64.max
    for lease in leases.values { next = min(next, lease.untilUs) }
    return next
  }

  private mutating func endLeases(dueUs: Int64) {
    for (holder, lease) in leases where lease.untilUs <= dueUs {
      leases[holder] = nil
      leaseEnded(lease, timeUs: dueUs)
    }
  }

  private mutating func leaseEnded(_ lease: Lease, timeUs: Int64) {
    let (end, overflow) = timeUs.addingReportingOverflow(lease.guardUs)
    guardUntilUs = max(guardUntilUs, overflow ? .max : end)
    if leases.isEmpty { say(.inhibit(isOn: false, timeUs: timeUs), timeUs: timeUs) }
  }
}
