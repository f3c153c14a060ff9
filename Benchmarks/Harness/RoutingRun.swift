// SPDX-License-Identifier: Apache-2.0

import DetentDaemon
import Gestures
import Scene

/// Touches that go down and up again without a move: what finding the picker under a finger costs.
struct RoutingRun {
  var configuration: String
  var touches = 1_000

  func run() throws {
    let configuration = try Configuration(file: configuration)
    var scene = Scene(settings: configuration.scene, timeUs: 0)
    scene.open(configuration.pickers, timeUs: 0)
    scene.deviceAdded(FrameRun.panel)
    let panel = FrameRun.panel.number
    var timeUs: Int64 = 1_000_000
    for index in 0..<touches {
      // Two irrational steps: the touches lie all over the display.
      let x = (Double(index) * 0.618_033_988).truncatingRemainder(dividingBy: 1)
      let y = (Double(index) * 0.754_877_666).truncatingRemainder(dividingBy: 1)
      scene.handle(InputEvent(timeUs: timeUs, device: panel, kind: .down(slot: 0, x: x, y: y)))
      scene.handle(InputEvent(timeUs: timeUs + 1, device: panel, kind: .cancel(slot: 0)))
      scene.events.removeAll(keepingCapacity: true)
      timeUs += 1_000
    }
  }
}
