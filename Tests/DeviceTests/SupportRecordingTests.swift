// SPDX-License-Identifier: Apache-2.0

import CLinux
import TestSupport
import Testing

/// Recordings in evemu's format, played into the kernel.
struct SupportRecordingTests {
  @Test(
    .enabled(if: SharedFixtures.isPresent, Comment(rawValue: SharedFixtures.reason)),
    .enabled(if: InputNodes.canUseUinput, Comment(rawValue: InputNodes.needsUinput)))
  func theKernelGivesARecordingBack() throws {
    let path = try #require(
      SharedFixtures.recordings().first { $0.contains("Atmel_maXTouch_Touchscreen.1-finger") })
    let recording = try EvemuRecording(path: path)
    let device = try VirtualDevice(recording.device)
    let reader = try EventReader(node: device.node)
    var back: [EventReader.Event] = []
    for event in recording.events.prefix(2_000) {
      try device.emit(event.type, event.code, event.value)
      if event.type == UInt16(EV_SYN) { back += try reader.read() }
    }
    let touches = recording.events.prefix(2_000).filter { $0.code == UInt16(BTN_TOUCH) }.map(
      \.value)
    #expect(
      !touches.isEmpty && back.filter { $0.code == UInt16(BTN_TOUCH) }.map(\.value) == touches)
  }
}
