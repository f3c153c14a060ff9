// SPDX-License-Identifier: Apache-2.0

import DetentDaemon
import Gestures
import InputDevices
import LinuxIO
import Scene
import TestSupport

/// Moves of one finger over a ruler, from the event that libinput would have caused to the subscriber's socket.
///
/// It runs in this process and waits for nothing, so that its instructions can be counted: what one move costs is the
/// difference of two runs of different lengths.
struct FrameRun {
  /// How far the moves go.
  enum Part: String {
    /// Gestures, pickers and scene: nothing takes what they say.
    case pure
    /// The service itself, with clients on its socket.
    case service
  }

  /// The panel, whose number no device of this machine has.
  static let panel = InputDevice(
    number: -1, id: "panel", kind: .touchscreen, name: "panel", widthMM: 344, heightMM: 194)
  /// A panel of 250 Hz.
  private static let periodUs: Int64 = 4_000
  /// How many moves happen before the clients read.
  private static let movesPerRead = 64

  var configuration: String
  var part = Part.service
  var moves = 1_000
  var subscribers = 1
  var subscription = #"{"events":["selection","tick","motion","settle","rest","press","haptic"]}"#

  func run() throws {
    switch part {
    case .pure: try runScene()
    case .service: try runService()
    }
  }

  /// The finger goes to and fro over the middle of the display, one way in a second.
  static func event(_ index: Int, startUs: Int64) -> InputEvent {
    let timeUs = startUs + Int64(index) * periodUs
    guard index > 0 else {
      return InputEvent(timeUs: timeUs, device: panel.number, kind: .down(slot: 0, x: 0.1, y: 0.1))
    }
    let step = index % 500
    let place = 0.1 + 0.8 * Double(step < 250 ? step : 500 - step) / 250
    return InputEvent(timeUs: timeUs, device: panel.number, kind: .move(slot: 0, x: place, y: 0.1))
  }

  private func runScene() throws {
    let configuration = try Configuration(file: configuration)
    var scene = Scene(settings: configuration.scene, timeUs: 0)
    scene.open(configuration.pickers, timeUs: 0)
    scene.deviceAdded(Self.panel)
    scene.wantsMotion = subscribers > 0
    for index in 0...moves {
      scene.handle(Self.event(index, startUs: 1_000_000))
      scene.events.removeAll(keepingCapacity: true)
    }
  }

  private func runService() throws {
    let directory = try TemporaryDirectory()
    var options = ServiceOptions()
    options.configuration = configuration
    options.socket = directory.path + "/socket"
    options.input = .nodes([])
    let service = try Service(options: options)
    try service.prepare()
    service.inputChanged(.added(Self.panel), timeUs: EventLoop.clockUs())
    let readers = try SubscriberSet(
      count: subscribers, subscription: subscription, socket: options.socket
    ) { try service.loop.runOnce(timeoutUs: 0) }
    let startUs = EventLoop.clockUs()
    for index in 0...moves {
      let event = Self.event(index, startUs: startUs)
      service.inputChanged(.event(event), timeUs: event.timeUs)
      while try service.loop.runOnce(timeoutUs: 0) {}
      if index % Self.movesPerRead == 0 { readers.drain() }
    }
  }
}
