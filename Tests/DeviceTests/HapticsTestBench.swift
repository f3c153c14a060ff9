// SPDX-License-Identifier: Apache-2.0

import CLinux
import Gestures
import Glibc
import Haptics
import LinuxIO
import TestSupport
import Testing
import Wire

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
      device: DeviceMatch(name: Glob(name ?? "none of these")), motorClass: motorClass,
      strength: strength)
    haptics = try Haptics(settings: settings, loop: loop) { [unowned self] in reports.append($0) }
  }

  /// Plays now.
  @discardableResult
  func play(
    _ cue: Cue, isTick: Bool = false, ageUs: Int64 = 0,
    inputNode: String? = nil
  ) -> Bool {
    let now = EventLoop.clockUs()
    return timed {
      haptics?.play(
        cue, eventTimeUs: now - ageUs, nowUs: now, isTick: isTick,
        inputNode: inputNode) ?? false
    }
  }

  /// Plays until the motor's thread has written it.
  ///
  /// On a machine that stands still for longer than a cue is worth, the thread drops it.
  func playForSure(_ cue: Cue, inputNode: String? = nil) throws -> Bool {
    for _ in 0..<50 {
      guard let before = haptics?.counters.motors else { return false }
      if play(cue, inputNode: inputNode) {
        // Not any change: one cue may be counted as replaced first, and as played a while later.
        try turn {
          guard let after = haptics?.counters.motors else { return true }
          return after.outcomes > before.outcomes
        }
        if haptics?.counters.motors.played == before.played + 1 { return true }
      }
      try turn(seconds: 0.1)
    }
    return false
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

extension VirtualMotor {
  /// A motor with these codes of EV_FF, and perhaps the axes and keys of a panel.
  static func make(
    name: String = "Detent test motor",
    effects: Set<UInt16> = DeviceDescription.memlessEffects, slots: UInt32 = 16,
    axes: [UInt16] = [], keys: Set<UInt16> = [],
    answer: @escaping @Sendable (UploadedEffect) -> MotorAnswer = { _ in .accept }
  ) throws -> VirtualMotor {
    var description = DeviceDescription.vibrator(name: name, effects: effects, slots: slots)
    if !keys.isEmpty { description.codes[UInt16(EV_KEY)] = keys }
    for axis in axes { description.axes[axis] = DeviceDescription.Axis(0...4095) }
    return try VirtualMotor(description, answer: answer)
  }
}

extension MotorCounters {
  /// How many cues the thread is done with.
  var outcomes: Int { played + expired + refused }
}
