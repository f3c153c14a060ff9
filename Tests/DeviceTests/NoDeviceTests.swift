// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// What can only be tried where no other test has a device: scripts/lib/device-lanes runs it alone.
@Suite(
  .serialized,
  .enabled(if: InputNodes.canUseUinput, "\(InputNodes.needsUinput)"),
  .enabled(if: DaemonProcess.isBuilt, "\(DaemonProcess.needsBinary)"),
  .enabled(if: UdevRule.isPossible, "needs root and udev"))
struct NoDeviceTests {
  @Test func `no device, and then a keyboard only`() throws {
    let daemon = try DaemonProcess(configuration: DoctorTests.configuration)
    let none = try DoctorTests.doctor(daemon)
    #expect(none.faults.contains { $0.hasPrefix("devices") && $0.contains("no input device") })
    #expect(!none.touchCanWork && none.status == .exited(1))
    let keyboard = try VirtualDevice(.keyboard())
    try Command.run(["udevadm", "settle"])
    let answer = try DoctorTests.doctor(daemon)
    #expect(answer.faults.contains { $0.hasPrefix("devices") && $0.contains("only keyboards") })
    #expect(!answer.touchCanWork)
    withExtendedLifetime(keyboard) {}
  }

  @Test func `while it is touched, the report rate is told`() throws {
    let panel = try VirtualTouchscreen()
    let daemon = try DoctorTests.startWithPanel()
    let process = try ChildProcess([
      "\(DaemonProcess.binaries)/detentctl", "doctor", "--touch", "3s", "--config",
      daemon.configurationFile, "--socket", daemon.socket,
    ])
    _ = try Waiting.value("doctor to ask", seconds: 20) {
      process.errorLines.first { $0.contains("touch the panel") }
    }
    for _ in 0..<3 { try panel.drag(from: (0.2, 0.5), to: (0.6, 0.5), seconds: 0.4) }
    #expect(try process.waitForEnd(seconds: 30) == .exited(0))
    let line = process.outputLines.first { $0.contains("touch: ") }
    #expect(line?.contains("reports a second") ?? false, "\(process.outputLines)")
  }
}
