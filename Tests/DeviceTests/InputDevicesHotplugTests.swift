// SPDX-License-Identifier: Apache-2.0

import CLinux
import Gestures
import Glibc
import InputDevices
import LinuxIO
import TestSupport
import Testing

/// Devices that come, go and sleep.
@Suite(.serialized, .enabled(if: InputNodes.canUseUinput, "\(InputNodes.needsUinput)"))
struct InputDevicesHotplugTests {
  @Test func `a panel that comes later is used, also the second time`() throws {
    let bench = try InputDevicesBench()
    #expect(bench.inputs?.isEnumerated == true)
    var numbers: Set<Int> = []
    for _ in 0..<2 {
      let panel = try VirtualTouchscreen()
      numbers.insert(try bench.use(panel.node).number)
      try panel.tap(x: 0, y: 0)
      #expect(
        try bench.takeEvents(panel.node) == [.down(slot: 0, x: 0, y: 0), .up(slot: 0)])
      panel.device.unplug()
      try bench.run(until: "removal") { bench.told[panel.node]?.contains(.removed) ?? false }
    }
    #expect(numbers.count == 2)
  }

  @Test(arguments: [
    DeviceDescription.touchscreen(), .singleTouchscreen(), .absolutePointer(),
  ])
  func `unplugging under a finger is a cancel, never a lift`(description: DeviceDescription) throws
  {
    let panel = try VirtualTouchscreen(description)
    let bench = try InputDevicesBench()
    try bench.use(panel.node)
    try panel.down(x: 0.5, y: 0.5)
    try panel.frame()
    try bench.run(until: "the down") { !(bench.told[panel.node] ?? []).isEmpty }
    // While this loop runs, as cables are pulled: the kernel releases a pressed button first, and only
    // some milliseconds later the node is dead.
    let device = panel.device
    let thread = try BackgroundThread { device.unplug() }
    try bench.run(until: "removal") { bench.told[panel.node]?.contains(.removed) ?? false }
    thread.join()
    // While the node dies, udev may know less and less of it, and that may be told.
    let told = try bench.take(panel.node).filter { if case .refused = $0 { false } else { true } }
    #expect(told.count == 3)
    guard case .event(.down(let slot, _, _)) = told.first else {
      Issue.record("\(told)")
      return
    }
    #expect(told.suffix(2) == [.event(.cancel(slot: slot)), .removed])
  }

  @Test func `a lift just before the unplugging is a lift`() throws {
    let panel = try VirtualTouchscreen(.singleTouchscreen())
    let bench = try InputDevicesBench()
    try bench.use(panel.node)
    try panel.tap(x: 0.5, y: 0.5)
    let kinds = try bench.takeEvents(panel.node)
    guard case .down(let slot, _, _) = kinds.first else {
      Issue.record("\(kinds)")
      return
    }
    #expect(kinds.last == .up(slot: slot))
    panel.device.unplug()
    try bench.run(until: "removal") { bench.told[panel.node]?.contains(.removed) ?? false }
    #expect(try bench.take(panel.node) == [.removed])
  }

  @Test(arguments: [
    DeviceDescription.touchscreen(), .singleTouchscreen(), .absolutePointer(),
  ])
  func `suspending cancels, and resuming opens anew`(description: DeviceDescription) throws {
    let panel = try VirtualTouchscreen(description)
    let bench = try InputDevicesBench()
    try bench.use(panel.node)
    try panel.down(x: 0.5, y: 0.5)
    try panel.frame()
    try bench.run(until: "the down") { !(bench.told[panel.node] ?? []).isEmpty }
    bench.inputs?.suspend()
    let told = try bench.take(panel.node)
    guard case .event(.down(let slot, _, _)) = told.first else {
      Issue.record("\(told)")
      return
    }
    #expect(told.suffix(2) == [.event(.cancel(slot: slot)), .removed])
    #expect(bench.inputs?.devices.contains { $0.node == panel.node } == false)
    // What happens in the sleep stays there.
    try panel.up()
    try panel.frame()
    try panel.tap(x: 0.25, y: 0.25)
    #expect(try bench.take(panel.node).isEmpty)
    bench.inputs?.resume()
    try bench.use(panel.node)
    try panel.tap(x: 0, y: 0)
    let kinds = try bench.takeEvents(panel.node)
    #expect(kinds.count == 2)
  }

  @Test func `a handler may suspend while events are read`() throws {
    let panel = try VirtualTouchscreen()
    let bench = try InputDevicesBench()
    try bench.use(panel.node)
    bench.onChange = { [unowned bench] change in
      if case .event(let event) = change, case .down = event.kind { bench.inputs?.suspend() }
    }
    try panel.down(x: 0, y: 0)
    try panel.frame()
    try bench.run(until: "removal") { bench.told[panel.node]?.contains(.removed) ?? false }
    #expect(
      try bench.take(panel.node)
        == [.event(.down(slot: 0, x: 0, y: 0)), .event(.cancel(slot: 0)), .removed])
    bench.onChange = { _ in }
    bench.inputs?.resume()
    try bench.use(panel.node)
  }

  @Test func `a reader that goes with fingers down leaves nothing behind`() throws {
    let panel = try VirtualTouchscreen()
    let bench = try InputDevicesBench()
    try bench.use(panel.node)
    try panel.down(x: 0, y: 0)
    try panel.frame()
    try bench.run(seconds: 0.05)
    #expect(OpenNodes.descriptors(of: panel.node).count == 1)
    bench.end()
    #expect(OpenNodes.descriptors(of: panel.node).isEmpty)
    try bench.run(seconds: 0.05)
  }

  @Test func `a named node is used whenever it is there`() throws {
    let link = "/tmp/detent-test-panel-\(getpid())"
    unlink(link)
    let bench = try InputDevicesBench(.paths([link]))
    defer { unlink(link) }
    try bench.run(until: "refusal") { bench.told[link] != nil }
    for _ in 0..<2 {
      let (panel, other) = (try VirtualTouchscreen(), try VirtualTouchscreen())
      unlink(link)
      #expect(symlink(panel.node, link) == 0)
      // udev would have made such a link before it tells of the device; here it is told again.
      try Command.run([
        "udevadm", "trigger", "--action=add", "--settle", "--name-match=\(panel.node)",
      ])
      try bench.use(panel.node)
      try panel.tap(x: 0, y: 0)
      try other.tap(x: 0, y: 0)
      #expect(
        try bench.takeEvents(panel.node) == [.down(slot: 0, x: 0, y: 0), .up(slot: 0)])
      #expect(bench.told[other.node] == nil)
      panel.device.unplug()
      try bench.run(until: "removal") { bench.told[panel.node]?.contains(.removed) ?? false }
    }
  }

  @Test func `a named node that is gone keeps no other from waking up`() throws {
    let gone = try VirtualTouchscreen()
    let stays = try VirtualTouchscreen()
    let bench = try InputDevicesBench(.paths([gone.node, stays.node]))
    try bench.use(gone.node)
    try bench.use(stays.node)
    gone.device.unplug()
    try bench.run(until: "removal") { bench.told[gone.node]?.contains(.removed) ?? false }
    bench.inputs?.suspend()
    #expect(try bench.take(stays.node) == [.removed])
    bench.inputs?.resume()
    try bench.use(stays.node)
    try stays.tap(x: 0, y: 0)
    #expect(try bench.takeEvents(stays.node).count == 2)
  }

  @Test func `a device that udev adds twice touches once`() throws {
    let panel = try VirtualTouchscreen()
    let bench = try InputDevicesBench()
    try bench.use(panel.node)
    try Command.run([
      "udevadm", "trigger", "--action=add", "--settle", "--name-match=\(panel.node)",
    ])
    try bench.run(seconds: 0.5)
    bench.told[panel.node].map { #expect(!$0.contains(.added)) }
    _ = try bench.take(panel.node)
    try panel.tap(x: 0, y: 0)
    #expect(try bench.takeEvents(panel.node) == [.down(slot: 0, x: 0, y: 0), .up(slot: 0)])
  }
}
