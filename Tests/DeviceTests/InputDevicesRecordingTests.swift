// SPDX-License-Identifier: Apache-2.0

import CLinux
import Gestures
import InputDevices
import LinuxIO
import TestSupport
import Testing

/// Streams of real devices, played into the kernel.
@Suite(
  .serialized, .enabled(if: InputNodes.canUseUinput, "\(InputNodes.needsUinput)"),
  .enabled(if: SharedFixtures.isPresent, "\(SharedFixtures.reason)"))
struct InputDevicesRecordingTests {
  @Test func `whatever real devices send, contacts are down, moves, one end`() throws {
    var used = 0
    var contacts = 0
    for path in SharedFixtures.recordings() {
      guard let recording = try? EvemuRecording(path: path), !recording.events.isEmpty,
        let device = try? VirtualDevice(recording.device)
      else { continue }
      let bench = try InputDevicesBench()
      try bench.run(until: "\(path) to be judged") { bench.told[device.node] != nil }
      guard bench.told[device.node]?.contains(.added) == true else { continue }
      try bench.use(device.node)
      used += 1
      for (index, event) in recording.events.prefix(2500).enumerated() {
        try device.emit(event.type, event.code, event.value)
        // Now and then the reader is too late, and the kernel drops events.
        if event.type == UInt16(EV_SYN), index % 997 != 0 { try bench.loop.runOnce(timeoutUs: 0) }
      }
      device.unplug()
      try bench.run(until: "removal") { bench.told[device.node]?.contains(.removed) ?? false }
      var check = ContactCheck()
      for case .event(let kind) in bench.told[device.node] ?? [] {
        check.take(kind)
        if case .down = kind { contacts += 1 }
      }
      #expect(check.faults.isEmpty && check.down.isEmpty, "\(path): \(check.faults.prefix(5))")
      let times = bench.events.map(\.timeUs)
      #expect(times == times.sorted(), "\(path)")
    }
    #expect(used >= 20 && contacts >= 40, "\(used) devices, \(contacts) contacts")
  }
}
