// SPDX-License-Identifier: Apache-2.0

import CLibsystemd
import Glibc

/// Tells when the machine is about to sleep, and when it is awake again, as logind says it.
///
/// A delay inhibitor holds the sleep up from `.sleeping` on, until `allowSleep` is called or
/// `patienceUs` have passed. Where there is no system bus, or no logind on it, or logind lets nobody hold the sleep up,
/// that is told once. Nothing is tried again before the bus's socket or the missing service appears; only what failed
/// for another reason is tried every `retryUs`.
package final class SleepWatch {
  /// What happened.
  package enum Event: Hashable, Sendable {
    /// The machine sleeps once `allowSleep` is called.
    case sleeping
    /// The machine is awake again.
    case awake
    /// Nothing is told for now, for a reason.
    case unavailable(String)
  }

  /// How long the sleep is held up at most, in microseconds.
  ///
  /// Well below logind's own limit, InhibitDelayMaxSec (5 s unless configured).
  package static let patienceUs: Int64 = 3_000_000
  /// How long after a failure the bus is tried again, in microseconds.
  package static let retryUs: Int64 = 30_000_000

  private static let service = "org.freedesktop.login1"
  private static let path = "/org/freedesktop/login1"
  private static let interface = "org.freedesktop.login1.Manager"

  /// logind asks it who may hold the sleep up.
  private static let authority = "org.freedesktop.PolicyKit1"

  private static let refusals = [
    "org.freedesktop.DBus.Error.AccessDenied",
    "org.freedesktop.DBus.Error.InteractiveAuthorizationRequired",
  ]
  private static let absences = [
    "org.freedesktop.DBus.Error.ServiceUnknown",
    "org.freedesktop.DBus.Error.NameHasNoOwner",
  ]

  private let loop: EventLoop
  private let handler: (Event) -> Void
  private let who: String
  private let why: String
  private let retryUs: Int64
  private let address: String?
  private var bus: OpaquePointer?
  private var slots: [OpaquePointer] = []
  private var callSlot: OpaquePointer?
  private var inhibitor: CInt = -1
  private var isSleeping = false
  private var isToldUnavailable = false
  private var isBusLost = false
  private var patienceTimer: TimerSource?
  private var retryTimer: TimerSource?
  private var socketWatch: FileWatch?

  /// Whether logind answers, and waits for us before it lets the machine sleep.
  package var isAvailable: Bool { inhibitor >= 0 }

  /// Connects to the system bus; what comes of it is told in later rounds of the loop.
  ///
  /// - Parameters:
  ///   - who: the program's name, for `systemd-inhibit --list`.
  ///   - why: what it does before the sleep.
  ///   - address: where the bus is, in D-Bus's words; nil for the system's bus.
  ///   - retryUs: how long after a failure the bus is tried again, in microseconds.
  package init(
    loop: EventLoop, who: String, why: String, address: String? = nil,
    retryUs: Int64 = SleepWatch.retryUs,
    handler: @escaping (Event) -> Void
  ) throws(Errno) {
    self.loop = loop
    self.handler = handler
    self.who = who
    self.why = why
    self.address = address
    self.retryUs = retryUs
    patienceTimer = try loop.timer { [unowned self] _ in allowSleep() }
    retryTimer = try loop.timer { [unowned self] _ in retry() }
    retryTimer?.arm(atUs: 0)
  }

  deinit {
    patienceTimer?.cancel()
    retryTimer?.cancel()
    close()
  }

  /// Lets the machine sleep: what had to be done before is done.
  package func allowSleep() {
    guard isSleeping else { return }
    patienceTimer?.disarm()
    releaseInhibitor()
  }

  // MARK: The bus

  /// Tries again what failed.
  private func retry() {
    // A bus that is still there tells of sleep even where logind holds none up for us.
    if bus != nil, !isBusLost { askForInhibitor() } else { connect() }
  }

  private func connect() {
    close()
    isBusLost = false
    let result = open()
    socketWatch = nil
    guard result < 0 else { return }
    lose("no system bus: \(Errno(rawValue: -result))")
    if result == -ENOENT { waitForSocket() }
  }

  /// A machine without a bus is not to be woken for it: its socket tells when there is one.
  private func waitForSocket() {
    guard let path = socketPath else { return }
    var isWatched = true
    socketWatch = try? FileWatch(path: path, loop: loop) { _, _ in
      isWatched = false
    } handler: { [unowned self] in
      retryTimer?.arm(atUs: loop.nowUs)
    }
    // It may have come before the watch.
    if socketWatch != nil, isWatched, access(path, F_OK) != 0 { retryTimer?.disarm() }
  }

  /// Where the bus would listen, where that is a file.
  private var socketPath: String? {
    let address =
      address ?? getenv("DBUS_SYSTEM_BUS_ADDRESS").map { String(cString: $0) }
      ?? "unix:path=/run/dbus/system_bus_socket"
    let prefix = "unix:path="
    guard address.hasPrefix(prefix) else { return nil }
    let path = String(address.dropFirst(prefix.count))
    return path.contains { $0 == "," || $0 == ";" || $0 == "%" } ? nil : path
  }

  /// There is no bus for now: says so once, and tries again later.
  private func lose(_ reason: String) {
    isBusLost = true
    // Who cannot hear of the next sleep must not hold it up, and one that has begun ends without us.
    releaseInhibitor()
    if isSleeping { prepare(begins: false) }
    tell(reason)
  }

  /// Says once what is wrong, and tries again later, unless something will say when that is worth it.
  private func tell(_ reason: String, isAwaited: Bool = false) {
    if !isAwaited { retryTimer?.arm(atUs: loop.nowUs + retryUs) }
    guard !isToldUnavailable else { return }
    isToldUnavailable = true
    handler(.unavailable(reason))
  }

  private func close() {
    sd_bus_slot_unref(callSlot)
    callSlot = nil
    for slot in slots { sd_bus_slot_unref(slot) }
    slots = []
    if let bus {
      sd_bus_detach_event(bus)
      sd_bus_close_unref(bus)
    }
    bus = nil
    releaseInhibitor()
  }

  private func open() -> CInt {
    var result = openBus()
    guard result >= 0 else { return result }
    result = match(Self.service, Self.path, Self.interface, "PrepareForSleep") {
      message, userdata, _ in
      // D-Bus booleans are as wide as an int.
      var begins: CInt = 0
      if sd_bus_message_read_basic(message, CChar(UInt8(ascii: "b")), &begins) > 0 {
        SleepWatch.with(userdata) { $0.prepare(begins: begins != 0) }
      }
      return 0
    }
    guard result >= 0 else { return result }
    let local = "org.freedesktop.DBus.Local"
    result = match(local, "/org/freedesktop/DBus/Local", local, "Disconnected") { _, userdata, _ in
      SleepWatch.with(userdata) { $0.lose("the system bus went away") }
      return 0
    }
    guard result >= 0 else { return result }
    for name in [Self.service, Self.authority] {
      result = awaitOwner(of: name)
      guard result >= 0 else { return result }
    }
    result = requestInhibitor()
    guard result >= 0 else { return result }
    return sd_bus_attach_event(bus, loop.event, CInt(SD_EVENT_PRIORITY_NORMAL))
  }

  private func openBus() -> CInt {
    guard let address else { return sd_bus_open_system(&bus) }
    var result = sd_bus_new(&bus)
    guard result >= 0 else { return result }
    result = sd_bus_set_address(bus, address)
    guard result >= 0 else { return result }
    result = sd_bus_set_bus_client(bus, 1)
    guard result >= 0 else { return result }
    return sd_bus_start(bus)
  }

  /// Has a function called for each signal of this kind.
  private func match(
    _ sender: String, _ path: String, _ interface: String, _ member: String,
    _ handler: sd_bus_message_handler_t
  ) -> CInt {
    var slot: OpaquePointer?
    let result = sd_bus_match_signal_async(
      bus, &slot, sender, path, interface, member, handler, nil,
      Unmanaged.passUnretained(self).toOpaque())
    if let slot { slots.append(slot) }
    return result
  }

  /// Asks for the inhibitor again whenever somebody takes a name on the bus.
  private func awaitOwner(of name: String) -> CInt {
    var slot: OpaquePointer?
    let bus = "org.freedesktop.DBus"
    let result = sd_bus_add_match_async(
      self.bus, &slot,
      "type='signal',sender='\(bus)',interface='\(bus)',member='NameOwnerChanged',arg0='\(name)'",
      { message, userdata, _ in
        var owner: UnsafePointer<CChar>?
        for _ in ["name", "owner before", "owner now"] {
          guard sd_bus_message_read_basic(message, CChar(UInt8(ascii: "s")), &owner) > 0
          else { return 0 }
        }
        guard let owner, owner.pointee != 0 else { return 0 }
        SleepWatch.with(userdata) { $0.askForInhibitor() }
        return 0
      }, nil, Unmanaged.passUnretained(self).toOpaque())
    if let slot { slots.append(slot) }
    return result
  }

  private static func with(_ userdata: UnsafeMutableRawPointer?, _ body: (SleepWatch) -> Void) {
    guard let userdata else { return }
    let watch = Unmanaged<SleepWatch>.fromOpaque(userdata).takeUnretainedValue()
    withExtendedLifetime(watch) { body(watch) }
  }

  // MARK: Sleep

  private func prepare(begins: Bool) {
    guard begins != isSleeping else { return }
    isSleeping = begins
    if begins {
      patienceTimer?.arm(atUs: loop.nowUs + Self.patienceUs)
      handler(.sleeping)
    } else {
      patienceTimer?.disarm()
      handler(.awake)
      // What is still held serves the next sleep; a bus that is gone is asked once it is back.
      if bus != nil, !isBusLost, inhibitor < 0 { askForInhibitor() }
    }
  }

  private func releaseInhibitor() {
    if inhibitor >= 0 { Glibc.close(inhibitor) }
    inhibitor = -1
  }

  /// Asks for the inhibitor, later again where that cannot even be asked.
  private func askForInhibitor() {
    let result = requestInhibitor()
    if result < 0 { tell("logind cannot be asked: \(Errno(rawValue: -result))") }
  }

  private func requestInhibitor() -> CInt {
    sd_bus_slot_unref(callSlot)
    callSlot = nil
    var message: OpaquePointer?
    var result = sd_bus_message_new_method_call(
      bus, &message, Self.service, Self.path, Self.interface, "Inhibit")
    guard result >= 0 else { return result }
    defer { sd_bus_message_unref(message) }
    for word in ["sleep", who, why, "delay"] {
      result = sd_bus_message_append_basic(message, CChar(UInt8(ascii: "s")), word)
      guard result >= 0 else { return result }
    }
    return sd_bus_call_async(
      bus, &callSlot, message,
      { reply, userdata, _ in
        SleepWatch.with(userdata) { $0.takeInhibitor(reply) }
        return 0
      }, Unmanaged.passUnretained(self).toOpaque(), 0)
  }

  private func takeInhibitor(_ reply: OpaquePointer?) {
    if let error = sd_bus_message_get_error(reply) {
      let text = error.pointee.message.map { String(cString: $0) } ?? "no reason given"
      let name = error.pointee.name.map { String(cString: $0) } ?? ""
      // Only polkit may allow it to others than root.
      if Self.refusals.contains(name) {
        return tell(
          "logind does not let this user hold it up, is polkitd installed? (\(text))",
          isAwaited: true)
      }
      return tell(
        "logind does not answer: \(text)", isAwaited: Self.absences.contains(name))
    }
    var received: CInt = -1
    guard sd_bus_message_read_basic(reply, CChar(UInt8(ascii: "h")), &received) > 0 else {
      return tell("logind gave no inhibitor")
    }
    // The message owns what it carries.
    let copy = fcntl(received, F_DUPFD_CLOEXEC, 3)
    guard copy >= 0 else {
      return tell("the inhibitor of logind cannot be kept: \(Errno.current)")
    }
    releaseInhibitor()
    inhibitor = copy
    isToldUnavailable = false
    // The machine may have begun to sleep while this was under way.
    if isSleeping { releaseInhibitor() }
  }
}
