// SPDX-License-Identifier: Apache-2.0

import Gestures
import Haptics
import LinuxIO
import Testing

@Suite struct MotorChoiceTests {
  static let memless = ForceFeedbackBits(CodeBits(ForceFeedbackCode.memless))
  static let panelPath = "/sys/devices/pci0000:00/usb1/1-2/1-2:1.0/0003:0001:0002.0001/input/input4"

  static func motor(
    _ number: Int, _ name: String = "drv260x:haptics", path: String = "", seat: String = "seat0",
    sysfs: String? = nil, effects: ForceFeedbackBits = memless, keys: CodeBits = CodeBits(),
    axes: Bool = false, tagged: Bool = false
  ) -> MotorCandidate {
    MotorCandidate(
      node: "/dev/input/event\(number)", name: name, path: path, seat: seat,
      sysfsPath: sysfs ?? "/sys/devices/platform/soc/i2c-\(number)/input/input\(number)",
      effects: effects, keys: keys, hasAxes: axes, isTaggedVibrator: tagged)
  }

  static func choose(
    _ candidates: [MotorCandidate], inputs: [InputNode] = [],
    settings: HapticsSettings = HapticsSettings(), origin: CueOrigin = CueOrigin(),
    unusable: Set<String> = []
  ) -> String? {
    MotorChoice(
      candidates: candidates, inputs: inputs, settings: settings, unusable: unusable
    ).node(for: origin)
  }

  static let touch = InputNode(node: "/dev/input/event4", display: "main", sysfsPath: panelPath)
  static let touchMotor = motor(4, "Some Panel", sysfs: panelPath, axes: true)

  @Test func noneIsNormal() {
    #expect(Self.choose([]) == nil)
    #expect(
      Self.choose([], inputs: [Self.touch], origin: CueOrigin(inputNode: Self.touch.node)) == nil)
  }

  @Test func theTouchDeviceItselfComesFirst() {
    let settings = HapticsSettings(device: DeviceMatch(name: Glob("drv260x*")))
    let all = [Self.motor(2), Self.touchMotor]
    #expect(
      Self.choose(
        all, inputs: [Self.touch], settings: settings, origin: CueOrigin(inputNode: Self.touch.node)
      )
        == Self.touch.node)
    // Also for what comes from no device in particular.
    #expect(Self.choose(all, inputs: [Self.touch], settings: settings) == Self.touch.node)
    // A node with force feedback that is not in use as an input is no touch device.
    #expect(Self.choose(all, settings: settings) == "/dev/input/event2")
  }

  @Test func thenWhatTheConfigurationNames() {
    let all = [Self.motor(2), Self.motor(3, "pwm-vibrator", path: "platform-pwm-vibrator")]
    func choose(_ match: DeviceMatch) -> String? {
      Self.choose(
        all, inputs: [Self.touch], settings: HapticsSettings(device: match),
        origin: CueOrigin(inputNode: Self.touch.node))
    }
    #expect(choose(DeviceMatch(name: Glob("pwm-*"))) == "/dev/input/event3")
    #expect(choose(DeviceMatch(path: Glob("platform-pwm*"))) == "/dev/input/event3")
    #expect(
      choose(DeviceMatch(name: Glob("drv*"), path: Glob("platform-pwm*"))) == "/dev/input/event2")
    // What is named but absent leaves the first vibrator.
    #expect(choose(DeviceMatch(name: Glob("da7280*"))) == "/dev/input/event2")
    #expect(choose(DeviceMatch()) == "/dev/input/event2")
  }

  @Test func aNamedControllerOrVirtualDeviceIsTakenAndAnUnnamedOneNever() {
    let pad = Self.motor(1, "Xbox Wireless Controller", keys: CodeBits([0x130, 0x131]), axes: true)
    let virtual = Self.motor(2, "vibrator", sysfs: "/sys/devices/virtual/input/input2")
    for candidate in [pad, virtual] {
      #expect(Self.choose([candidate]) == nil)
      let settings = HapticsSettings(device: DeviceMatch(name: Glob(candidate.name)))
      #expect(Self.choose([candidate], settings: settings) == candidate.node)
    }
    #expect(pad.toldClass == .gamepad)
  }

  @Test func whatLooksLikeAVibrator() {
    #expect(Self.motor(1, "anything").isVibrator)
    #expect(!Self.motor(1, "anything", keys: CodeBits([30])).isVibrator)
    #expect(!Self.motor(1, "anything", axes: true).isVibrator)
    #expect(Self.motor(1, "anything", axes: true, tagged: true).isVibrator)
    #expect(Self.motor(1, "twl4030:vibrator", keys: CodeBits([116])).isVibrator)
    // A Bluetooth motor stands on uhid, which is a virtual device too, but a real motor.
    #expect(
      Self.motor(1, "anything", sysfs: "/sys/devices/virtual/misc/uhid/0005:1.1/input/input7")
        .isVibrator)
    let lights = ForceFeedbackBits(CodeBits([ForceFeedbackCode.gain]))
    #expect(!Self.motor(1, effects: lights).isVibrator)
  }

  @Test func ofSeveralVibratorsTheNearestThenTheFirst() {
    let far = Self.motor(1)
    let alsoFar = Self.motor(10)
    let near = Self.motor(
      9, "Panel Haptics",
      sysfs: "/sys/devices/pci0000:00/usb1/1-2/1-2:1.1/0003:0001:0002.0002/input/input9")
    let origin = CueOrigin(inputNode: Self.touch.node)
    #expect(Self.choose([alsoFar, near, far], inputs: [Self.touch], origin: origin) == near.node)
    #expect(Self.choose([alsoFar, far], inputs: [Self.touch], origin: origin) == far.node)
    #expect(Self.choose([alsoFar, near, far]) == far.node)
  }

  @Test func anotherSeatsMotorIsTakenOnlyWhenNamed() {
    let other = Self.motor(1, seat: "seat1")
    #expect(Self.choose([other]) == nil)
    #expect(Self.choose([other], settings: HapticsSettings(seat: "seat1")) == other.node)
    let named = HapticsSettings(device: DeviceMatch(name: Glob("drv*")))
    #expect(Self.choose([other], settings: named) == other.node)
  }

  @Test func eachDisplayHasItsMotor() {
    let all = [
      Self.motor(1, path: "left"), Self.motor(2, path: "right"), Self.motor(3, path: "all"),
    ]
    let settings = HapticsSettings(
      device: DeviceMatch(path: Glob("all")),
      displayDevices: ["right": DeviceMatch(path: Glob("right"))])
    let inputs = [
      InputNode(node: "/dev/input/event7", display: "left"),
      InputNode(node: "/dev/input/event8", display: "right"),
    ]
    let choice = MotorChoice(candidates: all, inputs: inputs, settings: settings)
    #expect(choice.node(for: CueOrigin(inputNode: "/dev/input/event8")) == all[1].node)
    #expect(choice.node(for: CueOrigin(display: "right")) == all[1].node)
    #expect(choice.node(for: CueOrigin(inputNode: "/dev/input/event7")) == all[2].node)
    #expect(choice.node(for: CueOrigin()) == all[2].node)
    #expect(choice.wanted == [all[1].node, all[2].node])
  }

  @Test func aKnobIsFeltOnTheDisplayOfItsPicker() {
    // The panel's own motor comes first for what the panel does, and says nothing of the knob.
    let all = [Self.motor(1, path: "right"), Self.motor(2, path: "all"), Self.touchMotor]
    let settings = HapticsSettings(
      device: DeviceMatch(path: Glob("all")),
      displayDevices: ["main": DeviceMatch(path: Glob("right"))])
    let knob = InputNode(node: "/dev/input/event9")
    let choice = MotorChoice(candidates: all, inputs: [Self.touch, knob], settings: settings)
    let onMain = CueOrigin(inputNode: knob.node, display: "main")
    #expect(choice.node(for: onMain) == all[0].node)
    #expect(
      choice.node(for: CueOrigin(inputNode: Self.touch.node, display: "main")) == Self.touch.node)
    #expect(choice.node(for: CueOrigin(inputNode: knob.node)) == all[1].node)
    #expect(choice.wanted == Set(all.map(\.node)))
  }

  @Test func aMotorThatFailedIsPassedOver() {
    let all = [Self.motor(2), Self.motor(3), Self.touchMotor]
    let origin = CueOrigin(inputNode: Self.touch.node)
    func choose(_ unusable: Set<String>) -> String? {
      Self.choose(all, inputs: [Self.touch], origin: origin, unusable: unusable)
    }
    #expect(choose([]) == Self.touch.node)
    #expect(choose([Self.touch.node]) == "/dev/input/event2")
    #expect(choose([Self.touch.node, "/dev/input/event2"]) == "/dev/input/event3")
    #expect(choose(Set(all.map(\.node))) == nil)
  }

  @Test func switchedOffWantsNothing() {
    for settings in [HapticsSettings(isEnabled: false), HapticsSettings(strength: 0)] {
      let choice = MotorChoice(
        candidates: [Self.motor(1), Self.touchMotor], inputs: [Self.touch], settings: settings)
      #expect(choice.wanted.isEmpty)
      #expect(choice.node(for: CueOrigin()) == nil)
    }
  }

  @Test func nodesSortByNumber() {
    #expect(Self.motor(9).number < Self.motor(10).number)
    #expect(Self.choose([Self.motor(10), Self.motor(9)]) == "/dev/input/event9")
  }
}
