// SPDX-License-Identifier: Apache-2.0

import Pickers
import Testing
import Wire

@testable import Scene

/// A new configuration in the place of a running one, whole or not at all.
@Suite struct ReloadTests {
  private static func reload(
    _ bench: inout SceneBench, _ new: [PickerSettings], old: [String],
    at timeMS: Double, _ change: (inout SceneSettings) -> Void = { _ in }
  ) throws {
    var settings = bench.scene.settings
    change(&settings)
    try bench.scene.reload(
      settings, replacing: old, with: new, timeUs: Int64(timeMS * 1000))
    bench.collect()
  }

  @Test func `a picker that did not change keeps its finger while others come, change and go`()
    throws
  {
    var bench = SceneBench([ruler("a"), ruler("b", y: 300), ruler("c", y: 600)])
    bench.down(500, 100, at: 0)
    bench.move(400, 100, at: 10)
    bench.down(500, 400, at: 12, slot: 1)
    bench.move(400, 400, at: 14, slot: 1)
    bench.forget()
    try Self.reload(
      &bench, [ruler("a"), ruler("b", y: 350), ruler("d", y: 600)], old: ["a", "b", "c"], at: 20)
    // The one that moved lets go; its finger is nobody's from now on.
    #expect(
      bench.plainWords == [
        "removed c", "selection b 50 cancel", "settle b 50", "updated b", "added d",
      ])
    bench.forget()
    bench.move(300, 100, at: 30)
    bench.move(300, 400, at: 32, slot: 1)
    #expect(bench.plainWords == ["selection a 53 drag", "tick a 53"])
    bench.up(at: 200)
    #expect(bench.scene.ids == ["a", "b", "d"])
  }

  @Test func `what cannot be applied changes nothing`() throws {
    var bench = SceneBench([ruler("a"), ruler("b", y: 300)])
    try bench.scene.add(ruler("mine", y: 600), timeUs: 0)
    bench.down(500, 100, at: 0)
    bench.move(400, 100, at: 10)
    bench.collect()
    bench.forget()
    let before = bench.scene.ids
    #expect(throws: SceneError.duplicatePicker("mine")) {
      try Self.reload(
        &bench, [ruler("x"), ruler("mine", y: 500)], old: ["a", "b"], at: 20
      ) { $0.displays[0].width = 500 }
    }
    #expect(bench.scene.ids == before && bench.said.isEmpty)
    #expect(bench.scene.settings.displays[0].width == 1000)
    bench.move(300, 100, at: 30)
    #expect(bench.plainWords == ["selection a 53 drag", "tick a 53"])
  }

  @Test func `clients' pickers stay on top, and go with their display`() throws {
    let displays = [
      Display(id: "left", width: 1000, height: 1000),
      Display(id: "right", width: 1000, height: 1000),
    ]
    func on(_ display: String, _ id: String) -> PickerSettings {
      picker(
        ("id", .string(id)), ("type", .string("ruler")), ("display", .string(display)),
        ("region", region(0, 0, 1000, 200)), ("values", range(0, 100)))
    }
    var bench = SceneBench([on("left", "file")], displays: displays)
    try bench.scene.add(on("left", "stays"), timeUs: 0)
    try bench.scene.add(on("right", "goes"), timeUs: 0)
    bench.collect()
    bench.forget()
    try Self.reload(&bench, [on("left", "file"), on("left", "new")], old: ["file"], at: 10) {
      $0.displays.removeLast()
    }
    #expect(bench.scene.ids == ["file", "new", "stays"])
    #expect(bench.plainWords == ["removed goes", "added new", "display left"])
    #expect(bench.scene.display(ofPicker: "stays") == "left")
  }

  @Test func `an idle reset that is switched off does not happen`() throws {
    var bench = SceneBench([ruler()], idleResetUs: 3_000_000)
    try bench.scene.select("ruler", index: 60, timeUs: 0)
    bench.advance(to: 2000)
    bench.forget()
    try Self.reload(&bench, [ruler()], old: ["ruler"], at: 2000) { $0.idleResetUs = 0 }
    bench.advance(to: 100_000)
    #expect(bench.said.isEmpty && bench.scene.deadlineUs == nil)
  }
}

/// Selections that an earlier run left.
@Suite struct RestoreTests {
  @Test func `a picker opens on what it had, at rest, and says so`() throws {
    var bench = SceneBench([ruler()])
    try bench.scene.restore("ruler", value: .number(DecimalNumber(60)), timeUs: 5000)
    bench.collect()
    #expect(bench.words == ["selection ruler 60 restore"])
    let state = try bench.scene.snapshot("ruler", timeUs: 5000)
    #expect(state.selection == 60 && state.liveIndex == 60 && state.phase == .idle)
    #expect(state.position == .offset(-640) && state.revision == 1)
    #expect(bench.scene.deadlineUs == nil)
    // What it has already is no change, what it has not an error, and an idle reset goes to where it opened.
    try bench.scene.restore("ruler", value: .number(DecimalNumber(60)), timeUs: 6000)
    #expect(throws: SceneError.noSuchValue) {
      try bench.scene.restore("ruler", value: .text("60"), timeUs: 6000)
    }
    bench.collect()
    #expect(bench.words.count == 1)
  }

  @Test(arguments: ["swatches", "carousel", "radial"])
  func `nothing may be what was selected`(type: String) throws {
    let values = type == "swatches" ? "colors" : type == "carousel" ? "items" : "values"
    let some = picker(
      ("id", .string("p")), ("type", .string(type)), ("region", region(0, 0, 600, 200)),
      (values, texts("a", "b")),
      ("selection", .string("b")))
    var bench = SceneBench([some])
    try bench.scene.restore("p", value: nil, timeUs: 0)
    #expect(try bench.scene.snapshot("p", timeUs: 0).selection == nil)
    try bench.scene.restore("p", value: .text("a"), timeUs: 0)
    #expect(try bench.scene.snapshot("p", timeUs: 0).selection == 0)
    bench.collect()
    #expect(bench.words == ["selection p null restore", "selection p a restore"])
  }
}
