// SPDX-License-Identifier: Apache-2.0

import Gestures
package import Pickers
package import Wire

extension Scene {
  /// The most pickers that a scene may have.
  package static let mostPickers = 4096

  // MARK: What there is

  /// The names of all pickers, from the bottom to the top.
  package var ids: [String] { order.compactMap { entries[$0]?.settings.id } }

  /// A picker at a time.
  package func snapshot(_ id: String, timeUs: Int64) throws(SceneError) -> PickerSnapshot {
    guard let slot = slots[id], let entry = entries[slot] else { throw .unknownPicker(id) }
    return snapshot(entry, timeUs: timeUs)
  }

  /// All pickers at a time, from the bottom to the top.
  package func snapshots(timeUs: Int64) -> [PickerSnapshot] {
    order.compactMap { entries[$0].map { snapshot($0, timeUs: timeUs) } }
  }

  /// The description of a picker, as it was configured.
  package func settings(of id: String) -> PickerSettings? {
    slots[id].flatMap { entries[$0]?.settings }
  }

  /// The name of the display that a picker lies on.
  package func display(ofPicker id: String) -> String? {
    slots[id].flatMap { entries[$0] }.map { settings.displays[$0.display].id }
  }

  private func snapshot(_ entry: Entry, timeUs: Int64) -> PickerSnapshot {
    let base = entry.model.base
    return PickerSnapshot(
      id: entry.settings.id, type: entry.settings.type,
      display: settings.displays[entry.display].id, region: base.region,
      isEnabled: entry.isEnabled, values: base.values, selection: base.selection,
      liveIndex: entry.model.liveIndex(atUs: timeUs),
      position: entry.model.position(atUs: timeUs),
      layout: entry.model.layout, phase: entry.model.phase,
      glide: entry.model.glide, revision: base.revision)
  }

  // MARK: Requests

  /// Selects a picker's value at `index`, or nothing.
  package mutating func select(
    _ id: String, index: Int?, cause: Cause = .select, timeUs: Int64
  ) throws(SceneError) {
    guard let slot = slots[id], let entry = entries[slot] else { throw .unknownPicker(id) }
    if let index, !(0...entry.model.base.last).contains(index) { throw .noSuchIndex }
    act(on: slot, timeUs: timeUs) { $0.select(index, cause: cause, timeUs: $2, in: &$1) }
  }

  /// Selects a picker's value, or nothing.
  package mutating func select(_ id: String, value: Value?, timeUs: Int64) throws(SceneError) {
    guard let value else { return try select(id, index: nil, timeUs: timeUs) }
    guard let slot = slots[id], let entry = entries[slot] else { throw .unknownPicker(id) }
    guard let index = entry.model.base.values.index(of: value) else { throw .noSuchValue }
    try select(id, index: index, timeUs: timeUs)
  }

  /// Opens a picker on the value that it had in an earlier run, or on nothing, without a glide.
  package mutating func restore(_ id: String, value: Value?, timeUs: Int64) throws(SceneError) {
    guard let slot = slots[id], let entry = entries[slot] else { throw .unknownPicker(id) }
    let old = entry.model.base
    let index = value.flatMap { old.values.index(of: $0) }
    guard index != nil || value == nil else { throw .noSuchValue }
    guard index != old.selection else { return }
    let timeUs = max(timeUs, saidUs)
    advance(toUs: timeUs)
    release(slot: slot, timeUs: timeUs)
    let stood = entry.model.liveIndex(atUs: timeUs)
    entries[slot]?.model.resume(
      selection: index, revision: old.revision + 1, index: index ?? stood)
    gliding.removeAll { $0 == slot }
    // Some types never have a selection.
    guard let new = entries[slot]?.model.base, new.selection == index else { return }
    let change = SelectionChange(
      picker: id, values: new.values, index: index,
      previous: old.selection.map { old.values[$0] }, cause: .restore, revision: new.revision,
      timeUs: timeUs)
    say(.selection(change), timeUs: timeUs)
  }

  /// Moves a picker's selection by `steps` values; negative towards the first.
  package mutating func move(_ id: String, by steps: Int, timeUs: Int64) throws(SceneError) {
    guard let slot = slots[id] else { throw .unknownPicker(id) }
    act(on: slot, timeUs: timeUs) { $0.move(by: steps, cause: .move, timeUs: $2, in: &$1) }
  }

  private mutating func act(
    on slot: Int, timeUs: Int64,
    _ body: (inout any PickerModel, inout PickerContext, Int64) -> Void
  ) {
    let timeUs = max(timeUs, saidUs)
    advance(toUs: timeUs)
    with(slot) { body(&$0, &$1, timeUs) }
    swallowTouchpads(on: slot)
  }

  // MARK: Pickers that come, change and go

  /// Opens with the pickers of a configuration, without a word.
  package mutating func open(_ pickers: [PickerSettings], timeUs: Int64) {
    for picker in pickers {
      // The configuration has been checked: a picker that does not fit is not there.
      try? add(picker, timeUs: timeUs)
    }
    events.removeAll()
  }

  /// Adds a picker on top of the others.
  package mutating func add(_ new: PickerSettings, timeUs: Int64) throws(SceneError) {
    guard slots[new.id] == nil else { throw .duplicatePicker(new.id) }
    let display = try display(for: new)
    guard order.count < Self.mostPickers else { throw .tooManyPickers }
    let timeUs = max(timeUs, saidUs)
    advance(toUs: timeUs)
    insert(new, display: display, at: order.count)
    areIndicesStale = true
    sayChanged(.added, new.id, timeUs: timeUs)
    if focus == nil { setFocus(new.id, timeUs: timeUs) }
  }

  /// Describes a picker anew; its selection stays where the new values still have it.
  package mutating func update(_ new: PickerSettings, timeUs: Int64) throws(SceneError) {
    guard let slot = slots[new.id], let old = entries[slot] else { throw .unknownPicker(new.id) }
    let display = try display(for: new)
    let timeUs = max(timeUs, saidUs)
    advance(toUs: timeUs)
    guard display != old.display || !new.node.content.says(the: old.settings.node.content) else {
      entries[slot]?.settings = new
      return
    }
    if isOnlyEnabledChanged(new, old) {
      setEnabled(new, slot: slot, timeUs: timeUs)
      return
    }
    release(slot: slot, timeUs: timeUs)
    exchange(new, display: display, slot: slot, timeUs: timeUs)
    areIndicesStale = true
  }

  /// Takes a picker away; a finger on it is swallowed.
  package mutating func remove(_ id: String, timeUs: Int64) throws(SceneError) {
    guard let slot = slots[id], let entry = entries[slot] else { throw .unknownPicker(id) }
    let timeUs = max(timeUs, saidUs)
    advance(toUs: timeUs)
    release(slot: slot, timeUs: timeUs)
    let last = snapshot(entries[slot] ?? entry, timeUs: timeUs)
    entries[slot] = nil
    vacantSlots.append(slot)
    slots[id] = nil
    order.removeAll { $0 == slot }
    gliding.removeAll { $0 == slot }
    areIndicesStale = true
    say(.pickerChanged(.removed, last, timeUs: timeUs), timeUs: timeUs)
    if focus == id { setFocus(order.first.flatMap { entries[$0]?.settings.id }, timeUs: timeUs) }
  }

  /// Applies a new configuration: settings, and the pickers that it lists in the place of those in `old`.
  ///
  /// Pickers that did not change keep their state and their contacts. Others' pickers stay, but those on a display
  /// that is gone go with it.
  ///
  /// - Throws: Why it cannot be applied; the scene is as it was then.
  package mutating func reload(
    _ settings: SceneSettings, replacing old: [String], with new: [PickerSettings], timeUs: Int64
  ) throws(SceneError) {
    var changed = self
    try changed.apply(settings, replacing: old, with: new, timeUs: max(timeUs, saidUs))
    self = changed
  }

  private mutating func apply(
    _ settings: SceneSettings, replacing old: [String], with new: [PickerSettings], timeUs: Int64
  ) throws(SceneError) {
    advance(toUs: timeUs)
    let kept = Set(new.map(\.id))
    let taken = kept.subtracting(old).filter { slots[$0] != nil }
    if let other = taken.min() { throw .duplicatePicker(other) }
    let displaysChanged = settings.displays != self.settings.displays
    var before: [String: String] = [:]
    for case let entry? in entries {
      before[entry.settings.id] = self.settings.displays[entry.display].id
    }
    if displaysChanged {
      for key in contacts.keys {
        contactCancelled(key, timeUs: timeUs)
        contacts.set(.swallowed, for: key)
      }
    }
    let displays = Set(settings.displays.map(\.id))
    let homeless = ids.filter { !kept.contains($0) && !displays.contains(before[$0] ?? "") }
    let goes = Set(old).subtracting(kept).union(homeless)
    for id in ids where goes.contains(id) { try remove(id, timeUs: timeUs) }
    self.settings = settings
    applySettings()
    for case let slot in order {
      guard let id = entries[slot]?.settings.id, let name = before[id] else { continue }
      entries[slot]?.display = settings.displays.firstIndex { $0.id == name } ?? 0
    }
    for (number, state) in devices {
      var described = describe(state.device)
      described.pad = state.pad
      // A panel is as wet as it was.
      described.flicker = state.flicker
      devices[number] = described
    }
    for picker in new {
      if slots[picker.id] == nil {
        try add(picker, timeUs: timeUs)
      } else {
        try update(picker, timeUs: timeUs)
      }
    }
    // The file's pickers lie in the order of the file, below those that clients added.
    let listed = new.compactMap { slots[$0.id] }
    order = listed + order.filter(Set(order).subtracting(listed).contains)
    areIndicesStale = true
    if displaysChanged {
      for display in settings.displays { say(.display(display, timeUs: timeUs), timeUs: timeUs) }
    }
  }

  /// The application's layout size of a display changed.
  package mutating func resize(
    display id: String, width: Double, height: Double, timeUs: Int64
  ) throws(SceneError) {
    guard let index = settings.displays.firstIndex(where: { $0.id == id }) else {
      throw .unknownDisplay(id)
    }
    let timeUs = max(timeUs, saidUs)
    advance(toUs: timeUs)
    let old = settings.displays[index]
    guard old.width != width || old.height != height else { return }
    // A finger's way so far was measured in the old size: what it holds is let go.
    for slot in order where entries[slot]?.display == index { release(slot: slot, timeUs: timeUs) }
    settings.displays[index].width = width
    settings.displays[index].height = height
    for (number, state) in devices where state.display == index {
      let described = describe(state.device)
      devices[number]?.tapSlop = described.tapSlop
      devices[number]?.flickerRadius = described.flickerRadius
    }
    say(.display(settings.displays[index], timeUs: timeUs), timeUs: timeUs)
  }

  // MARK: Parts

  private func display(for picker: PickerSettings) throws(SceneError) -> Int {
    guard let id = picker.display else {
      guard settings.displays.count == 1 else { throw .displayNeeded }
      return 0
    }
    guard let index = settings.displays.firstIndex(where: { $0.id == id }) else {
      throw .unknownDisplay(id)
    }
    return index
  }

  private mutating func insert(_ new: PickerSettings, display: Int, at place: Int) {
    let entry = Entry(settings: new, model: new.model, display: display)
    let slot = vacantSlots.popLast() ?? entries.count
    if slot == entries.count { entries.append(entry) } else { entries[slot] = entry }
    order.insert(slot, at: place)
    slots[new.id] = slot
  }

  /// Puts a new model in the place of an old one, which nothing holds.
  private mutating func exchange(
    _ new: PickerSettings, display: Int, slot: Int, timeUs: Int64
  ) {
    guard let old = entries[slot] else { return }
    let values = old.model.base.values
    let selected = old.model.base.selection.map { values[$0] }
    let stood = values[old.model.liveIndex(atUs: timeUs)]
    var model = new.model
    let base = model.base
    let found = selected.flatMap { base.values.index(of: $0) }
    let isLost = selected != nil && found == nil
    let revision = old.model.base.revision + (isLost ? 1 : 0)
    let opening = isLost ? base.opening : found
    model.resume(
      selection: opening, revision: revision,
      index: base.values.index(of: stood) ?? base.opening ?? 0)
    gliding.removeAll { $0 == slot }
    entries[slot] = Entry(settings: new, model: model, display: display)
    if isLost {
      let change = SelectionChange(
        picker: new.id, values: base.values, index: opening, previous: selected,
        cause: .configuration, revision: revision, timeUs: timeUs)
      say(.selection(change), timeUs: timeUs)
    }
    sayChanged(.updated, new.id, timeUs: timeUs)
  }

  private func isOnlyEnabledChanged(_ new: PickerSettings, _ old: Entry) -> Bool {
    guard case .table(let a) = new.node.content, case .table(let b) = old.settings.node.content
    else { return false }
    let rest = (a.filter { $0.key != "enabled" }, b.filter { $0.key != "enabled" })
    return OptionNode.Content.table(rest.0).says(the: .table(rest.1))
  }

  private mutating func setEnabled(_ new: PickerSettings, slot: Int, timeUs: Int64) {
    if !new.isEnabled { release(slot: slot, timeUs: timeUs) }
    entries[slot]?.settings = new
    entries[slot]?.isEnabled = new.isEnabled
    sayChanged(.updated, new.id, timeUs: timeUs)
  }

  private mutating func sayChanged(_ change: Change, _ id: String, timeUs: Int64) {
    guard let snapshot = try? snapshot(id, timeUs: timeUs) else { return }
    say(.pickerChanged(change, snapshot, timeUs: timeUs), timeUs: timeUs)
  }

  mutating func rebuildIndices() {
    var regions = settings.displays.map { _ in [(slot: Int, region: Region)]() }
    for slot in order {
      guard let entry = entries[slot] else { continue }
      regions[entry.display].append((slot, entry.model.base.region))
    }
    areIndicesStale = false
    indices = regions.map { RegionIndex($0) }
  }
}
