// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Testing
import Wire

/// A daemon beside the test: it sees fingers.
@Suite(
  .serialized, .enabled(if: DaemonProcess.isBuilt, Comment(rawValue: DaemonProcess.needsBinary)),
  .enabled(if: InputNodes.canUseUinput, Comment(rawValue: InputNodes.needsUinput)))
struct SupportDaemonTests {
  @Test func itSeesFingersOnAVirtualTouchscreen() throws {
    let screen = try VirtualTouchscreen()
    let daemon = try DaemonProcess(configuration: DaemonProcess.oneRuler)
    try daemon.client.request("subscribe", "{}")
    try Waiting.until("the touchscreen in use; the log: \(daemon.log)") {
      "\(try daemon.client.request("devices"))".contains(screen.node)
    }
    try screen.drag(from: (0.5, 0.4), to: (0.3, 0.4), seconds: 0.5, holdSeconds: 0.3)
    let settle = try daemon.client.waitFor("settle")
    // 200 points to the left are three values of 64 points further, without a fling.
    #expect(settle["value"] == .integer(75), "\(settle)")
    try daemon.client.waitFor("rest")
    let ticks = daemon.client.notifications("tick").map { $0["value"] }
    #expect(ticks == [.integer(73), .integer(74), .integer(75)])
  }
}
