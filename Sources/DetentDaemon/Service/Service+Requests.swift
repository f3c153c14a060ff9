// SPDX-License-Identifier: Apache-2.0

import Gestures
import Haptics
import LinuxIO
import Pickers
import Scene
package import SocketServer
package import Wire

extension Service: SocketServerDelegate {
  package func answer(
    _ method: MethodName, _ params: Params, from client: ClientID
  ) throws(RPCError) -> [UInt8] {
    var params = params
    let reply = try answer(method, &params, from: client)
    settle()
    return reply
  }

  private func answer(
    _ method: MethodName, _ params: inout Params, from client: ClientID
  ) throws(RPCError) -> [UInt8] {
    switch method {
    case .list:
      try params.finish()
      return states(scene.snapshots(timeUs: loop.nowUs))
    case .values: return try values(&params)
    case .get: return try state(of: &params)
    case .select: return try select(&params)
    case .move: return try move(&params)
    case .add: return try add(&params, from: client)
    case .update: return try update(&params, from: client)
    case .remove: return try remove(&params)
    case .replace: return try replace(&params, from: client)
    case .display: return try display(&params)
    case .focus:
      let picker = try params.nullableString("picker")
      try params.finish()
      try translated { (scene: inout Scene, nowUs: Int64) throws(SceneError) in
        try scene.focus(picker, timeUs: nowUs)
      }
      return Self.done
    case .inhibit: return try inhibit(&params, from: client)
    case .play: return try play(&params)
    case .devices:
      try params.finish()
      return json { $0.deviceList(self) }
    case .stats:
      try params.finish()
      return json { $0.statistics(self) }
    case .reload:
      try params.finish()
      if let reason = reload() { throw RPCError(.invalidParams, reason: reason) }
      return Self.done
    case .subscribe, .unsubscribe, .describe:
      throw RPCError(.internalError, reason: "the server answers \(method.rawValue) itself")
    }
  }

  /// The most values of one answer.
  private static let largestPage = 1000
  private static let done = Array("{}".utf8)

  // MARK: Pickers

  private func state(of params: inout Params) throws(RPCError) -> [UInt8] {
    let picker = try params.string("picker")
    try params.finish()
    return try state(of: picker)
  }

  /// A page of a picker's values with their titles, for those who draw pickers that they did not describe.
  private func values(_ params: inout Params) throws(RPCError) -> [UInt8] {
    let picker = try params.string("picker")
    let from = try params.optionalInteger("from", in: 0...ValueList.largestCount)
    let count = try params.optionalInteger("count", in: 0...Self.largestPage)
    try params.finish()
    do throws(SceneError) {
      let values = try scene.snapshot(picker, timeUs: loop.nowUs).values
      return json {
        $0.page(of: values, from: from ?? 0, count: count ?? Self.largestPage)
      }
    } catch {
      throw PickerParams.refusal(error)
    }
  }

  private func select(_ params: inout Params) throws(RPCError) -> [UInt8] {
    let picker = try params.string("picker")
    let value = params.value("value")
    let index = params.value("index")
    try params.finish()
    switch (value, index) {
    case (nil, .integer(let index)?):
      try translated { (scene: inout Scene, nowUs: Int64) throws(SceneError) in
        try scene.select(picker, index: Int(index), timeUs: nowUs)
      }
    case (let value?, nil):
      let wanted = try Self.value(value)
      try translated { (scene: inout Scene, nowUs: Int64) throws(SceneError) in
        try scene.select(picker, value: wanted, timeUs: nowUs)
      }
    case (nil, nil): throw RPCError(.invalidParams, field: "value", reason: "is missing")
    case (_?, _?):
      throw RPCError(.invalidParams, field: "index", reason: "expected one of value and index")
    default: throw Params.mismatch("index", expected: "a whole number")
    }
    return try state(of: picker)
  }

  private static func value(_ json: JSONValue) throws(RPCError) -> Value? {
    switch json {
    case .null: return nil
    case .string(let text): return .text(text)
    case .integer(let integer): return .number(DecimalNumber(integer))
    case .number(let double):
      if let number = DecimalNumber(double) { return .number(number) }
    default: break
    }
    throw Params.mismatch("value", expected: "a text, a number or null")
  }

  private func move(_ params: inout Params) throws(RPCError) -> [UInt8] {
    let picker = try params.string("picker")
    let steps = try params.integer("by")
    try params.finish()
    try translated { (scene: inout Scene, nowUs: Int64) throws(SceneError) in
      try scene.move(picker, by: steps, timeUs: nowUs)
    }
    return try state(of: picker)
  }

  private func add(
    _ params: inout Params, from client: ClientID
  ) throws(RPCError) -> [UInt8] {
    let isKept = try params.bool("keep") ?? false
    let picker = try PickerParams.picker(params.takeRest(), displays: scene.settings.displays)
    try translated { (scene: inout Scene, nowUs: Int64) throws(SceneError) in
      try scene.add(picker, timeUs: nowUs)
    }
    restoreSelections(of: [picker.id])
    if !isKept { owners[picker.id] = client }
    return try state(of: picker.id)
  }

  private func update(
    _ params: inout Params, from client: ClientID
  ) throws(RPCError) -> [UInt8] {
    let keep = try params.bool("keep")
    let picker = try PickerParams.picker(params.takeRest(), displays: scene.settings.displays)
    try translated { (scene: inout Scene, nowUs: Int64) throws(SceneError) in
      try scene.update(picker, timeUs: nowUs)
    }
    keepSelections(of: [picker.id])
    if keep == true { owners[picker.id] = nil }
    return try state(of: picker.id)
  }

  private func remove(_ params: inout Params) throws(RPCError) -> [UInt8] {
    let picker = try params.string("picker")
    try params.finish()
    try translated { (scene: inout Scene, nowUs: Int64) throws(SceneError) in
      try scene.remove(picker, timeUs: nowUs)
    }
    return Self.done
  }

  private func replace(
    _ params: inout Params, from client: ClientID
  ) throws(RPCError) -> [UInt8] {
    guard case .array(let elements)? = params.value("pickers") else {
      throw Params.mismatch("pickers", expected: "a list of pickers")
    }
    try params.finish()
    var pickers: [PickerSettings] = []
    for (index, element) in elements.enumerated() {
      pickers.append(
        try PickerParams.picker(
          element, path: "pickers[\(index)]", displays: scene.settings.displays))
    }
    let old = owners.filter { $0.value == client }.map(\.key)
    // All or nothing: what would fail on the way is found before anything changes.
    let others = Set(scene.ids).subtracting(old)
    var names: Set<String> = []
    for picker in pickers where others.contains(picker.id) || !names.insert(picker.id).inserted {
      throw RPCError(.invalidParams, field: "pickers", reason: "\"\(picker.id)\" exists already")
    }
    guard others.count + pickers.count <= Scene.mostPickers else {
      throw RPCError(.overLimit, field: "pickers", reason: "more than \(Scene.mostPickers) pickers")
    }
    try translated { (scene: inout Scene, nowUs: Int64) throws(SceneError) in
      for id in old where !names.contains(id) { try scene.remove(id, timeUs: nowUs) }
      for picker in pickers {
        if scene.settings(of: picker.id) == nil {
          try scene.add(picker, timeUs: nowUs)
        } else {
          try scene.update(picker, timeUs: nowUs)
        }
      }
    }
    restoreSelections(of: names.subtracting(old))
    keepSelections(of: names.intersection(old))
    for id in names { owners[id] = client }
    return states(
      scene.snapshots(timeUs: loop.nowUs).filter { names.contains($0.id) })
  }

  // MARK: The rest

  private func display(_ params: inout Params) throws(RPCError) -> [UInt8] {
    let id = try params.string("display")
    let width = try params.number("width", in: 1...1e6)
    let height = try params.number("height", in: 1...1e6)
    try params.finish()
    guard let width else { throw params.missing("width") }
    guard let height else { throw params.missing("height") }
    try translated { (scene: inout Scene, nowUs: Int64) throws(SceneError) in
      try scene.resize(display: id, width: width, height: height, timeUs: nowUs)
    }
    return Self.done
  }

  private func inhibit(
    _ params: inout Params, from client: ClientID
  ) throws(RPCError) -> [UInt8] {
    guard let isOn = try params.bool("on") else { throw params.missing("on") }
    let guardMS = try params.number("guard_ms", in: 0...600_000)
    let forMS = try params.number("for_ms", in: 0...1e10)
    try params.finish()
    scene.inhibit(
      isOn, holder: client.number, guardUs: Int64((guardMS ?? 0) * 1000),
      forUs: forMS.map { Int64($0 * 1000) }, timeUs: loop.nowUs)
    return Self.done
  }

  private func play(_ params: inout Params) throws(RPCError) -> [UInt8] {
    let word = try params.string("cue")
    try params.finish()
    guard let cue = Cue(rawValue: word) else {
      throw Params.mismatch(
        "cue", expected: "one of \(Cue.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    let nowUs = EventLoop.clockUs()
    let played =
      haptics?.play(cue, eventTimeUs: nowUs, nowUs: nowUs, isTick: false) ?? false
    return json { writer in
      writer.beginObject()
      writer.name("played")
      writer.bool(played)
      writer.endObject()
    }
  }

  package func writeSnapshot(
    of pickers: Set<String>?, isResync: Bool, to writer: inout JSONWriter
  ) {
    let nowUs = EventLoop.clockUs()
    writer.name("pickers")
    writer.beginArray()
    for snapshot in scene.snapshots(timeUs: nowUs) where pickers?.contains(snapshot.id) ?? true {
      writer.state(snapshot)
    }
    writer.endArray()
    if !isResync {
      writer.name("displays")
      writer.beginArray()
      for display in scene.settings.displays { writer.display(display) }
      writer.endArray()
      writer.name("devices")
      writer.deviceList(self)
      // Whoever plays a recording waits for somebody to look on.
      player?.begin()
    }
    writer.name("focus")
    if let focus = scene.focus { writer.string(focus) } else { writer.null() }
    writer.name("inhibited")
    writer.bool(scene.isInhibited)
    writer.name("active")
    writer.bool(scene.isActive)
    if !isResync {
      writer.name("now_us")
      writer.integer(nowUs)
    }
  }

  package func clientDisconnected(_ client: ClientID) {
    scene.inhibit(false, holder: client.number, timeUs: loop.nowUs)
    for (id, owner) in owners where owner == client {
      try? scene.remove(id, timeUs: loop.nowUs)
    }
    settle()
  }

  package func motionWanted(_ isWanted: Bool) {
    scene.wantsMotion = isWanted
    settle()
  }

  // MARK: Parts

  private func translated(
    _ body: (inout Scene, Int64) throws(SceneError) -> Void
  ) throws(RPCError) {
    do throws(SceneError) {
      try body(&scene, loop.nowUs)
    } catch {
      settle()
      throw PickerParams.refusal(error)
    }
  }

  private func state(of picker: String) throws(RPCError) -> [UInt8] {
    do throws(SceneError) {
      let snapshot = try scene.snapshot(picker, timeUs: loop.nowUs)
      return json { $0.state(snapshot) }
    } catch {
      throw PickerParams.refusal(error)
    }
  }

  private func states(_ snapshots: [PickerSnapshot]) -> [UInt8] {
    json { writer in
      writer.beginArray()
      for snapshot in snapshots { writer.state(snapshot) }
      writer.endArray()
    }
  }

  private func json(_ write: (inout JSONWriter) -> Void) -> [UInt8] {
    var writer = JSONWriter()
    write(&writer)
    return writer.bytes
  }
}
