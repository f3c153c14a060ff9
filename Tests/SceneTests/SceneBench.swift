// SPDX-License-Identifier: Apache-2.0

import Gestures
import Pickers
import Wire

@testable import Scene

/// A scene on one display of 1000 × 1000 points with a panel over it, and what it said.
struct SceneBench {
  var scene: Scene
  private(set) var said: [SceneEvent] = []

  init(
    _ pickers: [PickerSettings], displays: [Display]? = nil, reducesMotion: Bool = false,
    idleAfterUs: Int64 = 0, idleResetUs: Int64 = 0
  ) {
    var settings = SceneSettings()
    settings.velocityMethod = .swiftui
    settings.displays = displays ?? [Display(id: "main", width: 1000, height: 1000)]
    settings.reducesMotion = reducesMotion
    settings.idleAfterUs = idleAfterUs
    settings.idleResetUs = idleResetUs
    scene = Scene(settings: settings, timeUs: 0)
    scene.open(pickers, timeUs: 0)
    scene.deviceAdded(
      InputDevice(number: 0, id: "event0", kind: .touchscreen, name: "panel"))
    scene.deviceAdded(InputDevice(number: 1, id: "event1", kind: .touchpad, name: "pad"))
    scene.deviceAdded(InputDevice(number: 2, id: "event2", kind: .knob, name: "knob"))
  }

  mutating func say(_ kind: InputEvent.Kind, at timeMS: Double, device: Int = 0) {
    scene.handle(
      InputEvent(timeUs: Int64((timeMS * 1000).rounded()), device: device, kind: kind))
    collect()
  }

  mutating func down(_ x: Double, _ y: Double, at timeMS: Double, slot: Int = 0) {
    say(.down(slot: slot, x: x / 1000, y: y / 1000), at: timeMS)
  }

  mutating func move(_ x: Double, _ y: Double, at timeMS: Double, slot: Int = 0) {
    say(.move(slot: slot, x: x / 1000, y: y / 1000), at: timeMS)
  }

  mutating func up(at timeMS: Double, slot: Int = 0) { say(.up(slot: slot), at: timeMS) }

  mutating func advance(to timeMS: Double) {
    scene.advance(toUs: Int64(timeMS * 1000))
    collect()
  }

  mutating func collect() {
    said += scene.events
    scene.events.removeAll()
  }

  mutating func forget() { said.removeAll() }

  /// When it was said.
  var times: [Int64] {
    said.map { event in
      switch event {
      case .selection(let change): change.timeUs
      case .picker(_, _, let event): event.timeUs
      case .focus(_, let timeUs), .activity(_, _, let timeUs), .inhibit(_, let timeUs),
        .pickerChanged(_, _, let timeUs), .display(_, let timeUs):
        timeUs
      }
    }
  }

  /// What was said, a word or two each.
  var words: [String] {
    said.map { event in
      switch event {
      case .selection(let change):
        let title = change.index.map { change.values.title(at: $0) } ?? "null"
        return "selection \(change.picker) \(title) \(change.cause.rawValue)"
      case .picker(let id, _, let event):
        switch event.kind {
        case .tick(let index): return "tick \(id) \(index)"
        case .settle(let index, _, _): return "settle \(id) \(index)"
        case .rest(let index): return "rest \(id) \(index)"
        case .press(let index, let isPressed):
          return "\(isPressed ? "press" : "release") \(id) \(index)"
        case .direction(let direction, let degree):
          return "direction \(id) \(direction.rawValue) \(Int(degree.rounded()))"
        case .cue(let cue, _): return "cue \(id) \(cue.rawValue)"
        case .motion(let motion): return "motion \(id) \(motion.phase.rawValue)"
        case .selection: return "?"
        }
      case .focus(let id, _): return "focus \(id ?? "null")"
      case .activity(let isActive, let resets, _):
        return "activity \(isActive)" + (resets.map { " \(Int($0))" } ?? "")
      case .inhibit(let isOn, _): return "inhibit \(isOn)"
      case .pickerChanged(let change, let snapshot, _):
        return "\(change.rawValue) \(snapshot.id)"
      case .display(let display, _): return "display \(display.id)"
      }
    }
  }

  /// How many values each tick that a motor may play stands for.
  var passed: [Int] {
    said.compactMap { event in
      if case .picker(_, _, let event) = event, case .cue(_, let passed) = event.kind {
        passed
      } else {
        nil
      }
    }
  }

  /// What was said but for cues and the focus.
  var plainWords: [String] {
    words.filter { !$0.hasPrefix("cue") && !$0.hasPrefix("focus") }
  }
}

/// A picker from options written as pairs.
func picker(_ options: (String, OptionNode.Content)...) -> PickerSettings {
  var problems: [OptionProblem] = []
  let node = OptionNode(
    .table(options.map { OptionEntry(key: $0.0, node: OptionNode($0.1)) }))
  guard let picker = PickerSettings(node: node, path: "picker", problems: &problems) else {
    preconditionFailure("\(problems)")
  }
  return picker
}

/// A number as an option.
func number(_ value: Double) -> OptionNode.Content {
  .number(DecimalNumber(value) ?? DecimalNumber(0), decimals: 0)
}

/// A region as an option.
func region(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> OptionNode.Content {
  .table(
    zip(["x", "y", "width", "height"], [x, y, width, height]).map {
      OptionEntry(key: $0, node: OptionNode(number($1)))
    })
}

/// A list of texts as an option.
func texts(_ values: String...) -> OptionNode.Content {
  .array(values.map { OptionNode(.string($0)) })
}

/// A range as an option.
func range(_ from: Double, _ through: Double, step: Double = 1) -> OptionNode.Content {
  .table(
    zip(["from", "through", "step"], [from, through, step]).map {
      OptionEntry(key: $0, node: OptionNode(number($1)))
    })
}

/// A ruler of 0…100 with 64 points a value on the upper part of the display.
func ruler(_ id: String = "ruler", selection: Double = 50, y: Double = 0) -> PickerSettings {
  picker(
    ("id", .string(id)), ("type", .string("ruler")), ("region", region(0, y, 1000, 200)),
    ("values", range(0, 100)), ("selection", number(selection)))
}
