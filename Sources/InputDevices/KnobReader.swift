// SPDX-License-Identifier: Apache-2.0

import CLibevdev
import CLinux
import Gestures
import Glibc
import LinuxIO

/// Reads one node that the configuration names as a knob.
///
/// libinput ignores most knobs, so this is evdev itself. The kernel lets only the knob's axis and its
/// button through to this open file: a knob that shares a node with keys tells nothing of what is typed.
final class KnobReader {
  /// A turn that is read later than this after it happened is dropped: what was turned while nobody
  /// listened must not move anything now.
  static let staleUs: Int64 = 500_000

  let device: InputDevice
  private let file: OwnedDescriptor
  private let evdev: OpaquePointer
  private let axis: KnobAxis
  private let emit: (InputEvent) -> Void
  private let lost: () -> Void
  private var counter: KnobCounter
  private var circle: KnobCircle?
  private var clock = EventClock()
  private var source: DescriptorSource?
  /// The counts of the present frame, and whether its button went down.
  private var counts = 0
  private var isPressed = false
  /// What is left of a high-resolution wheel's values after whole detents.
  private var units = 0

  /// - Parameter lost: called once where the device is gone; the reader reads nothing more.
  init(
    _ device: InputDevice, _ node: UdevDevice, options: KnobOptions, axis: KnobAxis,
    loop: EventLoop, emit: @escaping (InputEvent) -> Void, lost: @escaping () -> Void
  ) throws(Errno) {
    self.device = device
    self.axis = axis
    self.emit = emit
    self.lost = lost
    counter = KnobCounter(options)
    file = try OwnedDescriptor(opening: device.node, flags: O_RDONLY | O_NONBLOCK)
    try Self.mask(file.rawValue, axis: axis, buttons: Self.buttons(of: node))
    var made: OpaquePointer?
    try checked(libevdev_new_from_fd(file.rawValue, &made))
    guard let made else { throw .outOfMemory }
    evdev = made
    libevdev_set_clock_id(evdev, CLOCK_MONOTONIC)
    if case .absolute(let code) = axis {
      circle = KnobCircle(
        minimum: Int(libevdev_get_abs_minimum(evdev, UInt32(code))),
        maximum: Int(libevdev_get_abs_maximum(evdev, UInt32(code))),
        isOneTooLong: node.driver == "rotary-encoder",
        position: Int(libevdev_get_event_value(evdev, UInt32(EV_ABS), UInt32(code))))
    }
    source = try loop.watch(file.rawValue, for: .readable, priority: -10) { [unowned self] _ in
      drain()
    }
  }

  deinit {
    source?.cancel()
    libevdev_free(evdev)
  }

  /// Reads everything that waits.
  func drain() {
    guard source != nil else { return }
    var event = input_event()
    while true {
      let result = libevdev_next_event(evdev, UInt32(LIBEVDEV_READ_FLAG_NORMAL.rawValue), &event)
      switch result {
      case CInt(LIBEVDEV_READ_STATUS_SUCCESS.rawValue): take(event)
      case CInt(LIBEVDEV_READ_STATUS_SYNC.rawValue): resynchronise()
      case -EINTR: continue
      case -EAGAIN: return
      default:
        source?.cancel()
        source = nil
        lost()
        return
      }
    }
  }

  private func take(_ event: input_event) {
    switch (CInt(event.type), axis) {
    case (EV_REL, .relative(let code, let unit)) where Int(event.code) == code:
      units += Int(event.value)
      counts += units / unit
      units %= unit
    case (EV_ABS, .absolute(let code)) where Int(event.code) == code:
      counts += circle?.move(to: Int(event.value)) ?? 0
    case (EV_KEY, _):
      // 2 is the repetition of a held key.
      if event.value == 1 { isPressed = true }
    case (EV_SYN, _) where CInt(event.code) == SYN_REPORT: endFrame(event)
    default: break
    }
  }

  private func endFrame(_ event: input_event) {
    defer {
      counts = 0
      isPressed = false
    }
    guard counts != 0 || isPressed else { return }
    var event = event
    let eventUs = detent_event_time_us(&event)
    let nowUs = EventLoop.clockUs()
    let isStale = nowUs - eventUs > Self.staleUs
    let timeUs = clock.stamp(UInt64(max(0, eventUs)), nowUs: nowUs)
    if isStale { return counter.reset() }
    let steps = counter.turn(counts: counts, timeUs: timeUs)
    if steps != 0 { send(.turn(steps: steps), timeUs) }
    if isPressed { send(.press, timeUs) }
  }

  private func send(_ kind: InputEvent.Kind, _ timeUs: Int64) {
    emit(InputEvent(timeUs: timeUs, device: device.number, kind: kind))
  }

  /// The kernel dropped events: what was turned meanwhile is not known, so nothing is made of it.
  private func resynchronise() {
    var event = input_event()
    while libevdev_next_event(evdev, UInt32(LIBEVDEV_READ_FLAG_SYNC.rawValue), &event)
      == CInt(LIBEVDEV_READ_STATUS_SYNC.rawValue)
    {
      if case .absolute(let code) = axis, CInt(event.type) == EV_ABS, Int(event.code) == code {
        circle?.jump(to: Int(event.value))
      }
    }
    counts = 0
    units = 0
    isPressed = false
    counter.reset()
  }

  /// The axis by which a node turns; nil where it has none that fits.
  static func axis(of node: UdevDevice, _ wanted: KnobOptions.Axis) -> KnobAxis? {
    func bits(_ type: String) -> CodeBits {
      CodeBits(sysfs: node.inputAttribute("capabilities/\(type)") ?? "")
    }
    return KnobAxis.choose(wanted, relative: bits("rel"), absolute: bits("abs"))
  }

  /// The codes that count as pressing: buttons, and Enter where the node is no keyboard.
  private static func buttons(of node: UdevDevice) -> [Int] {
    let keys = CodeBits(sysfs: node.inputAttribute("capabilities/key") ?? "")
    var codes = (Int(BTN_MISC)..<Int(KEY_CNT)).filter { keys.contains($0) }
    if !node.flag("ID_INPUT_KEYBOARD"), keys.contains(Int(KEY_ENTER)) {
      codes.append(Int(KEY_ENTER))
    }
    return codes
  }

  private static func mask(
    _ descriptor: CInt, axis: KnobAxis, buttons: [Int]
  ) throws(Errno) {
    try EvdevNode.allow(descriptor, type: EV_KEY, codes: buttons)
    switch axis {
    case .relative(let code, _):
      try EvdevNode.allow(descriptor, type: EV_REL, codes: [code])
      try EvdevNode.allow(descriptor, type: EV_ABS, codes: [])
    case .absolute(let code):
      try EvdevNode.allow(descriptor, type: EV_ABS, codes: [code])
      try EvdevNode.allow(descriptor, type: EV_REL, codes: [])
    }
    try EvdevNode.allow(descriptor, type: EV_MSC, codes: [])
  }
}
