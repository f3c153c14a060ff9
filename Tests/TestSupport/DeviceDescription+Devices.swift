// SPDX-License-Identifier: Apache-2.0

import CLinux

extension DeviceDescription {
  /// A multi-touch panel of protocol B with ten slots.
  ///
  /// - Parameters:
  ///   - widthMM: the panel's width; 0 for a device that does not tell its size.
  ///   - heightMM: the panel's height.
  package static func touchscreen(
    name: String = "Detent test touchscreen", slots: Int = 10, widthMM: Int32 = 344,
    heightMM: Int32 = 194, phys: String = ""
  ) -> DeviceDescription {
    var device = DeviceDescription(name: name)
    device.bus = UInt16(BUS_USB)
    device.phys = phys
    device.properties = [UInt16(INPUT_PROP_DIRECT)]
    device.codes[UInt16(EV_KEY)] = [UInt16(BTN_TOUCH)]
    let x = widthMM > 0 ? Axis(0...(widthMM * 40), resolution: 40) : Axis(0...4095)
    let y = heightMM > 0 ? Axis(0...(heightMM * 40), resolution: 40) : Axis(0...4095)
    device.axes = [
      UInt16(ABS_X): x, UInt16(ABS_Y): y,
      UInt16(ABS_MT_POSITION_X): x, UInt16(ABS_MT_POSITION_Y): y,
      UInt16(ABS_MT_SLOT): Axis(0...Int32(slots - 1)),
      UInt16(ABS_MT_TRACKING_ID): Axis(0...65535),
    ]
    return device
  }

  /// A panel that knows one finger and no slots.
  package static func singleTouchscreen(
    name: String = "Detent test single-touch panel"
  ) -> DeviceDescription {
    var device = DeviceDescription(name: name)
    device.bus = UInt16(BUS_USB)
    device.properties = [UInt16(INPUT_PROP_DIRECT)]
    device.codes[UInt16(EV_KEY)] = [UInt16(BTN_TOUCH)]
    device.axes = [UInt16(ABS_X): Axis(0...4095), UInt16(ABS_Y): Axis(0...4095)]
    return device
  }

  /// A panel in mouse mode: an absolute pointer whose button is the finger.
  package static func absolutePointer(
    name: String = "Detent test panel in mouse mode", phys: String = ""
  ) -> DeviceDescription {
    var device = DeviceDescription(name: name)
    device.bus = UInt16(BUS_USB)
    device.phys = phys
    device.codes[UInt16(EV_KEY)] = [UInt16(BTN_LEFT), UInt16(BTN_RIGHT), UInt16(BTN_MIDDLE)]
    device.codes[UInt16(EV_MSC)] = [UInt16(MSC_SCAN)]
    device.axes = [UInt16(ABS_X): Axis(0...32767), UInt16(ABS_Y): Axis(0...32767)]
    return device
  }

  /// One panel that shows up twice, as a touch node and as a pointer node.
  package static func twins(
    name: String = "Detent test twins", phys: String = "usb-0000:00:14.0-9"
  ) -> (touch: DeviceDescription, pointer: DeviceDescription) {
    (
      .touchscreen(name: name, phys: phys + "/input0"),
      .absolutePointer(name: name + " Mouse", phys: phys + "/input1")
    )
  }

  /// A clickpad of 104 by 66 mm with five slots, as libinput takes for a modern laptop's.
  package static func touchpad(name: String = "Detent test touchpad") -> DeviceDescription {
    var device = DeviceDescription(name: name)
    device.bus = UInt16(BUS_I2C)
    device.properties = [UInt16(INPUT_PROP_POINTER), UInt16(INPUT_PROP_BUTTONPAD)]
    device.codes[UInt16(EV_KEY)] = Set(
      [
        BTN_LEFT, BTN_TOUCH, BTN_TOOL_FINGER, BTN_TOOL_DOUBLETAP, BTN_TOOL_TRIPLETAP,
        BTN_TOOL_QUADTAP, BTN_TOOL_QUINTTAP,
      ].map { UInt16($0) })
    let x = Axis(0...1248, resolution: 12)
    let y = Axis(0...792, resolution: 12)
    device.axes = [
      UInt16(ABS_X): x, UInt16(ABS_Y): y,
      UInt16(ABS_MT_POSITION_X): x, UInt16(ABS_MT_POSITION_Y): y,
      UInt16(ABS_MT_SLOT): Axis(0...4),
      UInt16(ABS_MT_TRACKING_ID): Axis(0...65535),
    ]
    return device
  }

  /// A keyboard with the keys that udev's rules look for.
  package static func keyboard(name: String = "Detent test keyboard") -> DeviceDescription {
    var device = DeviceDescription(name: name)
    device.bus = UInt16(BUS_USB)
    device.codes[UInt16(EV_KEY)] = Set((UInt16(KEY_ESC)...UInt16(KEY_F12)))
    return device
  }

  /// A mouse of three buttons with a wheel.
  package static func mouse(name: String = "Detent test mouse") -> DeviceDescription {
    var device = DeviceDescription(name: name)
    device.bus = UInt16(BUS_USB)
    device.codes[UInt16(EV_KEY)] = [UInt16(BTN_LEFT), UInt16(BTN_RIGHT), UInt16(BTN_MIDDLE)]
    device.codes[UInt16(EV_REL)] = [UInt16(REL_X), UInt16(REL_Y), UInt16(REL_WHEEL)]
    return device
  }

  /// A knob that sends steps on a relative axis, such as `REL_DIAL`, as the rotary-encoder driver's do.
  package static func knob(
    name: String = "rotary@0", relative axis: Int32, button: Int32? = nil
  ) -> DeviceDescription {
    var device = DeviceDescription(name: name)
    device.bus = UInt16(BUS_HOST)
    device.codes[UInt16(EV_REL)] = [UInt16(axis)]
    if let button { device.codes[UInt16(EV_KEY)] = [UInt16(button)] }
    return device
  }

  /// A knob that sends its position on an absolute axis of `steps` positions.
  package static func knob(
    name: String = "rotary@1", absolute axis: Int32, steps: Int32
  ) -> DeviceDescription {
    var device = DeviceDescription(name: name)
    device.bus = UInt16(BUS_HOST)
    device.axes = [UInt16(axis): Axis(0...(steps - 1))]
    return device
  }

  /// A Griffin PowerMate: REL_DIAL and the button BTN_0.
  package static func powerMate(name: String = "Griffin PowerMate") -> DeviceDescription {
    var device = knob(name: name, relative: REL_DIAL, button: BTN_0)
    device.bus = UInt16(BUS_USB)
    device.vendor = 0x077D
    device.product = 0x0410
    device.codes[UInt16(EV_MSC)] = [UInt16(MSC_PULSELED)]
    return device
  }

  /// A node with nothing but force feedback, as the drivers of vibration motors make it.
  ///
  /// - Parameters:
  ///   - effects: codes of EV_FF; left out: those that ff-memless advertises.
  ///   - slots: how many effects it holds; ff-memless holds 16.
  package static func vibrator(
    name: String = "drv260x:haptics", effects: Set<UInt16> = memlessEffects, slots: UInt32 = 16
  ) -> DeviceDescription {
    var device = DeviceDescription(name: name)
    device.bus = UInt16(BUS_I2C)
    device.codes[UInt16(EV_FF)] = effects
    device.effectSlots = slots
    return device
  }

  /// What the kernel's ff-memless advertises.
  package static let memlessEffects = Set(
    [FF_RUMBLE, FF_PERIODIC, FF_SQUARE, FF_TRIANGLE, FF_SINE, FF_GAIN].map { UInt16($0) })
}
