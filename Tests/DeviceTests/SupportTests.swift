// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import LinuxIO
import TestSupport
import Testing

/// The equipment of the other device tests, held against the kernel.
@Suite(
  .serialized, .enabled(if: InputNodes.canUseUinput, Comment(rawValue: InputNodes.needsUinput)))
struct SupportTests {
  @Test func aTouchscreenSendsWhatItsFingersDo() throws {
    let screen = try VirtualTouchscreen()
    let reader = try EventReader(node: screen.node)
    let beforeUs = EventLoop.clockUs()
    try screen.down(slot: 0, x: 0.25, y: 0.5)
    try screen.frame()
    try screen.down(slot: 3, x: 1, y: 0)
    try screen.move(slot: 0, x: 0.5, y: 0.5)
    try screen.frame()
    try screen.up(slot: 0)
    try screen.up(slot: 3)
    try screen.frame()
    let events = try reader.read()
    let afterUs = EventLoop.clockUs()

    let x = try #require(screen.device.description.axes[UInt16(ABS_MT_POSITION_X)])
    let ids = events.filter { $0.code == UInt16(ABS_MT_TRACKING_ID) }.map(\.value)
    #expect(ids == [0, 1, -1, -1])
    let places = events.filter { $0.code == UInt16(ABS_MT_POSITION_X) }.map(\.value)
    #expect(places == [x.value(at: 0.25), x.maximum, x.value(at: 0.5)])
    let slots = events.filter { $0.code == UInt16(ABS_MT_SLOT) }.map(\.value)
    #expect(slots == [3, 0, 3])
    let touches = events.filter { $0.code == UInt16(BTN_TOUCH) }.map(\.value)
    #expect(touches == [1, 0])
    #expect(events.filter { $0.type == UInt16(EV_SYN) }.count == 3)
    for event in events { #expect(beforeUs...afterUs ~= event.timeUs) }
  }

  @Test(arguments: [
    DeviceDescription.touchscreen(), .singleTouchscreen(), .absolutePointer(), .twins().touch,
    .twins().pointer, .touchpad(), .keyboard(), .mouse(), .knob(relative: REL_DIAL),
    .knob(relative: REL_WHEEL, button: KEY_ENTER), .knob(absolute: ABS_X, steps: 24), .powerMate(),
    .vibrator(effects: [UInt16(FF_RUMBLE)], slots: 1),
  ])
  func udevKnowsADeviceBeforeItIsUsedAndItGoesWithItsOwner(
    description: DeviceDescription
  ) throws {
    let node: String
    do {
      let device = try VirtualDevice(description)
      node = device.node
      let path = "/sys/class/input/\(device.sysname)"
      #expect(SystemFiles.text(of: "\(path)/name") == description.name)
      #expect(SystemFiles.text(of: "\(path)/phys") == description.phys)
      let number = try #require(
        SystemFiles.text(of: "\(path)/\(node.split(separator: "/").last ?? "")/dev"))
      let record = try #require(SystemFiles.text(of: "/run/udev/data/c\(number)"))
      #expect(record.contains("E:ID_INPUT=1") || !description.codes.keys.contains(UInt16(EV_KEY)))
    }
    try Waiting.until("\(node) to go") { access(node, F_OK) != 0 }
  }

  @Test func aMotorAnswersUploadsAndSeesPlays() throws {
    let motor = try VirtualMotor(.vibrator(name: "Detent support motor")) { effect in
      switch effect.lengthMS {
      case 13: .refuse(.noSpace)
      case 14: .acceptAfter(milliseconds: 30)
      default: .accept
      }
    }
    do {
      let client = try OwnedDescriptor(opening: motor.node, flags: O_RDWR)
      var effect = rumble(lengthMS: 12, strong: 0x5050)
      #expect(detent_ff_upload(client.rawValue, &effect) == 0)
      var refused = rumble(lengthMS: 13, strong: 1)
      #expect(detent_ff_upload(client.rawValue, &refused) == -1 && errno == ENOSPC)
      var slow = rumble(lengthMS: 14, strong: 2)
      let startUs = EventLoop.clockUs()
      #expect(detent_ff_upload(client.rawValue, &slow) == 0)
      #expect(EventLoop.clockUs() - startUs >= 30_000)
      for (code, value) in [(FF_GAIN, 0x8000), (Int32(effect.id), 1), (Int32(effect.id), 0)] {
        var event = input_event()
        event.type = UInt16(EV_FF)
        event.code = UInt16(code)
        event.value = Int32(value)
        _ = try withUnsafeBytes(of: &event) { try client.write($0) }
      }
      try Waiting.until("the stop") { !motor.log.stops.isEmpty }
      #expect(motor.log.uploads.map(\.effect.strong) == [0x5050, 2])
      #expect(motor.log.uploads.map(\.slot) == [Int(effect.id), Int(slow.id)])
      #expect(motor.log.plays.map(\.slot) == [Int(effect.id)] && motor.log.gains == [0x8000])
      #expect(detent_ff_erase(client.rawValue, CInt(effect.id)) == 0)
    }
    // The last one is erased as the client closes.
    try Waiting.until("both erasures") { motor.log.erased.count == 2 }
  }

  @Test func aMotorThatSaysNothingIsFreedByUnplugging() throws {
    let motor = try VirtualMotor(.vibrator(name: "Detent support motor")) { _ in .silence }
    let client = try OwnedDescriptor(opening: motor.node, flags: O_RDWR)
    let unplugging = try BackgroundThread {
      usleep(100_000)
      motor.unplug()
    }
    var effect = rumble(lengthMS: 12, strong: 1)
    #expect(detent_ff_upload(client.rawValue, &effect) == -1 && errno == ENODEV)
    unplugging.join()
    #expect(motor.log.uploads.isEmpty && motor.log.entries.count == 1)
  }

  @Test(.enabled(if: InputNodes.canUseUhid, Comment(rawValue: InputNodes.needsUhid)))
  func aGamepadsPulsesHaveTheKernelsLength() throws {
    let gamepad = try UhidGamepad()
    let client = try OwnedDescriptor(opening: gamepad.node, flags: O_RDWR)
    var effect = rumble(lengthMS: 40, strong: 0xFFFF)
    #expect(detent_ff_upload(client.rawValue, &effect) == 0)
    for _ in 0..<3 {
      var event = input_event()
      event.type = UInt16(EV_FF)
      event.code = UInt16(effect.id)
      event.value = 1
      _ = try withUnsafeBytes(of: &event) { try client.write($0) }
      usleep(120_000)
    }
    try Waiting.until("three pulses") { gamepad.log.pulses.count { $0.endUs != nil } == 3 }
    for pulse in gamepad.log.pulses {
      let lengthUs = (pulse.endUs ?? 0) - pulse.startUs
      // A busy machine delays either end; it never makes a pulse of nothing.
      #expect(lengthUs > 10_000 && lengthUs < 300_000 && pulse.strength == 100)
    }
  }

  private func rumble(lengthMS: UInt16, strong: UInt16) -> ff_effect {
    var effect = ff_effect()
    effect.type = UInt16(FF_RUMBLE)
    effect.id = -1
    effect.replay.length = lengthMS
    effect.u.rumble.strong_magnitude = strong
    return effect
  }
}
