// SPDX-License-Identifier: Apache-2.0

import Gestures
import Glibc
import Haptics
import LinuxIO
import TestSupport
import Testing
import Wire

/// Haptics against drivers that give every answer a driver can give.
@Suite(
  .serialized,
  .enabled(if: InputNodes.canUseUinput, Comment(rawValue: InputNodes.needsUinput)))
struct HapticsDriverTests {
  @Test(arguments: [16, 96, 10] as [UInt32])
  func everyCueIsUploadedOnceAndPlayedByOneWrite(slots: UInt32) throws {
    let motor = try VirtualMotor.make(name: "drv260x:haptics", slots: slots)
    defer { motor.unplug() }
    let bench = try HapticsBench(device: "drv260x:haptics")
    defer { bench.end() }
    let description = try bench.waitUntilReady(motor.node)
    #expect(description.motorClass == .lra && description.slots == Int(slots))
    #expect(description.method == (slots == 16 ? "FF_RUMBLE" : "FF_PERIODIC sine"))
    #expect(motor.log.entries.contains { $0.kind == .gain(0xFFFF) })
    let uploads = motor.log.uploads
    #expect(uploads.count == 7 && Set(uploads.map(\.slot)).count == 7)
    #expect(motor.log.plays.isEmpty, "a probe must not be felt")
    for (_, effect, isNew) in uploads {
      #expect(isNew && effect.lengthMS > 0 && effect.delayMS == 0)
    }
    for cue in Cue.allCases {
      #expect(try bench.playForSure(cue))
      let ordinal = bench.haptics?.counters.motors.played ?? 0
      #expect(try bench.turn { motor.log.plays.count == ordinal })
      let slot = try #require(motor.log.plays.last?.slot)
      let played = try #require(uploads.first { $0.slot == slot })
      let effect = try #require(description.effects[cue])
      #expect(played.effect.lengthMS == Int(effect.lengthMS))
      switch effect.shape {
      case .rumble(let strong, let weak):
        #expect(played.effect.strong == Int(strong) && played.effect.weak == Int(weak))
      case .periodic(_, let periodMS, let magnitude):
        #expect(played.effect.waveform == 0x5A && played.effect.periodMS == Int(periodMS))
        #expect(played.effect.level == Int(magnitude))
      default: Issue.record("\(effect)")
      }
    }
    #expect(motor.log.uploads.count == 7, "nothing is uploaded while it runs")
    // Where the driver does not keep the time, we stop what we started.
    try bench.turn(seconds: 0.1)
    #expect(motor.log.stops.count == (slots == 16 ? 0 : 7))
  }

  @Test func oneSlotIsRewrittenOnlyWhenTheKindChanges() throws {
    let motor = try VirtualMotor.make(name: "aw86927-haptics", effects: [0x50], slots: 1)
    defer { motor.unplug() }
    let bench = try HapticsBench(device: "aw86*")
    defer { bench.end() }
    _ = try bench.waitUntilReady(motor.node)
    #expect(motor.log.uploads.count == 1)
    for (index, cue) in [Cue.tick, .tick, .selection, .selection, .tick].enumerated() {
      #expect(try bench.playForSure(cue))
      #expect(try bench.turn { motor.log.plays.count == index + 1 })
    }
    #expect(motor.log.uploads.map(\.effect.lengthMS) == [8, 16, 8])
    #expect(motor.log.uploads.map(\.slot) == [0, 0, 0])
    #expect(motor.log.uploads.map(\.isNew) == [true, false, false])
    #expect(bench.haptics?.counters.motors.replaced == 2)
  }

  static let kinds: [(Set<UInt16>, String, MotorClass)] = [
    ([0x50], "FF_RUMBLE", .erm), ([0x51, 0x59, 0x60], "FF_PERIODIC triangle", .lra),
    ([0x51, 0x58], "FF_PERIODIC square", .lra), ([0x52], "FF_CONSTANT", .lra),
  ]

  @Test(arguments: kinds)
  func aDeviceOfOneKindIsDrivenByThatKind(
    effects: Set<UInt16>, method: String, motorClass: MotorClass
  ) throws {
    let motor = try VirtualMotor.make(effects: effects)
    defer { motor.unplug() }
    let bench = try HapticsBench(device: "Detent test*")
    defer { bench.end() }
    let description = try bench.waitUntilReady(motor.node)
    #expect(description.method == method && description.motorClass == motorClass)
    #expect(Set(motor.log.uploads.map(\.effect.type)).count == 1)
    #expect(motor.log.entries.contains { $0.kind == .gain(0xFFFF) } == effects.contains(0x60))
    #expect(try bench.playForSure(.heavy))
    // It is stopped by us: 28 ms for an actuator, 64 ms for a mass, and 5 ms.
    #expect(try bench.turn { motor.log.stops.count == 1 })
    #expect(motor.log.plays.map(\.slot) == motor.log.stops)
  }

  @Test func whatAnAdvertisedBitPromisesIsNotBelieved() throws {
    // As cs40l50 and da7280: periodic, therefore FF_RUMBLE is advertised, and refused.
    let motor = try VirtualMotor.make(
      effects: DeviceDescription.memlessEffects.union([0x52])
    ) { $0.type == 0x52 ? .accept : .refuse(.invalid) }
    defer { motor.unplug() }
    let bench = try HapticsBench(device: "Detent test*")
    defer { bench.end() }
    #expect(try bench.waitUntilReady(motor.node).method == "FF_CONSTANT")
    #expect(bench.problems.isEmpty)
  }

  @Test(arguments: [
    (Errno.invalid, "takes none of"), (.noSpace, "hold all its effects"), (.busy, "busy"),
    (.inputOutput, "EIO"),
  ])
  func aDriverThatRefusesEverythingIsReportedOnce(error: Errno, text: String) throws {
    let motor = try VirtualMotor.make { _ in .refuse(error) }
    defer { motor.unplug() }
    let bench = try HapticsBench(device: "Detent test*")
    defer { bench.end() }
    #expect(try bench.turn { bench.description(motor.node)?.state == .failed })
    #expect(!bench.play(.tick))
    try bench.turn(seconds: 0.2)
    #expect(bench.problems.count == 1 && bench.problems.allSatisfy { $0.contains(text) })
    // A reload tries again, and says it again only if it is something else.
    bench.haptics?.reconfigure(HapticsSettings(device: DeviceMatch(name: Glob("Detent test*"))))
    #expect(try bench.turn { bench.description(motor.node)?.state == .failed })
    #expect(bench.problems.count == 1)
  }

  @Test func aDriverThatSaysThatItIsGoneIsLeftToUdev() throws {
    let motor = try VirtualMotor.make { _ in .refuse(.noDevice) }
    let bench = try HapticsBench(device: "Detent test*")
    defer { bench.end() }
    #expect(try bench.turn { bench.description(motor.node)?.state == .failed })
    #expect(!bench.play(.tick) && bench.problems.isEmpty)
    motor.unplug()
    #expect(try bench.turn { bench.description(motor.node) == nil })
    #expect(bench.problems.isEmpty)
  }

  @Test func aDriverThatIsBusyForAMomentIsAskedAgain() throws {
    let startUs = EventLoop.clockUs()
    let motor = try VirtualMotor.make { _ in
      EventLoop.clockUs() - startUs < 100_000 ? .refuse(.busy) : .accept
    }
    defer { motor.unplug() }
    let bench = try HapticsBench(device: "Detent test*")
    defer { bench.end() }
    _ = try bench.waitUntilReady(motor.node)
    #expect(bench.problems.isEmpty)
  }

  @Test func slowUploadsNeverTouchTheLoop() throws {
    let motor = try VirtualMotor.make(
      effects: [0x50], slots: 2
    ) { _ in .acceptAfter(milliseconds: 1500) }
    defer { motor.unplug() }
    let bench = try HapticsBench(device: "Detent test*")
    defer { bench.end() }
    let startUs = EventLoop.clockUs()
    var refused = 0
    while bench.description(motor.node)?.state != .ready {
      if !bench.play(.tick, isTick: true) { refused += 1 }
      try bench.turn(seconds: 0.01)
      try #require(EventLoop.clockUs() - startUs < 20_000_000)
    }
    #expect(EventLoop.clockUs() - startUs > 2_900_000)
    #expect(refused > 20)
    #expect(bench.longestCallUs < 700_000 && bench.longestTurnUs < 700_000)
    #expect(motor.log.plays.isEmpty)
  }

  @Test func aSilentDriverCostsNobodyAnything() throws {
    let motor = try VirtualMotor.make { _ in .silence }
    defer { motor.unplug() }
    let bench = try HapticsBench(device: "Detent test*")
    try bench.turn(seconds: 1)
    #expect(bench.description(motor.node)?.state == .probing)
    #expect(!bench.play(.tick))
    // Its 30 seconds go by on its thread; then it is left alone.
    #expect(try bench.turn(seconds: 45) { bench.description(motor.node)?.state == .failed })
    #expect(bench.problems.count == 1 && bench.problems[0].contains("does not answer"))
    #expect(bench.longestCallUs < 5_000_000 && bench.longestTurnUs < 5_000_000)
    #expect(motor.log.entries.count { if case .upload = $0.kind { true } else { false } } == 1)
    let startUs = EventLoop.clockUs()
    bench.end()
    #expect(EventLoop.clockUs() - startUs < 5_000_000)
  }

  @Test func theEndDoesNotWaitForASilentDriver() throws {
    let motor = try VirtualMotor.make { _ in .silence }
    defer { motor.unplug() }
    let bench = try HapticsBench(device: "Detent test*")
    try bench.turn(seconds: 0.2)
    let startUs = EventLoop.clockUs()
    bench.end()
    #expect(EventLoop.clockUs() - startUs < 5_000_000)
  }

  @Test func aDeviceThatGoesDuringTheProbeIsForgotten() throws {
    let motor = try VirtualMotor.make { _ in .silence }
    let bench = try HapticsBench(device: "Detent test*")
    defer { bench.end() }
    #expect(try bench.turn { !motor.log.entries.isEmpty })
    motor.unplug()
    #expect(try bench.turn { bench.description(motor.node) == nil })
    try bench.turn(seconds: 0.2)
    #expect(bench.problems.isEmpty)
  }

  @Test func afterReplugItPlaysAgain() throws {
    let bench = try HapticsBench(device: "Detent test*")
    defer { bench.end() }
    for _ in 0..<3 {
      let motor = try VirtualMotor.make()
      _ = try bench.waitUntilReady(motor.node)
      #expect(try bench.playForSure(.selection))
      #expect(try bench.turn { motor.log.plays.count == 1 })
      motor.unplug()
      #expect(try bench.turn { bench.description(motor.node) == nil })
      #expect(!bench.play(.selection))
    }
    let readies = bench.reports.count { if case .ready = $0 { true } else { false } }
    let removals = bench.reports.count { if case .removed = $0 { true } else { false } }
    #expect(readies == 3 && removals == 3)
  }

  @Test func ourOwnPlaysDoNotComeBackToUs() throws {
    let motor = try VirtualMotor.make()
    defer { motor.unplug() }
    let masked = try ForceFeedbackDevice(opening: motor.node)
    let other = try ForceFeedbackDevice(opening: motor.node)
    try masked.hideEvents()
    let id = try masked.upload(MotorEffect(.rumble(strong: 1, weak: 1), lengthMS: 10))
    for _ in 0..<20 { try masked.write(id: id, isOn: true) }
    func isReadable(_ descriptor: CInt) -> Bool {
      var waits = [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)]
      return poll(&waits, 1, 100) > 0
    }
    #expect(!isReadable(masked.number))
    // Every other reader does get them: that is what the mask is for.
    #expect(isReadable(other.number))
  }

  @Test func aCueIsDroppedWhileTheNodeIsHeldByAnother() throws {
    let motor = try VirtualMotor.make {
      $0.lengthMS == 999 ? .acceptAfter(milliseconds: 1500) : .accept
    }
    defer { motor.unplug() }
    let bench = try HapticsBench(device: "Detent test*")
    defer { bench.end() }
    _ = try bench.waitUntilReady(motor.node)
    // Another program uploads, and the kernel lets nobody else at the node meanwhile.
    let node = motor.node
    let holder = try BackgroundThread {
      guard let other = try? ForceFeedbackDevice(opening: node) else { return }
      _ = try? other.upload(MotorEffect(.rumble(strong: 1, weak: 1), lengthMS: 999))
    }
    try bench.turn(seconds: 0.3)
    var handedOver = 0
    for index in 0..<20 {
      if bench.play(Cue.allCases[index % 7]) { handedOver += 1 }
      try bench.turn(seconds: 0.02)
    }
    // One is with the thread, two wait; the rest is told at once that nothing will be felt.
    #expect((1...3).contains(handedOver))
    #expect(bench.longestCallUs < 700_000 && bench.longestTurnUs < 700_000)
    try bench.turn(seconds: 2)
    // What waited is not played when its time has passed. The write that was under way is.
    let late = motor.log.plays.count
    #expect(late <= 1)
    #expect(try bench.playForSure(.heavy))
    #expect(try bench.turn { motor.log.plays.count == late + 1 })
    holder.join()
    let counters = try #require(bench.haptics?.counters)
    #expect(counters.motorBusy > 0 && counters.motors.expired > 0)
  }

  @Test func stoppingSuspendingAndEndingLeaveNothingRunning() throws {
    let motor = try VirtualMotor.make(name: "drv260x:haptics", slots: 10)
    defer { motor.unplug() }
    let bench = try HapticsBench(device: "drv260x*", motorClass: .onOff)
    _ = try bench.waitUntilReady(motor.node)
    // `heavy` takes 80 ms here, and 5 ms later the motor's thread would stop it by itself.
    let isCut = try steadily { (_: Int) throws -> Bool in
      motor.log.clear()
      #expect(try bench.playForSure(.heavy))
      #expect(try bench.turn { motor.log.plays.count == 1 })
      bench.haptics?.stopAll()
      #expect(try bench.turn { motor.log.stops.count == 1 })
      #expect(motor.log.stops == motor.log.plays.map(\.slot))
      let times = motor.log.entries.map(\.timeUs)
      return times.count == 2 && times[1] - times[0] < 70_000
    }
    #expect(isCut)

    motor.log.clear()
    #expect(try bench.playForSure(.heavy))
    #expect(try bench.turn { motor.log.plays.count == 1 })
    var isStopped = false
    bench.haptics?.suspend { isStopped = true }
    #expect(!bench.play(.heavy))
    #expect(try bench.turn { isStopped })
    // The kernel stops each once more before it erases it.
    #expect(motor.log.stops.first == motor.log.plays.first?.slot)
    #expect(motor.log.erased.count == 6)
    #expect(bench.description(motor.node)?.state == .unused)

    motor.log.clear()
    bench.haptics?.resume()
    _ = try bench.waitUntilReady(motor.node)
    #expect(motor.log.uploads.count == 6)
    #expect(try bench.playForSure(.heavy))
    #expect(try bench.turn { motor.log.plays.count == 1 })
    bench.end()
    #expect(motor.log.stops.first == motor.log.plays.first?.slot)
    #expect(motor.log.erased.count == 6)
  }

  @Test func aReloadThatChangesTheStrengthUploadsAnew() throws {
    let motor = try VirtualMotor.make(name: "drv260x:haptics", slots: 7)
    defer { motor.unplug() }
    let bench = try HapticsBench(device: "drv260x*")
    defer { bench.end() }
    _ = try bench.waitUntilReady(motor.node)
    let before = motor.log.uploads.map(\.effect.level).sorted()
    motor.log.clear()
    // Seven slots: the new effects find room only once the old ones are erased.
    bench.haptics?.reconfigure(
      HapticsSettings(device: DeviceMatch(name: Glob("drv260x*")), strength: 0.5))
    #expect(try bench.turn { motor.log.uploads.count == 7 })
    _ = try bench.waitUntilReady(motor.node)
    let after = motor.log.uploads.map(\.effect.level).sorted()
    #expect(zip(before, after).allSatisfy { $0 > $1 })
    motor.log.clear()
    // What changes nothing for a motor leaves it alone.
    bench.haptics?.reconfigure(
      HapticsSettings(device: DeviceMatch(name: Glob("drv260x*")), strength: 0.5))
    try bench.turn(seconds: 0.2)
    #expect(motor.log.entries.isEmpty && bench.description(motor.node)?.state == .ready)
    bench.haptics?.reconfigure(HapticsSettings(isEnabled: false))
    #expect(try bench.turn { motor.log.erased.count == 7 })
    #expect(!bench.play(.tick))
  }
}
