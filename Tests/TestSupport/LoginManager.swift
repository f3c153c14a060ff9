// SPDX-License-Identifier: Apache-2.0

import CLibsystemd
import Glibc
import LinuxIO

/// The part of logind that is about sleep, on a bus of the test: it hands out inhibitors, says when the machine
/// begins to sleep and when it is awake, and sees who still holds the sleep up.
package final class LoginManager {
  /// What somebody asked for.
  package struct Inhibition: Hashable, Sendable {
    /// What is to be held up, such as "sleep".
    package var what: String
    /// Who asked.
    package var who: String
    /// Why.
    package var why: String
    /// "delay" or "block".
    package var mode: String

    /// Something asked for.
    package init(what: String, who: String, why: String, mode: String) {
      self.what = what
      self.who = who
      self.why = why
      self.mode = mode
    }
  }

  private static let path = "/org/freedesktop/login1"
  private static let interface = "org.freedesktop.login1.Manager"

  private var bus: OpaquePointer?
  private var slot: OpaquePointer?
  /// Our ends of the inhibitors' pipes, as logind has them: they hang up when the last holder has closed the other.
  private var pipes: [CInt] = []
  /// All that was asked for, in order.
  package private(set) var inhibitions: [Inhibition] = []

  /// Takes logind's name on a bus.
  package init(on bus: SystemBus) throws {
    try checked(sd_bus_new(&self.bus))
    try checked(sd_bus_set_address(self.bus, bus.address))
    try checked(sd_bus_set_bus_client(self.bus, 1))
    try checked(sd_bus_start(self.bus))
    try checked(
      sd_bus_add_object(
        self.bus, &slot, Self.path,
        { message, userdata, _ in
          guard let userdata else { return 0 }
          let manager = Unmanaged<LoginManager>.fromOpaque(userdata).takeUnretainedValue()
          return withExtendedLifetime(manager) { manager.answer(message) }
        }, Unmanaged.passUnretained(self).toOpaque()))
    try checked(sd_bus_request_name(self.bus, "org.freedesktop.login1", 0))
  }

  deinit {
    sd_bus_slot_unref(slot)
    sd_bus_flush_close_unref(bus)
    for pipe in pipes { close(pipe) }
  }

  /// Answers what has come, waiting at most so long for something.
  package func turn(milliseconds: UInt64 = 5) throws {
    while try checked(sd_bus_process(bus, nil)) > 0 {}
    try checked(sd_bus_wait(bus, milliseconds * 1000))
    while try checked(sd_bus_process(bus, nil)) > 0 {}
  }

  /// How many inhibitors are held now.
  package var held: Int {
    pipes.count { descriptor in
      var wait = pollfd(fd: descriptor, events: 0, revents: 0)
      return poll(&wait, 1, 0) == 0
    }
  }

  /// Answers until so many inhibitors are held.
  package func waitUntil(held count: Int, seconds: Double = 10) throws {
    try Waiting.until("\(count) held inhibitors; asked for: \(inhibitions)", seconds: seconds) {
      try turn()
      return held == count
    }
  }

  /// Says that the machine begins to sleep, or that it is awake again.
  package func prepareForSleep(_ begins: Bool) throws {
    var message: OpaquePointer?
    try checked(
      sd_bus_message_new_signal(bus, &message, Self.path, Self.interface, "PrepareForSleep"))
    defer { sd_bus_message_unref(message) }
    var flag: CInt = begins ? 1 : 0
    try checked(sd_bus_message_append_basic(message, CChar(UInt8(ascii: "b")), &flag))
    try checked(sd_bus_send(bus, message, nil))
    try checked(sd_bus_flush(bus))
  }

  private func answer(_ message: OpaquePointer?) -> CInt {
    guard sd_bus_message_is_method_call(message, Self.interface, "Inhibit") > 0 else { return 0 }
    var words: [String] = []
    for _ in 0..<4 {
      var word: UnsafePointer<CChar>?
      let result = sd_bus_message_read_basic(message, CChar(UInt8(ascii: "s")), &word)
      guard result > 0, let word else { return result < 0 ? result : -EINVAL }
      words.append(String(cString: word))
    }
    guard let pipe = try? ChildProcess.pipe() else { return -EMFILE }
    var given = pipe.write.rawValue
    let kept = fcntl(pipe.read.rawValue, F_DUPFD_CLOEXEC, 3)
    guard kept >= 0 else { return -errno }
    pipes.append(kept)
    var reply: OpaquePointer?
    var result = sd_bus_message_new_method_return(message, &reply)
    guard result >= 0 else { return result }
    defer { sd_bus_message_unref(reply) }
    result = sd_bus_message_append_basic(reply, CChar(UInt8(ascii: "h")), &given)
    // The message has an end of its own by now, and ours must not stay open.
    _ = consume pipe
    guard result >= 0 else { return result }
    inhibitions.append(
      Inhibition(what: words[0], who: words[1], why: words[2], mode: words[3]))
    result = sd_bus_send(bus, reply, nil)
    return result < 0 ? result : 1
  }
}
