// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import LinuxIO
import Synchronization

/// A force-feedback device on uinput whose driver, a thread of its own, answers as it is told.
///
/// uinput hands on what a real driver would be asked, but does no more: it keeps no time, stops nothing by itself
/// and adds nothing up. `log` has what came. Close the device under test before `unplug()`: its effects are
/// erased then, and the erasures want their answers too.
package final class VirtualMotor: Sendable {
  /// What the driver was asked for.
  package let log = MotorLog()
  /// The event node.
  package var node: String { device.node }
  /// The device, for motors that are touchscreens too.
  package let device: VirtualDevice

  private let driver: Driver
  private let thread: BackgroundThread
  private let isEnded = Mutex(false)

  /// Makes the device and starts its driver.
  ///
  /// - Parameters:
  ///   - description: a device with codes of EV_FF and at least one effect slot.
  ///   - answer: asked on the driver's thread for each upload; left out: every effect is taken.
  package init(
    _ description: DeviceDescription = .vibrator(),
    answer: @escaping @Sendable (UploadedEffect) -> MotorAnswer = { _ in .accept }
  ) throws {
    device = try VirtualDevice(description, flags: O_RDWR | O_NONBLOCK)
    // The thread holds the parts, not the motor, so that a motor that a test forgets ends too.
    let driver = Driver(device: device, log: log, answer: answer)
    self.driver = driver
    thread = try BackgroundThread { driver.run() }
  }

  deinit {
    unplug()
  }

  /// Takes the device away; whoever waits for an answer gets ENODEV.
  package func unplug() {
    let isFirst = isEnded.withLock { isEnded in
      defer { isEnded = true }
      return !isEnded
    }
    guard isFirst else { return }
    device.unplug()
    driver.end()
    thread.join()
  }
}

/// The driver's side of a virtual motor.
private final class Driver: Sendable {
  private let device: VirtualDevice
  private let log: MotorLog
  private let answer: @Sendable (UploadedEffect) -> MotorAnswer
  private let isEnded = Atomic(false)

  init(
    device: VirtualDevice, log: MotorLog,
    answer: @escaping @Sendable (UploadedEffect) -> MotorAnswer
  ) {
    self.device = device
    self.log = log
    self.answer = answer
  }

  func end() {
    isEnded.store(true, ordering: .relaxed)
  }

  func run() {
    let size = MemoryLayout<input_event>.size
    while !isEnded.load(ordering: .relaxed) {
      var waits = pollfd(fd: device.descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&waits, 1, 20) > 0 else { continue }
      // A device that is gone polls as ready for ever, and reads ENODEV.
      if waits.revents & Int16(POLLIN) == 0 { usleep(1_000) }
      var event = input_event()
      // uinput holds 16 events and loses all of them past that: they are read at once.
      while Glibc.read(device.descriptor, &event, size) == size { take(event) }
    }
  }

  private func take(_ event: input_event) {
    switch (Int32(event.type), Int32(event.code)) {
    case (EV_UINPUT, UI_FF_UPLOAD): upload(UInt32(bitPattern: event.value))
    case (EV_UINPUT, UI_FF_ERASE): erase(UInt32(bitPattern: event.value))
    case (EV_FF, FF_GAIN): log.add(.gain(event.value))
    case (EV_FF, let slot): log.add(.play(count: event.value), slot: Int(slot))
    default: break
    }
  }

  private func upload(_ request: UInt32) {
    var upload = uinput_ff_upload()
    upload.request_id = request
    guard detent_uinput_begin_upload(device.descriptor, &upload) == 0 else { return }
    let effect = UploadedEffect(upload.effect)
    let answer = answer(effect)
    switch answer {
    case .accept, .silence: break
    case .refuse(let error): upload.retval = -error.rawValue
    case .acceptAfter(let milliseconds): usleep(milliseconds * 1_000)
    }
    // The entry comes first: once the upload is ended the test goes on.
    log.add(
      .upload(effect, isNew: upload.old.type == 0, answer: answer), slot: Int(upload.effect.id))
    if answer != .silence { _ = detent_uinput_end_upload(device.descriptor, &upload) }
  }

  private func erase(_ request: UInt32) {
    var erase = uinput_ff_erase()
    erase.request_id = request
    guard detent_uinput_begin_erase(device.descriptor, &erase) == 0 else { return }
    log.add(.erase, slot: Int(erase.effect_id))
    _ = detent_uinput_end_erase(device.descriptor, &erase)
  }
}
