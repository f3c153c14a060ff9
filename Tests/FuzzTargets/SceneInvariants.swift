// SPDX-License-Identifier: Apache-2.0

import DetentDaemon
import Pickers
import Scene
import Wire

/// What a scene says: in order, in range, consistent, and JSON when it is written.
struct SceneInvariants {
  // One of so many events is written.
  private static let writtenOf = 29

  private var encoder = EventEncoder()
  private var lastUs = Int64.min
  private var revisions: [String: Int] = [:]
  private var selections: [String: Int?] = [:]
  // Where rulers glide to, and the value last passed on the way.
  private var courses: [String: (target: Int, tick: Int?)] = [:]
  /// How much was said.
  private(set) var count = 0

  /// Holds what is said next against what was said before, and takes it out.
  mutating func take(from scene: inout Scene) throws(BrokenInvariant) {
    for event in scene.events {
      count += 1
      // Writing and reading takes longer than all else; in a few runs each kind has its turn.
      if count % Self.writtenOf == 0 { try write(event) }
      switch event {
      case .selection(let change): try take(change)
      case .picker(let id, let values, let event): try take(event, of: id, values)
      case .pickerChanged(_, let snapshot, let timeUs):
        try order(timeUs)
        courses[snapshot.id] = nil
        revisions[snapshot.id] = nil
        selections[snapshot.id] = nil
      case .focus(_, let timeUs), .activity(_, _, let timeUs), .inhibit(_, let timeUs),
        .display(_, let timeUs):
        try order(timeUs)
      }
    }
    scene.events.removeAll(keepingCapacity: true)
  }

  private mutating func write(_ event: SceneEvent) throws(BrokenInvariant) {
    encoder.write(event)
    let value = try? JSONParser.value(of: encoder.line.bytes.dropLast())
    try require(value != nil, "\(String(decoding: encoder.line.bytes, as: UTF8.self)) is not JSON")
  }

  private mutating func order(_ timeUs: Int64) throws(BrokenInvariant) {
    try require(timeUs >= lastUs, "\(timeUs) is said after \(lastUs)")
    lastUs = timeUs
  }

  private mutating func take(_ change: SelectionChange) throws(BrokenInvariant) {
    try order(change.timeUs)
    let id = change.picker
    if let revision = revisions[id] {
      try require(change.revision == revision + 1, "\(id): revision \(change.revision)")
    }
    revisions[id] = change.revision
    if let before = selections[id] {
      try require(before != change.index, "\(id): a change to what is selected already")
      try require(
        before.map { change.values[$0] } == change.previous, "\(id): another value was previous")
    }
    selections[id] = .some(change.index)
    try require(
      change.index.map { (0..<change.values.count).contains($0) } ?? true,
      "\(id): \(change.index ?? -1) is selected of \(change.values.count)")
    // What is selected on the way has a course of its own, or none where it is in place already.
    if change.index != nil { courses[id] = nil }
  }

  private mutating func take(
    _ event: PickerEvent, of id: String, _ values: ValueList
  ) throws(BrokenInvariant) {
    try order(event.timeUs)
    let range = 0..<values.count
    switch event.kind {
    case .settle(let index, let glide, let durationMS):
      try require(range.contains(index), "\(id) settles on \(index) of \(values.count)")
      try require(
        glide.from.isFinite && glide.to.isFinite && glide.velocity.isFinite && durationMS >= 0,
        "\(id): \(glide) in \(durationMS) ms")
      courses[id] = (index, nil)
    case .tick(let index):
      try require(range.contains(index), "\(id) ticks \(index) of \(values.count)")
      // A carousel that is caught says nothing, and a wheel has two ways round.
      guard id == "ruler", let course = courses[id] else { return }
      if let tick = course.tick {
        try require(
          abs(course.target - index) < abs(course.target - tick) || tick == course.target,
          "\(id) ticks \(index) after \(tick), away from \(course.target)")
      }
      courses[id]?.tick = index
    case .rest(let index):
      // A carousel that is caught says nothing, and may rest where it was caught.
      if let course = courses.removeValue(forKey: id), id != "menu" {
        try require(index == course.target, "\(id) rests on \(index), not \(course.target)")
        try require(
          course.tick.map { $0 == course.target } ?? true, "\(id) has not ticked its target")
      }
    case .press(let index, _):
      try require(range.contains(index), "\(id) presses \(index) of \(values.count)")
    default: break
    }
  }

  /// Holds the states of a scene's pickers against what may be.
  static func check(_ scene: Scene, timeUs: Int64) throws(BrokenInvariant) {
    for picker in scene.snapshots(timeUs: timeUs) {
      let range = 0..<picker.values.count
      try require(
        range.contains(picker.liveIndex), "\(picker.id) lives at \(picker.liveIndex) of \(range)")
      try require(
        picker.selection.map { range.contains($0) } ?? true,
        "\(picker.id) has selected \(picker.selection ?? -1) of \(range)")
      switch picker.position {
      case .offset(let place), .degree(let place):
        try require(place.isFinite, "\(picker.id) is at \(place)")
      case .fixed: break
      }
    }
  }
}
