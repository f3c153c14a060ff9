// SPDX-License-Identifier: Apache-2.0

import DetentDaemon
import Gestures
import Pickers
import Scene
import Wire

/// Fingers, touchpads, knobs and clients on the four pickers, in any order that bytes can tell.
package struct SceneTarget: FuzzTarget {
  package static let name = "scene"
  package static let seeds: [[UInt8]] = [
    [1, 2, 3, 0, 1, 0] + (0..<40).flatMap { [3, UInt8($0), 100 + UInt8($0), 20, 1] },
    [0, 1, 1, 1, 0, 3]
      + [0, 0, 128, 30, 2, 4, 0, 110, 30, 2, 4, 0, 60, 30, 2, 12, 0, 0, 0, 2, 18, 0, 0, 0, 9],
    [2, 0, 0, 1, 1, 1] + (0..<30).flatMap { [16 + UInt8($0 % 6), 200, 40, UInt8($0), 3] },
  ]
  package static let words: [String] = []

  // A wild throw may pass any number of values; what passes is told one by one.
  private static let mostSaid = 4000
  private static let stepsUs: [Int64] = [0, 1, 900, 8000, 16_667, 40_000, 400_000, 2_000_000]

  // Frames a microsecond apart throw a ruler over all of its values, each of which is told; with thousands of
  // millions of them that takes longer than all else, and has a test of its own.
  private static let mostWildlyThrown = 1000
  private static let leastStepUs: Int64 = 900

  private var leastStepUs: Int64 = 0
  // Reading a picker takes longer than a run.
  private var pickers: [String: PickerSettings] = [:]

  package init() {}

  package mutating func run(_ bytes: [UInt8]) throws(BrokenInvariant) {
    var source = ByteSource(bytes)
    var said = SceneInvariants()
    var scene = scene(&source)
    var timeUs: Int64 = 0
    try said.take(from: &scene)
    while !source.isEmpty, said.count < Self.mostSaid {
      step(&scene, &source, &timeUs)
      try said.take(from: &scene)
    }
    let isFull = said.count >= Self.mostSaid
    scene.cancelAll(timeUs: timeUs)
    try said.take(from: &scene)
    while !isFull, scene.isGliding, let deadlineUs = scene.deadlineUs, said.count < Self.mostSaid {
      timeUs = max(timeUs, deadlineUs)
      scene.advance(toUs: deadlineUs)
      try said.take(from: &scene)
    }
    try SceneInvariants.check(scene, timeUs: timeUs)
    try require(!scene.isHeld, "something is still held")
  }

  private mutating func scene(_ source: inout ByteSource) -> Scene {
    var settings = SceneSettings()
    let flags = source.byte()
    // The other one takes longer than all else together, and has tests of its own.
    settings.velocityMethod = flags & 0xC1 == 1 ? .detent : .swiftui
    settings.reducesMotion = flags & 2 != 0
    settings.idleAfterUs = flags & 4 != 0 ? 1_000_000 : 0
    settings.idleResetUs = flags & 8 != 0 ? 3_000_000 : 0
    settings.isNatural = flags & 16 == 0
    settings.displays = [
      Display(
        id: "main", width: 1000, height: 1000,
        rotation: source.one(of: Display.Rotation.allCases), edgeMargin: flags & 32 != 0 ? 10 : 0)
    ]
    var scene = Scene(settings: settings, timeUs: 0)
    scene.open(pickers(&source), timeUs: 0)
    for (number, kind) in InputDevice.Kind.allCases.enumerated() {
      scene.deviceAdded(InputDevice(number: number, id: "\(number)", kind: kind, name: ""))
    }
    return scene
  }

  private mutating func pickers(_ source: inout ByteSource) -> [PickerSettings] {
    let axis = source.one(of: ["horizontal", "vertical"])
    let count = source.one(of: [1, 2, 7, 1000, 2_147_483_647])
    let isLong = count > Self.mostWildlyThrown
    leastStepUs = isLong ? Self.leastStepUs : 0
    let itemWidth = max(source.one(of: [64, 0.5, 8, 1000]), isLong ? 64 : 0)
    let mode = source.one(of: ["swipe", "rotate"])
    let limit = source.one(of: ["automatic", "one", "few", "never"])
    let texts = [
      """
      {"id":"ruler","type":"ruler","region":{"x":0,"y":0,"width":1000,"height":250},\
      "values":{"from":0,"through":\(count - 1),"step":1},"selection":\(count / 2),"axis":"\(axis)",\
      "item_width":\(itemWidth)}
      """,
      """
      {"id":"menu","type":"carousel","region":{"x":0,"y":250,"width":1000,"height":250},\
      "items":["a","b","c","d","e"],"limit":"\(limit)","axis":"\(axis)"}
      """,
      """
      {"id":"colours","type":"swatches","region":{"x":0,"y":500,"width":500,"height":250},\
      "colors":["#1","#2","#3","#4"],"columns":3}
      """,
      """
      {"id":"wheel","type":"radial","region":{"x":500,"y":500,"width":500,"height":500},\
      "values":{"from":0,"through":11,"step":1},"mode":"\(mode)"}
      """,
    ]
    return texts.compactMap { picker($0) }
  }

  private mutating func picker(_ text: String) -> PickerSettings? {
    if let picker = pickers[text] { return picker }
    var problems: [OptionProblem] = []
    let value = try? JSONParser.value(of: Array(text.utf8))
    let picker = value.flatMap {
      PickerSettings(node: PickerParams.node($0), path: "", problems: &problems)
    }
    precondition(picker != nil, "\(text): \(problems)")
    pickers[text] = picker
    return picker
  }

  private func step(
    _ scene: inout Scene, _ source: inout ByteSource, _ timeUs: inout Int64
  ) {
    let action = source.byte() % 28
    let slot = source.byte() % 4
    let x = Double(source.byte()) / 255 * 1.2 - 0.1
    let y = Double(source.byte()) / 255 * 1.2 - 0.1
    let stepUs = source.one(of: Self.stepsUs)
    timeUs += stepUs == 0 ? 0 : max(stepUs, leastStepUs)
    let atUs = timeUs
    func say(_ kind: InputEvent.Kind, _ device: Int) {
      scene.handle(InputEvent(timeUs: atUs, device: device, kind: kind))
    }
    let steps = Int((x * 100).rounded())
    let id = ["ruler", "menu", "colours", "wheel"][slot]
    switch action {
    case 0..<3: say(.down(slot: slot, x: x, y: y), 0)
    case 3..<11: say(.move(slot: slot, x: x, y: y), 0)
    case 11..<14: say(.up(slot: slot), 0)
    case 14: say(.cancel(slot: slot), 0)
    case 15: say(.scroll(dx: x * 100, dy: y * 100), 1)
    case 16: say(.scrollEnd, 1)
    case 17: say(.pinchBegin(fingers: 2), 1)
    case 18: say(.pinch(fingers: 2, dx: x, dy: y, scale: 1, angle: x * 90), 1)
    case 19: say(.pinchEnd(fingers: 2, cancelled: y > 0.5), 1)
    case 20: say(slot == 0 ? .tap : .holdBegin(fingers: slot), 1)
    case 21: say(.turn(steps: steps), 2)
    case 22: say(.press, 2)
    case 23: try? scene.move(id, by: steps, timeUs: atUs)
    case 24: try? scene.select(id, index: steps < 0 ? nil : steps, timeUs: atUs)
    case 25: scene.inhibit(x > 0.5, holder: slot, guardUs: Int64(steps) * 100, timeUs: atUs)
    case 26: try? scene.focus(slot == 0 ? nil : id, timeUs: atUs)
    default: scene.advance(toUs: atUs)
    }
  }
}
