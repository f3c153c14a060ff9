// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Wire

/// A subscriber that holds what the service says against what it promises.
final class ServiceWitness {
  let connection: LineConnection
  /// What broke a promise.
  private(set) var faults: [String] = []
  /// How many selections came.
  private(set) var selections = 0
  /// The revision of the picker's last selection.
  private(set) var revision = 0

  private var position = 0
  private var lastUs: Int64 = .min
  private var count: Int64 = 0
  private var value: JSONValue = .null
  private var isPressed = false
  private var nodes: Set<String> = []

  init(_ connection: LineConnection) {
    self.connection = connection
  }

  /// Takes what has come.
  func read(milliseconds: CInt = 0) throws {
    try connection.receive(milliseconds: milliseconds)
    while position < connection.messages.count {
      let message = connection.messages[position]
      position += 1
      if let method = message["method"], let params = message["params"] { take(method, params) }
    }
  }

  func wait(forDevice node: String) throws {
    try Waiting.until("\(node) in use", seconds: 20) {
      try read(milliseconds: 20)
      return nodes.contains(node)
    }
  }

  func wait(forDeviceToGo node: String) throws {
    try Waiting.until("\(node) gone", seconds: 20) {
      try read(milliseconds: 20)
      return !nodes.contains(node)
    }
  }

  private func take(_ method: JSONValue, _ params: JSONValue) {
    if case .integer(let timeUs)? = params["time_us"] {
      if timeUs < lastUs { faults.append("\(method) at \(timeUs) after \(lastUs)") }
      lastUs = max(lastUs, timeUs)
    }
    switch method {
    case .string("picker"):
      guard params["change"] != .string("removed"), let state = params["state"],
        case .integer(let count)? = state["count"],
        case .integer(let revision)? = state["revision"]
      else { return }
      self.count = count
      self.revision = Int(revision)
      value = state["value"] ?? .null
      isPressed = false
    case .string("selection"):
      selections += 1
      if params["revision"] != .integer(Int64(revision + 1)) {
        faults.append("revision \(params["revision"] ?? .null) after \(revision)")
      }
      revision += 1
      if params["previous"] != value { faults.append("\(params) is no change from \(value)") }
      if params["value"] == value { faults.append("\(params) changes nothing") }
      value = params["value"] ?? .null
      check(params)
    case .string("tick"), .string("settle"), .string("rest"):
      check(params)
    case .string("press"):
      check(params)
      let now = params["pressed"] == .bool(true)
      if now == isPressed { faults.append("\(params) twice") }
      isPressed = now
    case .string("resync"):
      faults.append("this reader was too slow")
    case .string("device"):
      // A motor's node is another's before long.
      guard case .string(let node)? = params["device"]?["node"],
        params["device"]?["kind"] != .string("motor")
      else { return }
      if params["change"] == .string("removed") { nodes.remove(node) } else { nodes.insert(node) }
    default: break
    }
  }

  private func check(_ params: JSONValue) {
    if case .integer(let index)? = params["index"], (0..<count).contains(index) { return }
    if params["index"] == .null { return }
    faults.append("\(params) is out of range 0..<\(count)")
  }
}
