// SPDX-License-Identifier: Apache-2.0

import Gestures

/// The contacts of one device, so that every down gets exactly one end.
///
/// Kernel drivers lose lifts, repeat them, or put a new finger into a slot that is still occupied.
/// What leaves this table is always down, moves, then one up or cancel.
struct ContactTable {
  /// Slots with a finger, in the order in which the fingers came.
  ///
  /// Panels report some dozens at most: a search through an array is quicker than a set, and
  /// allocates nothing.
  private(set) var slots: [Int] = []

  init() {
    slots.reserveCapacity(16)
  }

  /// Whether no finger is down.
  var isEmpty: Bool { slots.isEmpty }

  /// A finger came down; a contact that still occupied the slot is cancelled first.
  mutating func down(
    _ slot: Int, x: Double, y: Double, _ emit: (InputEvent.Kind) -> Void
  ) {
    guard x.isFinite, y.isFinite else { return }
    if slots.contains(slot) { emit(.cancel(slot: slot)) } else { slots.append(slot) }
    emit(.down(slot: slot, x: x, y: y))
  }

  /// A finger moved; ignored where none is down.
  func move(_ slot: Int, x: Double, y: Double, _ emit: (InputEvent.Kind) -> Void) {
    guard x.isFinite, y.isFinite, slots.contains(slot) else { return }
    emit(.move(slot: slot, x: x, y: y))
  }

  /// A finger lifted; a second lift is nothing.
  mutating func up(_ slot: Int, _ emit: (InputEvent.Kind) -> Void) {
    guard remove(slot) else { return }
    emit(.up(slot: slot))
  }

  /// A contact became void; nothing where there is none.
  mutating func cancel(_ slot: Int, _ emit: (InputEvent.Kind) -> Void) {
    guard remove(slot) else { return }
    emit(.cancel(slot: slot))
  }

  /// All contacts became void.
  mutating func cancelAll(_ emit: (InputEvent.Kind) -> Void) {
    for slot in slots { emit(.cancel(slot: slot)) }
    slots.removeAll(keepingCapacity: true)
  }

  private mutating func remove(_ slot: Int) -> Bool {
    guard let index = slots.firstIndex(of: slot) else { return false }
    slots.remove(at: index)
    return true
  }
}
