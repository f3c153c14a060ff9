// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import LinuxIO
import TestSupport
import Testing
import Wire

/// A kiosk's bad year in a short time: fingers, and everything that happens beside them, in an order that a seed gives.
///
/// A moment of it belongs to every test run; `scripts/soak` sets how many frames there are, and the seed.
@Suite(
  .serialized, .enabled(if: InputNodes.canUseUinput, "\(InputNodes.needsUinput)"),
  .enabled(if: DaemonProcess.isBuilt, "\(DaemonProcess.needsBinary)"))
struct SoakTests {
  private static let frames = number("DETENT_SOAK_FRAMES") ?? 600
  private static let seed = number("DETENT_SOAK_SEED") ?? Int.random(in: 1...1_000_000)
  // Of so many strokes one is followed by each thing that happens: more in a short run, so that it sees them all.
  private static let calm = frames < 10_000 ? 16 : 80
  private static let names = ["Detent soak left", "Detent soak right"]

  private static func number(_ name: String) -> Int? {
    getenv(name).flatMap { Int(String(cString: $0)) }
  }

  private static func configuration(_ glideHz: Int) -> String {
    """
    [daemon]
    glide_hz = \(glideHz)
    [haptics]
    device = { name = "Detent soak motor" }
    [[display]]
    id = "main"
    width = 1000
    height = 1000

    """
  }

  /// What was done to the service, to be held against what it counted.
  private struct Deeds {
    var frames = 0
    var plugged = 0
    var reloads = 0
    var refused = 0
    var clients = 0
    var motors = 0
  }

  private final class Kiosk {
    let daemon: DaemonProcess
    let witness: ServiceWitness
    var panels: [VirtualTouchscreen?] = [nil, nil]
    var motor: VirtualMotor?
    var deeds = Deeds()
    // Readers that read nothing.
    var stuck: [LineConnection] = []

    init() throws {
      daemon = try DaemonProcess(configuration: SoakTests.configuration(60))
      witness = ServiceWitness(try daemon.connect())
      try witness.connection.request(
        "subscribe",
        #"{"events":["selection","tick","settle","rest","press","picker","device"]}"#)
      let reply = try daemon.client.request(
        "add",
        #"{"id":"soak","type":"ruler","keep":true,"region":{"x":0,"y":0,"width":1000,"height":1000},"#
          + #""values":{"from":0,"through":100,"step":1},"selection":50}"#)
      guard reply["error"] == nil else { throw TestFailure("\(reply)") }
      for index in panels.indices { try plug(index) }
      motor = try VirtualMotor(.vibrator(name: "Detent soak motor"))
    }

    func plug(_ index: Int) throws {
      let panel = try VirtualTouchscreen(.touchscreen(name: SoakTests.names[index]))
      panels[index] = panel
      deeds.plugged += 1
      try witness.wait(forDevice: panel.node)
    }

    func unplug(_ index: Int) throws {
      guard let panel = panels[index] else { return }
      let node = panel.node
      panel.device.unplug()
      panels[index] = nil
      try witness.wait(forDeviceToGo: node)
    }

    /// Waits until the service has acted on all that was sent, so that it is never left behind.
    func settle() throws {
      try daemon.client.request("list")
      try witness.read()
    }

    func figures() throws -> JSONValue {
      try daemon.client.request("stats")["result"] ?? .null
    }
  }

  @Test func `a bad year leaves nothing behind`() throws {
    print("soak: \(Self.frames) frames, seed \(Self.seed)")
    var random = Seeded(state: UInt64(bitPattern: Int64(Self.seed)))
    let kiosk = try Kiosk()
    var warmKB: Int?
    while kiosk.deeds.frames < Self.frames {
      try stroke(kiosk, &random)
      try happen(kiosk, &random)
      if warmKB == nil, kiosk.deeds.frames > Self.frames / 4 {
        warmKB = try kiosk.daemon.privateDirtyKB()
      }
      #expect(kiosk.witness.faults.isEmpty, "seed \(Self.seed): \(kiosk.witness.faults.prefix(5))")
      if !kiosk.witness.faults.isEmpty { break }
    }
    for index in kiosk.panels.indices { try kiosk.unplug(index) }
    kiosk.stuck = []
    try finish(kiosk, warmKB: warmKB ?? 0)
  }

  private func finish(_ kiosk: Kiosk, warmKB: Int) throws {
    try Waiting.until("the picker to rest", seconds: 10) {
      let reply = try kiosk.daemon.client.request("get", #"{"picker":"soak"}"#)
      return reply["result"]?["phase"] == .string("idle")
    }
    let deeds = kiosk.deeds
    let figures = try kiosk.figures()
    let dirtyKB = try kiosk.daemon.privateDirtyKB()
    print(
      "soak: \(deeds), dirty kB \(warmKB) then \(dirtyKB), selections \(kiosk.witness.selections)")
    #expect(dirtyKB < warmKB + 768, "seed \(Self.seed): \(warmKB) kB, then \(dirtyKB) kB")
    #expect(kiosk.witness.selections > 0)
    #expect(figures["devices_added"] == .integer(Int64(deeds.plugged)), "\(figures)")
    #expect(figures["devices_removed"] == .integer(Int64(deeds.plugged)), "\(figures)")
    // A file is read for the request, and for its change where that is not the same moment.
    for (name, count) in [("reloads", deeds.reloads), ("reloads_refused", deeds.refused)] {
      guard case .integer(let counted)? = figures[name] else { throw TestFailure("\(figures)") }
      #expect((count...2 * count).contains(Int(counted)), "\(name): \(counted) of \(count)")
    }
    #expect(try kiosk.daemon.stop() == .exited(0))
  }

  // MARK: What happens

  private func stroke(_ kiosk: Kiosk, _ random: inout Seeded) throws {
    let index = Int.random(in: 0..<2, using: &random)
    guard let panel = kiosk.panels[index] else { return }
    let slot = Int.random(in: 0..<3, using: &random)
    var x = Double.random(in: 0.1...0.9, using: &random)
    try panel.down(slot: slot, x: x, y: 0.5)
    try panel.frame()
    let moves = Int.random(in: 0...30, using: &random)
    for _ in 0..<moves {
      x = min(1, max(0, x + Double.random(in: -0.05...0.05, using: &random)))
      try panel.move(slot: slot, x: x, y: 0.5)
      try panel.frame()
    }
    kiosk.deeds.frames += moves + 2
    // Now and then the finger is still there when the panel goes.
    if Int.random(in: 0..<Self.calm, using: &random) == 0 {
      try kiosk.unplug(index)
      try kiosk.plug(index)
      return
    }
    try panel.up(slot: slot)
    try panel.frame()
    try kiosk.settle()
  }

  private func happen(_ kiosk: Kiosk, _ random: inout Seeded) throws {
    switch Int.random(in: 0..<Self.calm, using: &random) {
    case 0:
      let isBroken = Bool.random(using: &random)
      let good = Self.configuration(Int.random(in: 30...90, using: &random))
      try kiosk.daemon.writeConfiguration(isBroken ? good + "[[nonsense]]" : good)
      let reply = try kiosk.daemon.client.request("reload")
      #expect((reply["error"] != nil) == isBroken, "\(reply)")
      if isBroken { kiosk.deeds.refused += 1 } else { kiosk.deeds.reloads += 1 }
    case 1...3:
      let client = try kiosk.daemon.connect()
      try client.send(#"{"jsonrpc":"2.0","id":1,"method":"subscribe"}"#)
      kiosk.deeds.clients += 1
      if Bool.random(using: &random) {
        try client.send(String(repeating: "[", count: 4000))
      }
    case 4:
      if kiosk.stuck.count > 3 { kiosk.stuck.removeFirst() }
      let client = try kiosk.daemon.connect()
      try client.send(
        #"{"jsonrpc":"2.0","id":1,"method":"subscribe","params":{"motion_hz":1000}}"#)
      kiosk.stuck.append(client)
    case 5:
      kiosk.motor?.unplug()
      kiosk.motor = nil
      kiosk.motor = try VirtualMotor(.vibrator(name: "Detent soak motor"))
      kiosk.deeds.motors += 1
    case 6:
      try kiosk.daemon.client.request("inhibit", #"{"on":true,"for_ms":5}"#)
    case 7:
      try kiosk.daemon.client.request("select", #"{"picker":"soak","index":50}"#)
    default: break
    }
  }

  /// SplitMix64 (Steele, Lea and Flood, 2014): the same on every machine.
  private struct Seeded: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = state
      mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      return mixed ^ (mixed >> 31)
    }
  }
}
