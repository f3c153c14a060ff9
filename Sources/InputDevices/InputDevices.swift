// SPDX-License-Identifier: Apache-2.0

import CLibinput
import CLinux
package import Gestures
package import LinuxIO

/// The touchscreens, touchpads and panels of one seat, and what fingers do on them.
///
/// Devices come and go at any time; having none is normal. Every contact that begins also ends, in
/// an up or a cancel, and a device that is removed has its contacts cancelled first.
package final class InputDevices {
  /// Where devices come from.
  package enum Source: Hashable, Sendable {
    /// All devices that udev gives to a seat, such as "seat0".
    case seat(String)
    /// Exactly these nodes; links such as those in /dev/input/by-path are followed each time.
    case paths([String])
  }

  /// Choices that hold for all devices.
  package struct Settings {
    /// The knobs, the first that fits a node wins.
    package var knobs: [KnobOptions] = []
    /// Whether libinput's debugging messages are logged too.
    package var isVerbose = false
    /// Takes what libinput says, at most a few lines a minute.
    package var log: (LogLevel, String) -> Void

    /// Settings with a place for libinput's messages.
    package init(log: @escaping (LogLevel, String) -> Void = { _, _ in }) {
      self.log = log
    }
  }

  /// What happened.
  package enum Change {
    /// A device is in use from now on.
    case added(InputDevice)
    /// A device is gone; its contacts were cancelled before, a scroll or gesture of it is void.
    case removed(InputDevice)
    /// A node is not used, with the reason and what could be done about it; told once.
    case refused(node: String, name: String, reason: String)
    /// A device said something.
    case event(InputEvent)
    /// How an attempt to have a device alone ended.
    case grab(InputDevice, GrabOutcome)
  }

  /// Why reading devices cannot begin.
  package struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
    /// What went wrong and what may help, in one line.
    package var description: String
  }

  let udev: Udev
  let source: Source
  var settings: Settings
  let handler: (Change) -> Void
  let opener: NodeOpener
  let context: LibinputContext
  let loop: EventLoop
  /// Wraps each reading of the devices, and must call `read` once: the owner may gather what one reading reports.
  package var aroundReading: (_ read: () -> Void) -> Void = { $0() }
  private var reader: DescriptorSource?
  private var monitor: NodeMonitor?
  var twinTimer: TimerSource?
  var grabTimer: TimerSource?

  var tracked: [TrackedDevice] = []
  var knobReaders: [OpenKnob] = []
  private var nextNumber = 1
  /// Refusals that wait until libinput has returned: handlers may call back into this object.
  var waitingRefusals: [(node: String, name: String, reason: String)] = []
  var toldRefusals: [String: String] = [:]
  var wantedGrabs: Set<Int> = []
  private var logLimit = RateLimit(burst: 10, intervalUs: 30_000_000)
  private var isDraining = false
  /// What was known of each node when libinput last looked at it.
  var known: [String: NodeKnowledge] = [:]
  var wantsRescan = false

  /// Whether the devices that were there at the start have been told.
  package private(set) var isEnumerated = false
  /// Whether reading is suspended.
  package private(set) var isSuspended = false

  /// Prepares the reading of devices; nothing is told before `start`.
  ///
  /// - Parameter handler: called on the loop's thread, in the order in which things happened.
  package init(
    source: Source, loop: EventLoop, settings: Settings = Settings(),
    handler: @escaping (Change) -> Void
  ) throws(Failure) {
    guard let udev = Udev() else { throw Failure(description: "udev: out of memory") }
    self.udev = udev
    self.source = source
    self.settings = settings
    self.loop = loop
    self.handler = handler
    opener = NodeOpener(udev: udev)
    let isSeat = if case .seat = source { true } else { false }
    do throws(Errno) {
      context = try LibinputContext(udev: udev, opener: opener, enumerating: isSeat)
    } catch {
      throw Failure(description: "libinput: \(error)")
    }
    context.isVerbose = settings.isVerbose
    opener.refused = { [unowned self] in waitingRefusals.append(($0, $1, $2)) }
    opener.isTaken = { [unowned self] in isKnob($0) }
    opener.closed = { [unowned self] node, name, reason in
      // A device that was in use is told as removed; this one never was.
      guard !tracked.contains(where: { $0.device.node == node }) else { return }
      waitingRefusals.append((node, name, reason))
    }
    opener.log = { [unowned self] in log($0, $1) }
  }

  deinit {
    reader?.cancel()
    twinTimer?.cancel()
    grabTimer?.cancel()
    // libinput's objects go before their context, whose end still closes nodes and logs.
    tracked = []
    knobReaders = []
    opener.isTaken = { _ in false }
    opener.refused = { _, _, _ in }
    opener.closed = { _, _, _ in }
    opener.log = { _, _ in }
  }

  /// Opens the devices that are there, tells them, and watches for more.
  package func start() throws(Failure) {
    do throws(Errno) {
      twinTimer = try loop.timer { [unowned self] _ in settleTwins() }
      grabTimer = try loop.timer { [unowned self] _ in retryGrabs() }
      // The monitor comes first, so that nothing that appears meanwhile is missed.
      monitor = try NodeMonitor(udev: udev, loop: loop) { [unowned self] in nodeChanged($0) }
      reader = try loop.watch(libinput_get_fd(context.raw), for: .readable, priority: -10) {
        [unowned self] _ in aroundReading(drain)
      }
    } catch {
      throw Failure(description: "watching for devices: \(error)")
    }
    for device in udev.eventNodes() { known[device.node] = NodeKnowledge(device) }
    switch source {
    case .seat(let seat):
      guard libinput_udev_assign_seat(context.raw, seat) == 0 else {
        throw Failure(
          description: "libinput cannot list the devices of \(seat); is udev running, and may the "
            + "service use netlink (RestrictAddressFamilies=AF_UNIX AF_NETLINK, PrivateNetwork=no)?"
        )
      }
    case .paths(let paths):
      for path in paths { addPath(path) }
    }
    drain()
    addKnobs()
    isEnumerated = true
  }

  /// The devices in use.
  package var devices: [InputDevice] {
    tracked.filter { !$0.isSuppressed }.map(\.device) + knobReaders.map(\.reader.device)
  }

  /// A number that no other device of this run has.
  func takeNumber() -> Int {
    defer { nextNumber += 1 }
    return nextNumber
  }

  /// Closes all devices, as before the machine sleeps: contacts are cancelled, devices removed.
  package func suspend() {
    guard !isSuspended else { return }
    isSuspended = true
    guard !isDraining else { return }
    for tracked in tracked { translator(for: tracked).cancelContacts() }
    libinput_suspend(context.raw)
    drain()
    removeKnobs()
  }

  /// Opens the devices again after `suspend`.
  package func resume() {
    guard isSuspended else { return }
    isSuspended = false
    guard !isDraining else { return }
    if libinput_resume(context.raw) != 0 {
      log(.error, "libinput cannot open the devices again")
    }
    drain()
    addKnobs()
  }

  /// Reads everything that waits; the loop calls this, tests may.
  package func drain() {
    guard !isDraining else { return }
    isDraining = true
    let wasSuspended = isSuspended
    for knob in knobReaders { knob.reader.drain() }
    let result = libinput_dispatch(context.raw)
    if result < 0 { log(.error, "libinput cannot read: \(Errno(rawValue: -result))") }
    while let event = libinput_get_event(context.raw) {
      handle(event)
      libinput_event_destroy(event)
    }
    for device in tracked {
      if let hover = device.hover {
        translator(for: device).settleHovering(hover, throughUs: .max)
      }
    }
    tellRefusals()
    isDraining = false
    // A handler may have asked for it while libinput's events were being read.
    if isSuspended != wasSuspended {
      isSuspended.toggle()
      if isSuspended { resume() } else { suspend() }
    }
    rescanIfIdle()
  }

  private func handle(_ event: OpaquePointer) {
    guard let raw = libinput_event_get_device(event) else { return }
    let type = libinput_event_get_type(event)
    switch type {
    case LIBINPUT_EVENT_DEVICE_ADDED: add(raw)
    case LIBINPUT_EVENT_DEVICE_REMOVED: remove(raw)
    case LIBINPUT_EVENT_TOUCH_FRAME: return
    default:
      guard let device = device(of: raw), !device.isSuppressed else { return }
      translator(for: device).translate(event, type)
    }
  }

  private func device(of raw: OpaquePointer) -> TrackedDevice? {
    libinput_device_get_user_data(raw).map {
      Unmanaged<TrackedDevice>.fromOpaque($0).takeUnretainedValue()
    }
  }

  func translator(for device: TrackedDevice) -> EventTranslator {
    EventTranslator(
      device: device, nowUs: EventLoop.clockUs(),
      releaseIsDoubtful: { [unowned self] in isReleaseDoubtful(device) },
      emit: { [handler] in handler(.event($0)) })
  }

  private func isReleaseDoubtful(_ device: TrackedDevice) -> Bool {
    let node = device.device.node
    guard !isSuspended, let descriptor = opener.descriptor(of: node) else { return true }
    // In this order: a device that dies in between keeps its last packet from the witness.
    if let witness = opener.witness(of: node), witness.lastReleaseWasInjected() { return true }
    return !EvdevNode.isAlive(descriptor)
  }

  // MARK: Coming and going

  private func add(_ raw: OpaquePointer) {
    guard let device = UdevDevice(owning: libinput_device_get_udev_device(raw)) else { return }
    let name = libinput_device_get_name(raw).map { String(cString: $0) } ?? device.name
    guard let role = TrackedDevice.role(of: raw, NodePolicy.Facts(device)) else {
      libinput_device_config_send_events_set_mode(
        raw, LIBINPUT_CONFIG_SEND_EVENTS_DISABLED.rawValue)
      waitingRefusals.append(
        (device.node, name, TrackedDevice.roleless))
      return
    }
    let size = TrackedDevice.sizeMM(of: raw)
    let described = InputDevice(
      number: takeNumber(), id: device.sysname, kind: TrackedDevice.kind(of: role), name: name,
      path: device.property("ID_PATH") ?? "", node: device.node,
      widthMM: size?.width, heightMM: size?.height)
    let new = TrackedDevice(
      raw: raw, device: described, role: role, identity: PhysicalIdentity(device))
    libinput_device_set_user_data(raw, Unmanaged.passUnretained(new).toOpaque())
    new.configure()
    if role == .pointer { new.position = startingPosition(of: new) }
    if role == .touch { new.hover = HoverWitness(node: device.node) }
    tracked.append(new)
    toldRefusals[device.node] = nil
    if role == .pointer, let panel = touchNode(of: new) {
      suppress(new, for: panel)
      return
    }
    handler(.added(described))
    if role == .touch {
      for twin in tracked where isActiveTwin(twin, of: new) {
        translator(for: twin).cancelContacts()
        handler(.removed(twin.device))
        suppress(twin, for: new)
      }
    }
  }

  private func remove(_ raw: OpaquePointer) {
    guard let device = device(of: raw) else { return }
    libinput_device_set_user_data(raw, nil)
    if !device.isSuppressed {
      translator(for: device).cancelContacts()
      handler(.removed(device.device))
    }
    wantedGrabs.remove(device.device.number)
    tracked.removeAll { $0 === device }
    // A named node that is gone would keep libinput from opening the others after a sleep.
    if case .paths = source, !isSuspended { libinput_path_remove_device(raw) }
    // Mostly the whole panel goes; only a pointer that stays for a while takes over.
    if device.role == .touch, tracked.contains(where: \.isSuppressed) {
      twinTimer?.arm(atUs: EventLoop.clockUs() + 1_000_000)
    }
  }

  /// Where the pointer stands before it has moved: a first press in place sends no motion.
  func startingPosition(of device: TrackedDevice) -> (x: Double, y: Double)? {
    guard let descriptor = opener.descriptor(of: device.device.node),
      let x = EvdevNode.axis(descriptor, Int(ABS_X)),
      let y = EvdevNode.axis(descriptor, Int(ABS_Y)),
      x.maximum > x.minimum, y.maximum > y.minimum
    else { return nil }
    let u = Double(x.value - x.minimum) / Double(x.maximum - x.minimum + 1)
    let v = Double(y.value - y.minimum) / Double(y.maximum - y.minimum + 1)
    guard let matrix = device.calibration?.map(Double.init) else { return (u, v) }
    return (
      matrix[0] * u + matrix[1] * v + matrix[2], matrix[3] * u + matrix[4] * v + matrix[5]
    )
  }

  func log(_ level: LogLevel, _ text: String) {
    guard let held = logLimit.pass(nowUs: EventLoop.clockUs()) else { return }
    if held > 0 { settings.log(level, "\(held) messages of libinput were left out") }
    settings.log(level, text)
  }
}
