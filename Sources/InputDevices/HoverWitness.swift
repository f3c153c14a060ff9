// SPDX-License-Identifier: Apache-2.0

// Two doors show linux/input.h, and either may own its structs.
import CLibevdev
import CLinux
import Glibc
import LinuxIO

/// Tells which fingers of a panel hover over it.
///
/// Some panels report a finger before it touches, with a tracking id as if it did and an ABS_MT_DISTANCE
/// above 0. libinput takes it for a touch. So a second open file listens for the distances alone.
final class HoverWitness {
  /// A finger that was known before came down, or lifted without going away.
  struct Change: Hashable {
    var slot: Int
    var isHovering: Bool
    var timeUs: UInt64
  }

  private let file: OwnedDescriptor
  private let slotCount: Int
  /// The slot that the device talks of.
  private var slot = 0
  /// How far away the finger of each slot was last; the kernel repeats nothing.
  private var distances: [Int32]
  /// Whether a finger hovers in each slot, after the frames that were gone through.
  private var hovering: [Bool]
  /// Slots that the present frame changed, with whether another finger is in them.
  private var touched: [(slot: Int, isNew: Bool)] = []
  private var isOverflown = false
  /// Frames that were read and not gone through yet.
  private var frames: [(timeUs: UInt64, slots: [(slot: Int, isNew: Bool, isHovering: Bool)])] = []

  /// A witness on a node; nil where the node reports no distances or cannot be opened again.
  init?(node: String) {
    guard
      let file = try? OwnedDescriptor(opening: node, flags: O_RDONLY | O_NONBLOCK),
      EvdevNode.axis(file.rawValue, Int(ABS_MT_DISTANCE)) != nil,
      let slots = EvdevNode.axis(file.rawValue, Int(ABS_MT_SLOT)),
      (0..<1024).contains(slots.maximum),
      detent_evdev_set_clock(file.rawValue, CLOCK_MONOTONIC) == 0,
      (try? EvdevNode.maskAll(file.rawValue, exceptKeys: [])) != nil,
      (try? EvdevNode.allow(
        file.rawValue, type: EV_ABS,
        codes: [Int(ABS_MT_SLOT), Int(ABS_MT_TRACKING_ID), Int(ABS_MT_DISTANCE)])) != nil
    else { return nil }
    self.file = file
    slotCount = slots.maximum + 1
    distances = Array(repeating: 0, count: slotCount)
    hovering = Array(repeating: false, count: slotCount)
    synchronize()
  }

  /// Whether the finger of a slot hovers, after what `advance` went through.
  func isHovering(_ slot: Int) -> Bool {
    hovering.indices.contains(slot) && hovering[slot]
  }

  /// Goes through all frames up to a time.
  ///
  /// - Parameter tell: called for each finger that stays and comes down or lifts.
  func advance(throughUs timeUs: UInt64, _ tell: (Change) -> Void) {
    readAll()
    while let frame = frames.first, frame.timeUs <= timeUs {
      frames.removeFirst()
      for entry in frame.slots where entry.isHovering != hovering[entry.slot] {
        hovering[entry.slot] = entry.isHovering
        guard !entry.isNew else { continue }
        tell(Change(slot: entry.slot, isHovering: entry.isHovering, timeUs: frame.timeUs))
      }
    }
  }

  private func readAll() {
    let size = MemoryLayout<input_event>.stride
    withUnsafeTemporaryAllocation(of: input_event.self, capacity: 64) { events in
      let bytes = UnsafeMutableRawBufferPointer(events)
      while let count = try? Descriptor.read(file.rawValue, into: bytes), count >= size {
        for event in events.prefix(count / size) { note(event) }
      }
    }
  }

  private func note(_ event: input_event) {
    switch (CInt(event.type), CInt(event.code)) {
    case (EV_SYN, SYN_DROPPED):
      isOverflown = true
    case (EV_SYN, SYN_REPORT):
      if isOverflown { synchronize() }
      isOverflown = false
      let timeUs = UInt64(clamping: withUnsafePointer(to: event, detent_event_time_us))
      if !touched.isEmpty {
        frames.append((timeUs, touched.map { ($0.slot, $0.isNew, distances[$0.slot] > 0) }))
      }
      touched.removeAll(keepingCapacity: true)
    case (EV_ABS, ABS_MT_SLOT):
      slot = Int(event.value)
    case (EV_ABS, ABS_MT_DISTANCE) where distances.indices.contains(slot):
      distances[slot] = event.value
      if !touched.contains(where: { $0.slot == slot }) { touched.append((slot, false)) }
    case (EV_ABS, ABS_MT_TRACKING_ID) where distances.indices.contains(slot):
      touched.removeAll { $0.slot == slot }
      touched.append((slot, true))
    default: break
    }
  }

  /// Takes the state that the kernel has now for every slot.
  private func synchronize() {
    var request = [Int32](repeating: 0, count: slotCount + 1)
    request[0] = Int32(ABS_MT_DISTANCE)
    guard detent_evdev_mt_slots(file.rawValue, &request, slotCount) >= 0 else { return }
    distances = Array(request.dropFirst())
    touched = distances.indices.map { ($0, false) }
    if let slot = EvdevNode.axis(file.rawValue, Int(ABS_MT_SLOT)) { self.slot = slot.value }
    if !isOverflown {
      hovering = distances.map { $0 > 0 }
      touched.removeAll()
    }
  }
}
