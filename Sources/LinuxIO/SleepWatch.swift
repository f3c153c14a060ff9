// SPDX-License-Identifier: Apache-2.0

import CLibsystemd
import Glibc

/// Tells when the machine is about to sleep, and when it is awake again, as logind says it.
///
/// A delay inhibitor holds the sleep up until the handler for `.sleeping` has returned. Without a
/// system bus, or without logind, nothing is told but `.unavailable`.
package final class SleepWatch {
  /// What happened.
  package enum Event: Hashable, Sendable {
    /// The machine sleeps once the handler returns.
    case sleeping
    /// The machine is awake again.
    case awake
    /// Nothing more will be told, for a reason.
    case unavailable(String)
  }

  private static let service = "org.freedesktop.login1"
  private static let path = "/org/freedesktop/login1"
  private static let interface = "org.freedesktop.login1.Manager"

  private let handler: (Event) -> Void
  private let who: String
  private let why: String
  private var bus: OpaquePointer?
  private var signalSlot: OpaquePointer?
  private var callSlot: OpaquePointer?
  private var inhibitor: CInt = -1
  private var isSleeping = false

  /// Whether logind answers.
  package var isAvailable: Bool { inhibitor >= 0 }

  /// Connects to the system bus; what comes of it is told in later rounds of the loop.
  ///
  /// - Parameters:
  ///   - who: the program's name, for `systemd-inhibit --list`.
  ///   - why: what it does before the sleep.
  package init(
    loop: EventLoop, who: String, why: String, handler: @escaping (Event) -> Void
  ) throws(Errno) {
    self.handler = handler
    self.who = who
    self.why = why
    let result = open(on: loop)
    if result < 0 {
      close()
      let reason = "no system bus: \(Errno(rawValue: -result))"
      try loop.post { handler(.unavailable(reason)) }
    }
  }

  deinit {
    close()
  }

  private func close() {
    sd_bus_slot_unref(callSlot)
    sd_bus_slot_unref(signalSlot)
    callSlot = nil
    signalSlot = nil
    if let bus {
      sd_bus_detach_event(bus)
      sd_bus_flush_close_unref(bus)
    }
    bus = nil
    releaseInhibitor()
  }

  private func open(on loop: EventLoop) -> CInt {
    var result = sd_bus_open_system(&bus)
    guard result >= 0 else { return result }
    let me = Unmanaged.passUnretained(self).toOpaque()
    result = sd_bus_match_signal_async(
      bus, &signalSlot, Self.service, Self.path, Self.interface, "PrepareForSleep",
      { message, userdata, _ in
        SleepWatch.with(userdata) { $0.prepare(message) }
        return 0
      }, nil, me)
    guard result >= 0 else { return result }
    result = requestInhibitor()
    guard result >= 0 else { return result }
    return sd_bus_attach_event(bus, loop.event, CInt(SD_EVENT_PRIORITY_NORMAL))
  }

  private static func with(_ userdata: UnsafeMutableRawPointer?, _ body: (SleepWatch) -> Void) {
    guard let userdata else { return }
    let watch = Unmanaged<SleepWatch>.fromOpaque(userdata).takeUnretainedValue()
    withExtendedLifetime(watch) { body(watch) }
  }

  private func prepare(_ message: OpaquePointer?) {
    // D-Bus booleans are as wide as an int.
    var begins: CInt = 0
    guard sd_bus_message_read_basic(message, CChar(UInt8(ascii: "b")), &begins) > 0 else { return }
    isSleeping = begins != 0
    if isSleeping {
      handler(.sleeping)
      releaseInhibitor()
    } else {
      handler(.awake)
      _ = requestInhibitor()
    }
  }

  private func releaseInhibitor() {
    if inhibitor >= 0 { Glibc.close(inhibitor) }
    inhibitor = -1
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
      handler(.unavailable("logind does not answer: \(text)"))
      return
    }
    var received: CInt = -1
    guard sd_bus_message_read_basic(reply, CChar(UInt8(ascii: "h")), &received) > 0 else {
      handler(.unavailable("logind gave no inhibitor"))
      return
    }
    releaseInhibitor()
    // The message owns what it carries.
    inhibitor = fcntl(received, F_DUPFD_CLOEXEC, 3)
    // The machine may have begun to sleep while this was under way.
    if isSleeping { releaseInhibitor() }
  }
}
