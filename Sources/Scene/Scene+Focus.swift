// SPDX-License-Identifier: Apache-2.0

import Gestures
import Pickers
import Wire

extension Scene {
  /// Gives a picker the focus of touchpads and knobs, or none.
  package mutating func focus(_ id: String?, timeUs: Int64) throws(SceneError) {
    if let id, slots[id] == nil { throw .unknownPicker(id) }
    let timeUs = max(timeUs, saidUs)
    advance(toUs: timeUs)
    setFocus(id, timeUs: timeUs)
  }

  mutating func setFocus(slot: Int, timeUs: Int64) {
    guard let id = entries[slot]?.settings.id else { return }
    setFocus(id, timeUs: timeUs)
  }

  mutating func setFocus(_ id: String?, timeUs: Int64) {
    guard id != focus else { return }
    focus = id
    say(.focus(id, timeUs: timeUs), timeUs: timeUs)
  }

  mutating func moveFocus(by step: Int, timeUs: Int64) {
    let candidates = order.filter { entries[$0]?.isEnabled ?? false }
    guard !candidates.isEmpty else { return }
    let current = focus.flatMap { slots[$0] }.flatMap { candidates.firstIndex(of: $0) }
    let start = current ?? (step > 0 ? -1 : candidates.count)
    let next = (start + step + candidates.count) % candidates.count
    setFocus(slot: candidates[next], timeUs: timeUs)
  }

  mutating func say(_ event: SceneEvent, timeUs: Int64) {
    saidUs = max(saidUs, timeUs)
    events.append(event)
  }

  // MARK: Knobs

  mutating func knobTurned(_ device: DeviceState, steps: Int, timeUs: Int64) {
    noteActivity(timeUs: timeUs)
    guard steps != 0, let slot = knobPicker(device, timeUs: timeUs) else { return }
    let before = entries[slot]?.model.base.revision
    with(slot) { $0.move(by: steps, cause: .knob, timeUs: timeUs, in: &$1) }
    swallowTouchpads(on: slot)
    guard device.knob?.isHaptic ?? false, let entry = entries[slot],
      entry.model.base.revision != before, let cue = entry.model.base.cue
    else { return }
    let passed = min(Int(clamping: steps.magnitude), entry.model.base.values.count)
    let event = PickerEvent(timeUs: timeUs, kind: .cue(cue, passed: passed))
    say(.picker(entry.settings.id, entry.model.base.values, event), timeUs: timeUs)
  }

  mutating func knobPressed(_ device: DeviceState, timeUs: Int64) {
    noteActivity(timeUs: timeUs)
    guard !isInhibited, timeUs >= guardUntilUs else { return }
    switch device.knob?.press ?? .next {
    case .next: moveFocus(by: 1, timeUs: timeUs)
    case .previous: moveFocus(by: -1, timeUs: timeUs)
    case .select:
      guard let slot = knobPicker(device, timeUs: timeUs) else { return }
      with(slot) {
        $0.select($0.liveIndex(atUs: timeUs), cause: .knob, timeUs: timeUs, in: &$1)
      }
      swallowTouchpads(on: slot)
    case .none: break
    }
  }

  private func knobPicker(_ device: DeviceState, timeUs: Int64) -> Int? {
    guard !isInhibited, timeUs >= guardUntilUs,
      let slot = (device.knob?.picker ?? focus).flatMap({ slots[$0] }),
      entries[slot]?.isEnabled ?? false
    else { return nil }
    return slot
  }
}
