// SPDX-License-Identifier: Apache-2.0

internal import Glibc
package import LinuxIO
internal import Wire

/// A motor's own thread: opens the node, probes it, plays, and closes it.
///
/// Any call on a force-feedback node may block, for 30 seconds with a driver that does not answer,
/// and for as long as another program's upload. So none is made on the loop's thread.
package struct MotorThread: Sendable {
  /// The node to open.
  package let node: String
  /// The class that the configuration or the device tells; nil where neither does.
  package let motorClass: MotorClass?
  /// The scale of every effect, above 0.
  package let strength: Double
  /// Where work comes from and reports go.
  package let mailbox: MotorMailbox

  /// A motor that is not opened yet.
  package init(node: String, motorClass: MotorClass?, strength: Double, mailbox: MotorMailbox) {
    self.node = node
    self.motorClass = motorClass
    self.strength = strength
    self.mailbox = mailbox
  }

  /// Starts the thread, which ends once the motor failed or the mailbox was told to quit.
  package func start() throws(Errno) {
    try DetachedThread.start { [self] in run() }
  }

  private func run() {
    do throws(MotorProblem) {
      try openAndServe()
    } catch {
      mailbox.report(.failed(error))
    }
    // The device is closed by now, and the kernel has stopped and erased what was left on it.
    mailbox.reportClosed()
  }

  private func openAndServe() throws(MotorProblem) {
    let device: ForceFeedbackDevice
    do {
      device = try ForceFeedbackDevice(opening: node)
    } catch {
      throw Self.openProblem(error, node: node)
    }
    // Kernels that cannot mask events are older than anything we run on; we never read either way.
    try? device.hideEvents()
    guard let program = try probe(device) else { return }
    mailbox.report(.ready(program))
    try serve(device, program)
  }

  private static func openProblem(_ error: Errno, node: String) -> MotorProblem {
    switch error {
    case .accessDenied, .notPermitted: .denied(NodeRefusal(error: error, node: node))
    case .noDevice, .noEntry: .gone
    default: .notOpened(error)
    }
  }

  /// Uploads what the device takes; nil when told to quit meanwhile.
  private func probe(_ device: borrowing ForceFeedbackDevice) throws(MotorProblem) -> MotorProgram?
  {
    var plan: ProbePlan
    do throws(Errno) {
      let bits = try device.bits()
      plan = ProbePlan(
        bits: bits, slots: try device.slots(), motorClass: motorClass, strength: strength)
      // Others leave the gain where they like it, and it stays so when they are gone.
      if bits.hasGain { try device.setGain(0xFFFF) }
    } catch {
      throw MotorProblem(UploadRefusal(error))
    }
    while !mailbox.isQuitting {
      switch plan.next() {
      case .upload(let effect):
        do throws(Errno) {
          plan.uploaded(id: try device.upload(effect))
        } catch {
          plan.refused(UploadRefusal(error))
        }
      case .wait:
        usleep(20_000)
        plan.waited()
      case .finished(.ready(let program)): return program
      case .finished(let outcome): throw MotorProblem(outcome) ?? .unsupported
      }
    }
    return nil
  }

  private func serve(
    _ device: borrowing ForceFeedbackDevice, _ program: MotorProgram
  ) throws(MotorProblem) {
    var player = MotorPlayer(program)
    while true {
      let isHungUp = wait(device, until: player.deadlineUs)
      for id in player.due(nowUs: EventLoop.clockUs()) { try stop(device, id) }
      let work = mailbox.takeWork()
      if work.stops || work.quits {
        for id in player.stopAll() { try stop(device, id) }
      }
      if work.quits {
        for id in player.uploadedIDs { device.erase(id: id) }
        return
      }
      if isHungUp { throw .gone }
      for order in work.orders { try play(order, device, &player) }
    }
  }

  /// Waits for work, for the device's end, or for the next effect to be stopped.
  ///
  /// - Returns: whether the device is gone.
  private func wait(_ device: borrowing ForceFeedbackDevice, until deadlineUs: Int64?) -> Bool {
    var waits = [
      pollfd(fd: mailbox.bell.descriptor, events: Int16(POLLIN), revents: 0),
      // Hang-ups are told without being asked for.
      pollfd(fd: device.number, events: 0, revents: 0),
    ]
    let timeoutMS = deadlineUs.map { max(0, ($0 - EventLoop.clockUs() + 999) / 1000) } ?? -1
    guard poll(&waits, nfds_t(waits.count), CInt(timeoutMS)) > 0 else { return false }
    return waits[1].revents & Int16(POLLHUP | POLLERR | POLLNVAL) != 0
  }

  private func stop(_ device: borrowing ForceFeedbackDevice, _ id: Int16) throws(MotorProblem) {
    do {
      try device.write(id: id, isOn: false)
    } catch {
      throw MotorProblem(UploadRefusal(error))
    }
  }

  private func play(
    _ order: MotorMailbox.Order, _ device: borrowing ForceFeedbackDevice,
    _ player: inout MotorPlayer
  ) throws(MotorProblem) {
    guard EventLoop.clockUs() <= order.deadlineUs else {
      mailbox.count { $0.expired += 1 }
      return
    }
    while true {
      switch player.need(for: order.cue) {
      case .nothing: return
      case .write(let id):
        try write(order, id, device, &player)
        return
      case .replace(let id, let effect):
        guard try place(effect, over: id, device, &player) else { return }
      case .upload(let effect):
        guard try place(effect, over: -1, device, &player) else { return }
      }
    }
  }

  private func write(
    _ order: MotorMailbox.Order, _ id: Int16, _ device: borrowing ForceFeedbackDevice,
    _ player: inout MotorPlayer
  ) throws(MotorProblem) {
    do throws(Errno) {
      try device.write(id: id, isOn: true)
    } catch {
      mailbox.count { $0.refused += 1 }
      if error == .busy { return }
      throw MotorProblem(UploadRefusal(error))
    }
    let nowUs = EventLoop.clockUs()
    player.started(order.cue, id: id, nowUs: nowUs)
    mailbox.count {
      $0.played += 1
      $0.longestUs = max($0.longestUs, nowUs - order.askedUs)
      $0.totalUs += nowUs - order.askedUs
    }
  }

  /// Puts an effect into the one slot of a device that has no second.
  ///
  /// - Returns: whether to ask the player again.
  private func place(
    _ effect: MotorEffect, over id: Int16, _ device: borrowing ForceFeedbackDevice,
    _ player: inout MotorPlayer
  ) throws(MotorProblem) -> Bool {
    do throws(Errno) {
      player.uploaded(effect, id: try device.upload(effect, over: id))
      mailbox.count { $0.replaced += 1 }
      return true
    } catch {
      let refusal = UploadRefusal(error)
      switch player.refused(refusal) {
      case .retry:
        if id >= 0 { device.erase(id: id) }
        return true
      case .skip:
        mailbox.count { $0.refused += 1 }
        return false
      case .disable:
        mailbox.count { $0.refused += 1 }
        throw MotorProblem(refusal)
      }
    }
  }
}
