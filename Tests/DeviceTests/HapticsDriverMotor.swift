// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import LinuxIO
import Synchronization

/// A force-feedback device on uinput, whose driver is a thread that answers as it is told.
final class DriverMotor: Sendable {
  /// What the driver says to an upload.
  enum Answer: Sendable {
    /// Take it.
    case accept
    /// Refuse it with this error.
    case refuse(Errno)
    /// Take it after this many milliseconds.
    case slowly(milliseconds: UInt32)
    /// Say nothing at all.
    case silence
  }

  /// What the driver saw.
  let log = DriverLog()
  /// The device node.
  let node: String

  private let descriptor: CInt
  private let answer: @Sendable (DriverEffect) -> Answer
  private let isDone = Mutex(false)

  /// Makes the device and waits for udev to know it.
  ///
  /// - Parameters:
  ///   - effects: the codes of EV_FF that it advertises.
  ///   - axes: codes of EV_ABS, as a touchscreen has them.
  ///   - keys: codes of EV_KEY.
  init(
    name: String, effects: [Int], slots: UInt32, axes: [UInt32] = [], keys: [UInt32] = [],
    answer: @escaping @Sendable (DriverEffect) -> Answer = { _ in .accept }
  ) throws {
    let fd = try OwnedDescriptor(opening: "/dev/uinput", flags: O_RDWR | O_NONBLOCK).release()
    descriptor = fd
    self.answer = answer
    do {
      _ = try retryingInterrupts { detent_uinput_set_event(fd, UInt32(EV_FF)) }
      for code in effects {
        _ = try retryingInterrupts { detent_uinput_set_bit(fd, UInt32(EV_FF), UInt32(code)) }
      }
      if !keys.isEmpty {
        _ = try retryingInterrupts { detent_uinput_set_event(fd, UInt32(EV_KEY)) }
      }
      for key in keys {
        _ = try retryingInterrupts { detent_uinput_set_bit(fd, UInt32(EV_KEY), key) }
      }
      if !axes.isEmpty {
        _ = try retryingInterrupts { detent_uinput_set_event(fd, UInt32(EV_ABS)) }
      }
      for axis in axes {
        var setup = uinput_abs_setup()
        setup.code = UInt16(axis)
        setup.absinfo.maximum = 4095
        _ = try retryingInterrupts { detent_uinput_set_bit(fd, UInt32(EV_ABS), axis) }
        _ = try retryingInterrupts { detent_uinput_abs_setup(fd, &setup) }
      }
      var setup = uinput_setup()
      setup.id.bustype = UInt16(BUS_VIRTUAL)
      setup.ff_effects_max = slots
      withUnsafeMutableBytes(of: &setup.name) { $0.copyBytes(from: name.utf8.prefix(79)) }
      _ = try retryingInterrupts { detent_uinput_setup(fd, &setup) }
      _ = try retryingInterrupts { detent_uinput_create(fd) }
      node = try HapticsNodes.node(ofUinput: fd)
    } catch {
      close(fd)
      throw error
    }
    HapticsThread.start { [self] in serve() }
  }

  /// Unplugs the device; what waits for an answer gets ENODEV.
  func unplug() {
    isDone.withLock { isDone in
      guard !isDone else { return }
      isDone = true
      _ = detent_uinput_destroy(descriptor)
    }
  }

  private func serve() {
    while !isDone.withLock({ $0 }) {
      var waits = [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)]
      guard poll(&waits, 1, 50) > 0 else { continue }
      var event = input_event()
      let size = MemoryLayout<input_event>.size
      while Glibc.read(descriptor, &event, size) == size { handle(event) }
    }
    close(descriptor)
  }

  private func handle(_ event: input_event) {
    switch (Int32(event.type), Int32(event.code)) {
    case (EV_UINPUT, UI_FF_UPLOAD): upload(request: UInt32(bitPattern: event.value))
    case (EV_UINPUT, UI_FF_ERASE): erase(request: UInt32(bitPattern: event.value))
    case (EV_FF, FF_GAIN): log.add(.gain(event.value))
    case (EV_FF, let id): log.add(.play(value: event.value), id: Int(id))
    default: break
    }
  }

  private func upload(request: UInt32) {
    var upload = uinput_ff_upload()
    upload.request_id = request
    guard detent_uinput_begin_upload(descriptor, &upload) == 0 else { return }
    let effect = DriverEffect(upload.effect)
    let isNew = upload.old.type == 0
    switch answer(effect) {
    case .accept: break
    case .refuse(let error): upload.retval = -error.rawValue
    case .slowly(let milliseconds): usleep(milliseconds * 1000)
    case .silence:
      log.add(.upload(effect, isNew: isNew, isTaken: false), id: Int(upload.effect.id))
      return
    }
    // The entry comes first: once the upload is ended the test goes on.
    log.add(
      .upload(effect, isNew: isNew, isTaken: upload.retval == 0), id: Int(upload.effect.id))
    _ = detent_uinput_end_upload(descriptor, &upload)
  }

  private func erase(request: UInt32) {
    var erase = uinput_ff_erase()
    erase.request_id = request
    guard detent_uinput_begin_erase(descriptor, &erase) == 0 else { return }
    log.add(.erase, id: Int(erase.effect_id))
    _ = detent_uinput_end_erase(descriptor, &erase)
  }
}

extension DriverEffect {
  init(_ raw: ff_effect) {
    self.init(
      type: Int(raw.type), lengthMS: Int(raw.replay.length), delayMS: Int(raw.replay.delay))
    switch Int32(raw.type) {
    case FF_RUMBLE:
      strong = Int(raw.u.rumble.strong_magnitude)
      weak = Int(raw.u.rumble.weak_magnitude)
    case FF_PERIODIC:
      waveform = Int(raw.u.periodic.waveform)
      periodMS = Int(raw.u.periodic.period)
      level = Int(raw.u.periodic.magnitude)
    case FF_CONSTANT: level = Int(raw.u.constant.level)
    default: break
    }
  }
}
