// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing
import Wire

@testable import DetentClient

/// Numbers that no daemon of ours says: nothing that comes from a peer may end an application.
@Suite(.timeLimit(.minutes(1))) struct ExtremeNumberTests {
  private static let numbers: [JSONValue] = [
    0, -1, 0.5, .number(.leastNonzeroMagnitude), 1e300, -1e300, .number(.greatestFiniteMagnitude),
    .integer(.max), .integer(.min), .integer(1 << 53), .integer(-1 << 53), .integer(1 << 31), .null,
  ]
  private static let glide: JSONValue = [
    "offset_from": 0, "offset_to": 64, "velocity": 100, "started_us": 5, "duration_ms": 700,
  ]

  private static func state(_ type: String) -> [String: JSONValue] {
    let place: String = type == "radial" ? "degree" : "offset"
    var state: [String: JSONValue] = [
      "picker": "p", "type": .string(type), "display": "main",
      "region": ["x": 0, "y": 0, "width": 800, "height": 160], "enabled": true, "count": 12,
      "index": 3, "value": 3, "title": "3", "live_index": 3, "phase": "glide", "glide": glide,
      "revision": 1,
    ]
    if type == "swatches" {
      state.merge(["columns": 3, "size": 44, "spacing": 12, "pressed": 1]) { $1 }
    } else {
      state.merge([place: 100, "pitch": 30, "spacing": 16, "hue": 10, "mode": "rotate"]) { $1 }
    }
    return state
  }

  /// The same with one number in the place of each number in turn, those of `glide` and `region` too.
  private static func variants(
    _ members: [String: JSONValue], _ numbers: [JSONValue] = numbers
  ) -> [JSONValue] {
    var variants: [JSONValue] = []
    for (name, member) in members.sorted(by: { $0.key < $1.key }) {
      switch member {
      case .integer, .number:
        for number in numbers {
          variants.append(.object(members.merging([name: number]) { $1 }))
        }
      case .object(let inner):
        for variant in self.variants(inner, numbers) {
          variants.append(.object(members.merging([name: variant]) { $1 }))
        }
      default: break
      }
    }
    return variants
  }

  private static let notifications: [(method: String, params: [String: JSONValue])] = [
    (
      "selection",
      [
        "index": 4, "value": 4, "title": "4", "previous": 3, "cause": "tap", "revision": 2,
      ]
    ),
    ("tick", ["index": 4, "value": 4]),
    (
      "motion",
      [
        "index": 4, "phase": "drag", "offset": 3, "translation": 3, "velocity": 3,
        "predicted_end_translation": 3,
      ]
    ),
    (
      "settle",
      [
        "index": 4, "value": 4, "offset_from": 0, "offset_to": 64, "velocity": 100,
        "duration_ms": 700,
      ]
    ),
    ("rest", ["index": 4]), ("press", ["index": 4, "pressed": true]),
    ("direction", ["direction": "left", "degree": 400]),
  ]

  private static func notification(_ method: String, _ params: JSONValue) -> ServerNotification? {
    ServerNotification(["jsonrpc": "2.0", "method": .string(method), "params": params])
  }

  /// Asks for all that an application asks for when it draws.
  private func draw(_ store: PickerStore) {
    for timeUs: Int64 in [.min, 300_000, .max] {
      for picker in store.pickers {
        _ = picker.liveIndex(atUs: timeUs)
        #expect(picker.centre(atUs: timeUs)?.isFinite ?? true, "\(picker.state)")
        _ = picker.phase(atUs: timeUs)
        let offset = picker.offset(atUs: timeUs)
        #expect(offset?.isFinite ?? true, "\(picker.state)")
      }
    }
  }

  @Test(arguments: ["ruler", "carousel", "swatches", "radial"])
  func `a store takes any number in any place`(type: String) throws {
    var states = 0
    for variant in Self.variants(Self.state(type)) {
      guard
        let added = Self.notification(
          "picker", ["change": "added", "state": variant, "time_us": 5])
      else { continue }
      var store = PickerStore()
      store.apply(added)
      states += store.pickers.count
      draw(store)
      for (method, params) in Self.notifications {
        let named = params.merging(["picker": "p", "time_us": 6]) { $1 }
        if let plain = Self.notification(method, .object(named)) { store.apply(plain) }
        draw(store)
      }
      store.disconnect()
      draw(store)
    }
    // Most of them are states all the same.
    #expect(states > 50)
  }

  @Test(arguments: ["ruler", "carousel", "swatches", "radial"])
  func `a store takes a notification with any number`(type: String) throws {
    var first = PickerStore()
    let state = try PickerState(.object(Self.state(type)))
    first.apply(
      try #require(
        Self.notification(
          "picker", ["change": "added", "state": .object(Self.state(type)), "time_us": 5])))
    #expect(first.pickers.map(\.state) == [state])
    for (method, params) in Self.notifications {
      for variant in Self.variants(params.merging(["picker": "p", "time_us": 6]) { $1 }) {
        guard let notification = Self.notification(method, variant) else { continue }
        var store = first
        store.apply(notification)
        draw(store)
        store.disconnect()
        draw(store)
      }
    }
  }

  @Test func `a glide is somewhere at any time`() {
    let extremes = [
      0, -1, 1e300, -1e300, .greatestFiniteMagnitude, .infinity, .nan, .leastNonzeroMagnitude,
    ]
    for duration in extremes {
      for velocity in extremes {
        for startedUs: Int64 in [.min, 0, .max] {
          let glide = PickerGlide(
            from: -3, to: 64, velocity: velocity, startedUs: startedUs, durationMS: duration)
          #expect(glide.restUs >= startedUs)
          for timeUs: Int64 in [.min, 0, .max] {
            #expect(glide.position(atUs: timeUs).isFinite)
          }
        }
      }
    }
  }

  @Test(.enabled(if: DaemonProcess.isBuilt, "\(DaemonProcess.needsBinary)"))
  func `watch draws whatever a daemon says`() throws {
    let numbers: [JSONValue] = [
      0, .number(.leastNonzeroMagnitude), .number(.greatestFiniteMagnitude), .integer(1 << 53),
    ]
    let kinds = ["ruler", "carousel", "swatches", "radial"].map { type in
      Self.variants(Self.state(type), numbers).filter { (try? PickerState($0)) != nil }
    }
    // One of each at a time, which are drawn whole on 24 lines.
    for index in 0..<(kinds.map(\.count).max() ?? 0) {
      let some: JSONValue = .array(
        kinds.enumerated().map { kind, variants in
          guard case .object(let members) = variants[index % variants.count] else { return .null }
          return .object(members.merging(["picker": .string("\(kind)")]) { $1 })
        })
      var writer = JSONWriter()
      writer.json([
        "pickers": some, "displays": [], "devices": [], "focus": .null, "inhibited": false,
        "active": true, "now_us": 1,
      ])
      let snapshot = String(decoding: writer.bytes, as: UTF8.self)
      let server = try ScriptedServer([
        [
          ScriptedServer.hello(), .hear("\"subscribe\""),
          .say(#"{"jsonrpc":"2.0","id":ID,"result":\#(snapshot)}"#), .hear("\"values\""),
        ]
      ])
      defer { server.stop() }
      let watch = try ChildProcess(
        [DaemonProcess.binaries + "/detentctl", "watch", "--once"],
        environment: ["DETENT_SOCKET": server.socket])
      #expect(try watch.waitForEnd() == .exited(0), "\(watch.errorLines) \(snapshot)")
    }
  }
}
