// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import Haptics
import LinuxIO
import Testing
import Wire

/// Finds the nodes of devices that tests made.
enum HapticsNodes {
  struct Missing: Error { var what: String }

  /// The node of the device that a uinput descriptor made, once udev knows it.
  static func node(ofUinput descriptor: CInt) throws -> String {
    var name = [CChar](repeating: 0, count: 64)
    _ = try retryingInterrupts { detent_uinput_sysname(descriptor, &name, name.count) }
    let sysname = String(
      decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    return try wait("a node of \(sysname)") {
      entries(of: "/sys/devices/virtual/input/\(sysname)").first { $0.hasPrefix("event") }
    }
  }

  /// The node of the device with this name, once udev knows it.
  static func node(named name: String) throws -> String {
    try wait("a node named \(name)") {
      entries(of: "/sys/class/input").filter { $0.hasPrefix("event") }.first {
        text(of: "/sys/class/input/\($0)/device/name") == name
      }
    }
  }

  private static func wait(_ what: String, for find: () -> String?) throws -> String {
    let endUs = EventLoop.clockUs() + 10_000_000
    while EventLoop.clockUs() < endUs {
      if let event = find(), isKnownToUdev(event) { return "/dev/input/\(event)" }
      usleep(10_000)
    }
    throw Missing(what: what)
  }

  private static func isKnownToUdev(_ event: String) -> Bool {
    guard access("/run/udev/control", F_OK) == 0 else { return true }
    let number = text(of: "/sys/class/input/\(event)/dev")
    return access("/run/udev/data/c\(number)", F_OK) == 0
  }

  private static func entries(of directory: String) -> [String] {
    guard let stream = opendir(directory) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      names.append(
        withUnsafeBytes(of: &entry.pointee.d_name) {
          String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        })
    }
    return names.sorted()
  }

  private static func text(of path: String) -> String {
    guard let file = try? OwnedDescriptor(opening: path, flags: O_RDONLY) else { return "" }
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = (try? bytes.withUnsafeMutableBytes { try file.read(into: $0) }) ?? 0
    return String(decoding: bytes.prefix(count).prefix { $0 != 10 }, as: UTF8.self)
  }
}

/// Threads of pretended drivers.
enum HapticsThread {
  private final class Work: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// Runs work on a thread of its own.
  static func start(_ work: @escaping @Sendable () -> Void) {
    var thread = pthread_t()
    let result = pthread_create(
      &thread, nil,
      { argument in
        if let argument { Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().run() }
        return nil
      }, Unmanaged.passRetained(Work(work)).toOpaque())
    precondition(result == 0, "no thread")
    pthread_detach(thread)
  }
}

/// Haptics on a loop that the test turns.
final class HapticsBench {
  let loop: EventLoop
  private(set) var haptics: Haptics?
  private(set) var reports: [HapticsReport] = []
  /// The longest that one call into Haptics took, in microseconds.
  private(set) var longestCallUs: Int64 = 0

  /// Haptics that may use the device of this name.
  init(device name: String?, motorClass: MotorClass? = nil, strength: Double = 1) throws {
    loop = try EventLoop()
    let settings = HapticsSettings(
      device: DeviceMatch(name: name ?? "none of these"), motorClass: motorClass,
      strength: strength)
    haptics = try Haptics(settings: settings, loop: loop) { [unowned self] in reports.append($0) }
  }

  /// Plays now.
  @discardableResult
  func play(
    _ cue: Cue, isTick: Bool = false, ageUs: Int64 = 0, picker: String? = nil,
    inputNode: String? = nil
  ) -> Bool {
    let now = EventLoop.clockUs()
    return timed {
      haptics?.play(
        cue, eventTimeUs: now - ageUs, nowUs: now, isTick: isTick, picker: picker,
        inputNode: inputNode) ?? false
    }
  }

  /// Measures how long a call takes.
  func timed<Result>(_ call: () -> Result) -> Result {
    let startUs = EventLoop.clockUs()
    defer { longestCallUs = max(longestCallUs, EventLoop.clockUs() - startUs) }
    return call()
  }

  /// Turns the loop until something is the case.
  @discardableResult
  func turn(seconds: Double = 10, until isDone: () -> Bool = { false }) throws -> Bool {
    let endUs = EventLoop.clockUs() + Int64(seconds * 1_000_000)
    while !isDone() {
      let leftUs = endUs - EventLoop.clockUs()
      guard leftUs > 0 else { return false }
      let startUs = EventLoop.clockUs()
      let isEvent = try loop.runOnce(timeoutUs: min(leftUs, 2_000))
      if isEvent { longestTurnUs = max(longestTurnUs, EventLoop.clockUs() - startUs - 2_000) }
    }
    return true
  }

  /// By how much the longest turn of the loop exceeded its wait, in microseconds.
  private(set) var longestTurnUs: Int64 = 0

  /// What is known of a node.
  func description(_ node: String) -> MotorDescription? {
    haptics?.devices.first { $0.node == node }
  }

  /// Turns the loop until a node plays.
  func waitUntilReady(_ node: String) throws -> MotorDescription {
    try turn { description(node)?.state == .ready }
    let motor = try #require(description(node))
    try #require(motor.state == .ready, "\(motor)")
    return motor
  }

  /// The problems that were reported.
  var problems: [String] {
    reports.compactMap { if case .problem(let motor) = $0 { motor.problem } else { nil } }
  }

  /// Ends Haptics, as the daemon does.
  func end() {
    haptics?.shutDown()
    haptics = nil
  }
}

/// Tries what depends on time until it works, at most five times.
///
/// A guest without hardware virtualization on a busy machine stands still for longer than a pulse
/// lasts now and then. What is wrong is wrong every time.
func eventually(_ attempt: (Int) throws -> Bool) rethrows -> Bool {
  for number in 1...5 where try attempt(number) { return true }
  return false
}

/// Whether device tests can run here.
enum HapticsDevices {
  static let canUseUinput = access("/dev/uinput", R_OK | W_OK) == 0
  static let canUseUhid = access("/dev/uhid", R_OK | W_OK) == 0
  static let memless = [0x50, 0x51, 0x58, 0x59, 0x5A, 0x60]
}
