// SPDX-License-Identifier: Apache-2.0

import CLinux
import TestSupport
import Testing

/// Recordings in evemu's format are read as they are meant.
struct RecordingTests {
  @Test func aRecordingIsADeviceAndItsEvents() throws {
    let recording = try EvemuRecording(
      text: """
        # EVEMU 1.3
        N: Panel of 2 slots # 7
        I: 0018 27c6 0113 0100
        P: 02 00 00 00 00 00 00 00
        B: 00 0b 00 00 00 00 00 00 00
        B: 01 00 00 00 00 00 00 00 00
        B: 01 00 00 00 00 00 00 00 00
        B: 01 00 00 00 00 00 00 00 00
        B: 01 00 00 00 00 00 00 00 00
        B: 01 00 00 00 00 00 00 00 00
        B: 01 00 04 00 00 00 00 00 00
        B: 03 03 00 00 00 00 00 e0 02
        A: 2f 0 1 0 0
        A: 35 -10 960 4 2 31
        E: 1283248968.374025 0003 0039 0012\t# EV_ABS / ABS_MT_TRACKING_ID
        E: 1283248968.374025 0000 0000 0000
        E: 1283248969.5 0003 0039 -001
        """)
    let device = recording.device
    #expect(device.name == "Panel of 2 slots # 7")
    #expect(
      (device.bus, device.vendor, device.product, device.version) == (0x18, 0x27C6, 0x113, 0x100))
    #expect(device.properties == [UInt16(INPUT_PROP_DIRECT)])
    #expect(device.codes == [UInt16(EV_KEY): [UInt16(BTN_TOUCH)]])
    #expect(device.axes[0x2F] == DeviceDescription.Axis(0...1))
    #expect(
      device.axes[0x35] == DeviceDescription.Axis(-10...960, fuzz: 4, flat: 2, resolution: 31))
    #expect(recording.events.map(\.timeUs) == [0, 0, 1_125_975])
    #expect(recording.events.map(\.value) == [12, 0, -1])
    #expect(recording.events[2].type == 3 && recording.events[2].code == 0x39)
  }

  @Test(arguments: [
    "E: 1.0 3 39", "I: 1 2 3", "A: 35 9 3 0 0 0", "B: 01 xy", "E: 1.0 0003 0039 1f",
  ])
  func aMalformedLineIsTold(line: String) {
    #expect {
      try EvemuRecording(text: "N: x\n" + line)
    } throws: {
      "\($0)".contains("line 2")
    }
  }

  @Test(.enabled(if: SharedFixtures.isPresent, Comment(rawValue: SharedFixtures.reason)))
  func recordingsOfRealDevicesAreRead() throws {
    let paths = SharedFixtures.recordings()
    let recordings = paths.compactMap { try? EvemuRecording(path: $0) }.filter {
      !$0.events.isEmpty
    }
    #expect(recordings.count >= paths.count - 3 && paths.count > 50)
    let withSlots = recordings.count { $0.device.axes[UInt16(ABS_MT_SLOT)] != nil }
    #expect(withSlots > 15)
  }
}
