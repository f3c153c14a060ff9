// SPDX-License-Identifier: Apache-2.0

import Glibc
import Haptics
import LinuxIO
import TestSupport
import Testing
import Wire

/// Which of the devices that are really there is used.
@Suite(
  .serialized,
  .enabled(if: InputNodes.canUseUinput, Comment(rawValue: InputNodes.needsUinput)))
struct HapticsDiscoveryTests {
  @Test func sysfsTellsWhatADeviceIsWithoutOpeningIt() throws {
    let motor = try VirtualMotor.make(
      axes: [0, 1],
      keys: [0x130])
    defer { motor.unplug() }
    let discovery = try MotorDiscovery()
    let found = try #require(discovery.enumerate().first { $0.node == motor.node })
    #expect(found.name == "Detent test motor" && found.seat == "seat0")
    #expect(found.effects == ForceFeedbackBits(CodeBits(ForceFeedbackCode.memless)))
    #expect(found.hasAxes && found.isGamepad && found.isVirtual && !found.isVibrator)
    #expect(found.sysfsPath.hasPrefix("/sys/devices/virtual/input/input"))
    #expect(discovery.sysfsPath(ofNode: motor.node) == found.sysfsPath)
  }

  @Test func whatIsNoMotorOfOursIsNotOpened() throws {
    let virtual = try VirtualMotor.make(name: "drv260x:haptics")
    defer { virtual.unplug() }
    let bench = try HapticsBench(device: nil)
    defer { bench.end() }
    try bench.turn(seconds: 0.5)
    // A virtual device may be anybody's: it has to be named.
    #expect(bench.description(virtual.node)?.state == .unused)
    #expect(virtual.log.entries.isEmpty)
    #expect(!openNodes().contains(virtual.node))
    #expect(bench.reports.isEmpty)
  }

  @Test func theTouchDeviceItselfIsUsedAndLeftAgain() throws {
    let panel = try VirtualMotor.make(
      name: "Detent test panel", axes: [0, 1],
      keys: [0x14A])
    defer { panel.unplug() }
    let other = try VirtualMotor.make()
    defer { other.unplug() }
    let bench = try HapticsBench(device: "Detent test motor")
    defer { bench.end() }
    _ = try bench.waitUntilReady(other.node)
    #expect(panel.log.entries.isEmpty)
    bench.haptics?.inputDeviceAdded(node: panel.node, display: "main")
    _ = try bench.waitUntilReady(panel.node)
    #expect(try bench.playForSure(.selection, inputNode: panel.node))
    #expect(try bench.turn { panel.log.plays.count == 1 })
    // The other one is not wanted any more: it is stopped, erased and closed.
    #expect(try bench.turn { other.log.erased.count == 7 })
    bench.haptics?.inputDeviceRemoved(node: panel.node)
    _ = try bench.waitUntilReady(other.node)
    #expect(bench.description(panel.node)?.state != .ready)
  }

  @Test func aDeviceThatFailsLeavesItsPlaceToTheNext() throws {
    let panel = try VirtualMotor.make(
      name: "Detent test panel", axes: [0, 1],
      keys: [0x14A]
    ) { _ in .refuse(.invalid) }
    defer { panel.unplug() }
    let other = try VirtualMotor.make()
    defer { other.unplug() }
    let bench = try HapticsBench(device: "Detent test motor")
    defer { bench.end() }
    bench.haptics?.inputDeviceAdded(node: panel.node)
    _ = try bench.waitUntilReady(other.node)
    #expect(try bench.playForSure(.selection, inputNode: panel.node))
    #expect(try bench.turn { other.log.plays.count == 1 })
    #expect(bench.problems.count == 1)
  }

  /// In a process that may not open the node, the owner, the mode and the cure are told, once.
  @Test func aNodeThatMayNotBeOpenedIsToldWithItsCure() async throws {
    let motor = try VirtualMotor.make(name: "Detent forbidden motor")
    defer { motor.unplug() }
    try #require(chmod(motor.node, 0o660) == 0)
    await #expect(processExitsWith: .success) {
      guard setegid(65534) == 0, setgroups(0, nil) == 0, seteuid(65534) == 0 else { exit(2) }
      let bench = try HapticsBench(device: "Detent forbidden*")
      try bench.turn(seconds: 5) { !bench.problems.isEmpty }
      try bench.turn(seconds: 0.3)
      print(bench.problems)
      let problem = bench.problems.first ?? ""
      guard bench.problems.count == 1, problem.contains(" 0660; "), problem.contains("root:"),
        problem.contains("EACCES"), problem.contains("cannot be opened for writing")
      else { exit(3) }
      guard !bench.play(.tick) else { exit(4) }
      bench.end()
      exit(0)
    }
    #expect(motor.log.entries.isEmpty)
  }

  private func openNodes() -> [String] {
    (0..<1024).compactMap { number in
      var target = [CChar](repeating: 0, count: 256)
      let count = readlink("/proc/self/fd/\(number)", &target, target.count)
      guard count > 0 else { return nil }
      return String(decoding: target.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
  }
}
