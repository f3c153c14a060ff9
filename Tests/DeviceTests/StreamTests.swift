// SPDX-License-Identifier: Apache-2.0

import CLinux
import Gestures
import InputDevices
import LinuxIO
import TestSupport
import Testing
import Wire

/// Every stream of a real touchscreen or touchpad that there is, played into the kernel on a device with the same
/// description, as fast as the kernel takes it: what a reader and what the whole service make of it.
@Suite(
  .serialized, .enabled(if: InputNodes.canUseUinput, "\(InputNodes.needsUinput)"),
  .enabled(if: DaemonProcess.isBuilt, "\(DaemonProcess.needsBinary)"),
  .enabled(if: SharedFixtures.isPresent, "\(SharedFixtures.reason)"))
struct StreamTests {
  private static let configuration = """
    [haptics]
    enabled = false
    [[display]]
    id = "main"
    width = 1000
    height = 1000
    """

  /// One picker of each type over the whole display, in turn.
  private static let pickers = [
    #""type":"ruler","values":{"from":1,"through":100,"step":1},"selection":50"#,
    #""type":"carousel","items":["a","b","c","d","e"],"selection":"c","padding":300"#,
    ##""type":"swatches","colors":["#ff0000","#00ff00","#0000ff","#ffff00","#00ffff","#ff00ff"],"size":150"##,
    #""type":"radial","values":{"from":1,"through":12,"step":1},"selection":6,"mode":"rotate""#,
    #""type":"ruler","axis":"vertical","values":{"from":1,"through":20,"step":1},"selection":10"#,
    #""type":"radial","values":{"from":1,"through":12,"step":1},"selection":6"#,
  ]

  /// The streams by device, in a fixed order.
  private static func streams() -> [(device: DeviceDescription, recordings: [Stream])] {
    var groups: [(device: DeviceDescription, recordings: [Stream])] = []
    for path in SharedFixtures.recordings() {
      guard let recording = try? EvemuRecording(path: path), !recording.events.isEmpty else {
        continue
      }
      let stream = Stream(path: path, events: recording.events)
      if let index = groups.firstIndex(where: { $0.device == recording.device }) {
        groups[index].recordings.append(stream)
      } else {
        groups.append((recording.device, [stream]))
      }
    }
    return groups
  }

  struct Stream {
    var path: String
    var events: [EvemuRecording.Event]

    /// What has to be sent so that nothing is down after the stream: a few are cut off in the middle of a touch.
    func lifts(on device: DeviceDescription) -> [EvemuRecording.Event] {
      var lifts: [EvemuRecording.Event] = []
      func add(_ type: Int32, _ code: Int32, _ value: Int32) {
        lifts.append(.init(timeUs: 0, type: UInt16(type), code: UInt16(code), value: value))
      }
      var slot: Int32 = 0
      var down: Set<Int32> = []
      var keys: Set<UInt16> = []
      for event in events {
        switch (Int32(event.type), Int32(event.code)) {
        case (EV_ABS, ABS_MT_SLOT): slot = event.value
        case (EV_ABS, ABS_MT_TRACKING_ID):
          if event.value < 0 { down.remove(slot) } else { down.insert(slot) }
        case (EV_KEY, _):
          if event.value == 0 { keys.remove(event.code) } else { keys.insert(event.code) }
        default: break
        }
      }
      if device.axes[UInt16(ABS_MT_SLOT)] == nil { add(EV_SYN, SYN_MT_REPORT, 0) }
      for slot in down.sorted() where device.axes[UInt16(ABS_MT_SLOT)] != nil {
        add(EV_ABS, ABS_MT_SLOT, slot)
        add(EV_ABS, ABS_MT_TRACKING_ID, -1)
      }
      for key in keys.sorted() { add(EV_KEY, Int32(key), 0) }
      add(EV_SYN, SYN_REPORT, 0)
      return lifts
    }
  }

  @Test func `whatever real devices send, each down has one end and the service stays sound`()
    throws
  {
    let daemon = try DaemonProcess(configuration: Self.configuration)
    let witness = ServiceWitness(try daemon.connect())
    try witness.connection.request(
      "subscribe",
      #"{"events":["selection","tick","settle","rest","press","picker","device"]}"#)
    let bench = try InputDevicesBench()
    var (played, contacts, turn) = (0, 0, 0)
    var dirtyKB: [Int] = []
    // Kept, so that no other device gets the name of their node.
    var refused: [VirtualDevice] = []
    for (description, streams) in Self.streams() {
      bench.forget()
      guard let device = try? VirtualDevice(description) else { continue }
      try bench.run(until: "\(device.node) to be judged") { bench.told[device.node] != nil }
      guard bench.told[device.node]?.contains(.added) == true else {
        refused.append(device)
        continue
      }
      try witness.wait(forDevice: device.node)
      for stream in streams {
        turn += 1
        try show("picker\(turn)", Self.pickers[turn % Self.pickers.count], daemon)
        try play(stream.events + stream.lifts(on: description), into: device, bench, witness)
        try Waiting.until("the lift after \(stream.path)", seconds: 5) {
          try state("picker\(turn)", daemon)["phase"] != .string("drag")
        }
        played += 1
      }
      device.unplug()
      try bench.run(until: "removal") { bench.told[device.node]?.contains(.removed) ?? false }
      var check = ContactCheck()
      for case .event(let kind) in bench.told[device.node] ?? [] {
        check.take(kind)
        if case .down = kind { contacts += 1 }
      }
      #expect(
        check.faults.isEmpty && check.down.isEmpty, "\(description.name): \(check.faults.prefix(5))"
      )
      try witness.wait(forDeviceToGo: device.node)
      let picker = try state("picker\(turn)", daemon)
      #expect(picker["phase"] != .string("drag"), "\(description.name)")
      #expect(picker["revision"] == .integer(Int64(witness.revision)), "\(description.name)")
      #expect(witness.faults.isEmpty, "\(description.name): \(witness.faults.prefix(5))")
      dirtyKB.append(try daemon.privateDirtyKB())
    }
    #expect(bench.events.map(\.timeUs).isSorted)
    #expect(
      refused.count <= 12,
      "\(refused.map { "\($0.description.name): \(bench.told[$0.node] ?? [])" })")
    #expect(played >= 40 && contacts >= 30 && witness.selections >= 15)
    // The first few fill the allocator's pools; the rest, most of all events, must leave nothing behind.
    let warm = dirtyKB.dropFirst(5).first ?? 0
    print(
      "streams: \(played) played, \(contacts) contacts, \(witness.selections) selections, dirty kB \(dirtyKB)"
    )
    #expect((dirtyKB.last ?? 0) < warm + 1024, "\(dirtyKB)")
    #expect(try daemon.stop() == .exited(0))
    #expect(!daemon.log.contains { $0.contains("<3>") || $0.contains("<2>") }, "\(daemon.log)")
  }

  private func show(_ id: String, _ options: String, _ daemon: DaemonProcess) throws {
    let picker = #"{"id":"\#(id)","region":{"x":0,"y":0,"width":1000,"height":1000},\#(options)}"#
    let reply = try daemon.client.request("replace", #"{"pickers":[\#(picker)]}"#)
    guard reply["error"] == nil else { throw TestFailure("\(reply)") }
    try daemon.client.request("focus", #"{"picker":"\#(id)"}"#)
  }

  private func state(_ id: String, _ daemon: DaemonProcess) throws -> JSONValue {
    try daemon.client.request("get", #"{"picker":"\#(id)"}"#)["result"] ?? .null
  }

  /// Now and then the readers are too late, and the kernel drops events.
  private func play(
    _ events: [EvemuRecording.Event], into device: VirtualDevice, _ bench: InputDevicesBench,
    _ witness: ServiceWitness
  ) throws {
    for start in stride(from: 0, to: events.count, by: 256) {
      try device.emit(events[start..<min(start + 256, events.count)])
      bench.inputs?.drain()
      try witness.read()
    }
    bench.inputs?.drain()
  }
}

extension [Int64] {
  /// Whether no number is less than the one before it.
  fileprivate var isSorted: Bool { zip(self, dropFirst()).allSatisfy { $0 <= $1 } }
}
