// SPDX-License-Identifier: Apache-2.0

import Gestures
import Glibc
import InputDevices
import LinuxIO
import TestSupport

/// Input devices on a loop of their own, with all that they told by node.
///
/// Other tests may have devices on the same seat at the same time, so everything is asked by node.
final class InputDevicesBench {
  /// What was told of one node, in order.
  enum Told: Hashable {
    case added
    case removed
    case refused(String)
    case event(InputEvent.Kind)
    case grab(GrabOutcome)
  }

  let loop: EventLoop
  private(set) var inputs: InputDevices?
  private(set) var told: [String: [Told]] = [:]
  private(set) var events: [InputEvent] = []
  private(set) var log: [String] = []
  private(set) var devices: [Int: InputDevice] = [:]
  /// Called inside the handler, as an application of the module would.
  var onChange: (InputDevices.Change) -> Void = { _ in }

  init(_ source: InputDevices.Source = .seat("seat0")) throws {
    loop = try EventLoop()
    let settings = InputDevices.Settings { [unowned self] level, text in
      log.append("\(level.name): \(text)")
    }
    inputs = try InputDevices(source: source, loop: loop, settings: settings) {
      [unowned self] change in
      switch change {
      case .added(let device):
        devices[device.number] = device
        told[device.node, default: []].append(.added)
      case .removed(let device): told[device.node, default: []].append(.removed)
      case .refused(let node, _, let reason): told[node, default: []].append(.refused(reason))
      case .event(let event):
        events.append(event)
        let node = devices[event.device]?.node ?? "nowhere"
        told[node, default: []].append(.event(event.kind))
      case .grab(let device, let outcome): told[device.node, default: []].append(.grab(outcome))
      }
      onChange(change)
    }
    try inputs?.start()
  }

  /// Drops the reader, closing all devices.
  func end() { inputs = nil }

  /// Runs the loop for a while.
  func run(seconds: Double) throws {
    let endUs = EventLoop.clockUs() + Int64(seconds * 1_000_000)
    while EventLoop.clockUs() < endUs {
      try loop.runOnce(timeoutUs: max(0, endUs - EventLoop.clockUs()))
    }
    // A machine that is too busy may have spent all that time elsewhere.
    inputs?.drain()
  }

  /// Runs the loop until something holds.
  @discardableResult
  func run(until what: String, seconds: Double = 10, _ holds: () -> Bool) throws -> Bool {
    let endUs = EventLoop.clockUs() + Int64(seconds * 1_000_000)
    while !holds() {
      guard EventLoop.clockUs() < endUs else {
        throw TestFailure("waited \(seconds) s for \(what); told: \(told); log: \(log)")
      }
      try loop.runOnce(timeoutUs: 20_000)
    }
    return true
  }

  /// Forgets what was told of all nodes.
  func forget() { told = [:] }

  /// Waits until a node is in use, and forgets what was told of it.
  @discardableResult
  func use(_ node: String) throws -> InputDevice {
    try run(until: "\(node) to be added") { told[node]?.contains(.added) ?? false }
    told[node] = []
    guard let device = devices.values.filter({ $0.node == node }).max(by: { $0.number < $1.number })
    else { throw TestFailure("\(node) was not described") }
    return device
  }

  /// What was told of a node since the last call, after a moment in which more may come.
  func take(_ node: String, afterSeconds seconds: Double = 0.15) throws -> [Told] {
    try run(seconds: seconds)
    defer { told[node] = [] }
    return told[node] ?? []
  }

  /// Only the events of a node since the last call.
  func takeEvents(_ node: String, afterSeconds seconds: Double = 0.15) throws -> [InputEvent.Kind] {
    try take(node, afterSeconds: seconds).compactMap {
      if case .event(let kind) = $0 { kind } else { nil }
    }
  }
}

/// Checks that contacts are down, moves, and one end each.
struct ContactCheck {
  private(set) var down: Set<Int> = []
  private(set) var faults: [String] = []

  mutating func take(_ kind: InputEvent.Kind) {
    switch kind {
    case .down(let slot, let x, let y):
      if !down.insert(slot).inserted { faults.append("a second down in \(slot)") }
      if !x.isFinite || !y.isFinite { faults.append("a down at \(x), \(y)") }
    case .move(let slot, let x, let y):
      if !down.contains(slot) { faults.append("a move of nobody in \(slot)") }
      if !x.isFinite || !y.isFinite { faults.append("a move to \(x), \(y)") }
    case .up(let slot), .cancel(let slot):
      if down.remove(slot) == nil { faults.append("an end of nobody in \(slot)") }
    default: break
    }
  }
}
