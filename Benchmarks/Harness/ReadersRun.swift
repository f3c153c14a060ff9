// SPDX-License-Identifier: Apache-2.0

import CLinux
import DetentDaemon
import Glibc
import LinuxIO
import TestSupport

/// Frames of a virtual touchscreen, read by one program after the other, several times over.
struct ReadersRun {
  private static let ratesHz = [250, 1000]

  var configuration: String
  var binaries: String
  var scripts: String
  var only: [String] = []
  var repetitions = 5
  var secondsEach = 4
  // Threads that keep processors awake; left out: one for each.
  var spinners: Int?

  func run() throws {
    let device = try VirtualDevice(.touchscreen())
    let directory = try TemporaryDirectory()
    let subjects = Subject.all(
      node: device.node, socket: directory.path + "/socket", configuration: configuration,
      binaries: binaries, scripts: scripts
    ).filter { subject in
      ChildProcess.isInstalled(subject.arguments[0]) || subject.arguments[0].hasPrefix("/")
    }.filter { subject in only.isEmpty || only.contains { subject.name.contains($0) } }
    // A processor that sleeps takes longer to wake in an emulator than all that is measured here.
    let spinners = try IdleSpinners(
      count: spinners ?? Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    defer { spinners.stop() }
    for repetition in 0..<repetitions {
      for rateHz in Self.ratesHz {
        for subject in subjects {
          let figures = try measure(subject, device, directory, rateHz: rateHz)
          report(subject, rateHz, repetition, figures)
        }
      }
    }
  }

  private struct Figures {
    // From before the write of a frame until the read that tells of it returned, in order of size.
    var delaysUs: [Int64] = []
    var frames: Int
    var processorUs: Int64
    var dirtyKB: Int
    var residentKB: Int
  }

  private func measure(
    _ subject: Subject, _ device: VirtualDevice, _ directory: TemporaryDirectory, rateHz: Int
  ) throws -> Figures {
    let channel = try Reading(subject, directory: directory.path, node: device.node)
    let frames = rateHz * secondsEach
    let finger = Finger(device: device, framesPerWay: rateHz)
    try finger.down()
    Waiting.sleep(untilUs: EventLoop.clockUs() + 100_000)
    let processorUs = channel.tree.processorUs
    var delaysUs: [Int64] = []
    delaysUs.reserveCapacity(frames)
    var dueUs = EventLoop.clockUs()
    for index in 1...frames {
      dueUs += Int64(1_000_000 / rateHz)
      Waiting.sleep(untilUs: dueUs)
      channel.drain()
      let startUs = EventLoop.clockUs()
      try finger.move(index)
      if subject.answersEach, channel.wait(milliseconds: 1_000) {
        delaysUs.append(EventLoop.clockUs() - startUs)
      }
      dueUs = max(dueUs, startUs)
    }
    let spentUs = channel.tree.processorUs - processorUs
    let memory = channel.tree.memoryKB
    try finger.up()
    return Figures(
      delaysUs: delaysUs.sorted(), frames: frames, processorUs: spentUs, dirtyKB: memory.dirty,
      residentKB: memory.resident)
  }

  private func report(_ subject: Subject, _ rateHz: Int, _ repetition: Int, _ figures: Figures) {
    func delay(_ share: Double) -> String {
      let delays = figures.delaysUs
      guard !delays.isEmpty else { return "null" }
      return "\(delays[min(delays.count - 1, Int(Double(delays.count) * share))])"
    }
    let processorMS = Double(figures.processorUs) * 10_000 / Double(figures.frames) / 1000
    _ = StandardStreams.output(
      #"{"name":"\#(subject.name)","rate":\#(rateHz),"repetition":\#(repetition),"#
        + #""answers":\#(figures.delaysUs.count),"frames":\#(figures.frames),"#
        + #""median_us":\#(delay(0.5)),"p99_us":\#(delay(0.99)),"#
        + #""processor_ms":\#(processorMS),"dirty_kb":\#(figures.dirtyKB),"#
        + #""resident_kb":\#(figures.residentKB)}"#)
  }
}

/// A finger that goes to and fro.
private struct Finger {
  let device: VirtualDevice
  let framesPerWay: Int

  private func place(_ index: Int) -> [(type: Int32, code: Int32, value: Int32)] {
    let step = index % (2 * framesPerWay)
    let share = Double(step < framesPerWay ? step : 2 * framesPerWay - step) / Double(framesPerWay)
    let x = Int32(1_500 + 10_000 * share)
    return [
      (EV_ABS, ABS_MT_POSITION_X, x), (EV_ABS, ABS_MT_POSITION_Y, 700), (EV_ABS, ABS_X, x),
      (EV_ABS, ABS_Y, 700),
    ]
  }

  func down() throws {
    try device.emit(
      frame: [(EV_ABS, ABS_MT_TRACKING_ID, 1)] + place(0) + [(EV_KEY, BTN_TOUCH, 1)])
  }

  func move(_ index: Int) throws { try device.emit(frame: place(index)) }

  func up() throws {
    try device.emit(frame: [(EV_ABS, ABS_MT_TRACKING_ID, -1), (EV_KEY, BTN_TOUCH, 0)])
  }
}
