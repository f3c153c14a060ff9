// SPDX-License-Identifier: Apache-2.0

import Haptics
import LinuxIO
import Testing
import Wire

@Suite struct MotorMailboxTests {
  private static func order(_ cue: Cue, askedUs: Int64 = 0) -> MotorMailbox.Order {
    MotorMailbox.Order(cue: cue, askedUs: askedUs, deadlineUs: askedUs + 25_000)
  }

  @Test func takesTwoCuesAndRefusesTheThird() throws {
    let mailbox = try MotorMailbox(reports: try Wakeup())
    #expect(mailbox.order(Self.order(.tick)))
    #expect(mailbox.order(Self.order(.selection)))
    #expect(!mailbox.order(Self.order(.heavy)))
    #expect(mailbox.takeWork().orders.map(\.cue) == [.tick, .selection])
    #expect(mailbox.takeWork() == MotorMailbox.Work())
    #expect(mailbox.order(Self.order(.heavy)))
  }

  @Test func aStopForgetsWhatWaitsAndComesBeforeWhatFollows() throws {
    let mailbox = try MotorMailbox(reports: try Wakeup())
    #expect(mailbox.order(Self.order(.tick)))
    mailbox.stop()
    #expect(mailbox.order(Self.order(.light)))
    let work = mailbox.takeWork()
    #expect(work.stops && work.orders.map(\.cue) == [.light])
    #expect(!mailbox.takeWork().stops)
  }

  @Test func quittingIsNeverForgottenAndTakesNoMoreCues() throws {
    let mailbox = try MotorMailbox(reports: try Wakeup())
    mailbox.quit()
    #expect(!mailbox.order(Self.order(.tick)))
    #expect(mailbox.takeWork().quits)
    #expect(mailbox.takeWork().quits && mailbox.isQuitting)
  }

  @Test func reportsRingTheLoop() throws {
    let bell = try Wakeup()
    let loop = try EventLoop()
    var rings = 0
    let watch = try loop.watch(bell.descriptor, for: .readable) { _ in
      rings += 1
      bell.clear()
    }
    let mailbox = try MotorMailbox(reports: bell)
    mailbox.report(.failed(.silent))
    mailbox.reportClosed()
    while try loop.runOnce(timeoutUs: 0) {}
    #expect(rings == 1)
    #expect(mailbox.snapshot.phase == .failed(.silent) && mailbox.snapshot.isClosed)
    watch.cancel()
  }
}

@Suite struct MotorThreadTests {
  private static func end(of node: String) throws -> MotorMailbox.Snapshot {
    let bell = try Wakeup()
    let mailbox = try MotorMailbox(reports: bell)
    try MotorThread(node: node, motorClass: nil, strength: 1, mailbox: mailbox).start()
    let loop = try EventLoop()
    let watch = try loop.watch(bell.descriptor, for: .readable) { _ in bell.clear() }
    defer { watch.cancel() }
    let endUs = EventLoop.clockUs() + 5_000_000
    while !mailbox.snapshot.isClosed, EventLoop.clockUs() < endUs {
      try loop.runOnce(timeoutUs: 100_000)
    }
    return mailbox.snapshot
  }

  @Test func aNodeThatIsNotThereIsGone() throws {
    let snapshot = try Self.end(of: "/dev/input/event-none")
    #expect(snapshot.phase == .failed(.gone) && snapshot.isClosed)
  }

  @Test func aNodeThatIsNoInputDeviceFails() throws {
    let snapshot = try Self.end(of: "/dev/null")
    // ENOTTY: the ioctl means nothing there.
    #expect(snapshot.phase == .failed(.failed(Errno(rawValue: 25))) && snapshot.isClosed)
  }
}

@Suite struct MotorProblemTests {
  private static func denied(
    error: Errno = .accessDenied, group: String = "input", mode: UInt32 = 0o660,
    isInGroup: Bool = false, hasServiceGroup: Bool = false
  ) -> String {
    let access = NodeAccess(
      node: "/dev/input/event3", owner: "root", group: group, mode: mode, user: "detent",
      isInGroup: isInGroup, hasServiceGroup: hasServiceGroup)
    return "\(MotorProblem.denied(NodeRefusal(error: error, access: access)))"
  }

  @Test func aDeniedNodeIsToldWithItsOwnerItsModeAndTheCure() {
    #expect(
      Self.denied()
        == "it cannot be opened for writing: EACCES (Permission denied): it is root:input 0660; "
        + "add detent to group input (SupplementaryGroups=input in the service, or "
        + "usermod -aG input detent) and start the service anew")
    #expect(Self.denied(error: .notPermitted).hasSuffix("DeviceAllow=char-input rw"))
    #expect(Self.denied(group: "root", mode: 0o600).contains("udev rule"))
    #expect(Self.denied(mode: 0o640).contains("MODE=\"0660\""))
    #expect(Self.denied(isInGroup: true).contains("getfacl /dev/input/event3"))
  }

  @Test func whereTheUdevRulesAreNobodyIsToldToTakeTheKeyboardsToo() {
    let text = Self.denied(hasServiceGroup: true)
    #expect(text.contains("DETENT_TYPE") && !text.contains("group input"))
  }

  @Test func onlyWhatPassesByItselfIsTriedAgain() {
    for problem in [MotorProblem.noSlot, .busy, .notOpened(.tooManyDescriptors)] {
      #expect(problem.isPassing, "\(problem)")
    }
    for problem in [
      MotorProblem.unsupported, .gone, .silent, .failed(.inputOutput), .notOpened(.inputOutput),
      .denied(NodeRefusal(error: .accessDenied, access: nil)),
    ] {
      #expect(!problem.isPassing, "\(problem)")
    }
  }

  @Test func theKernelsErrorsMeanWhatTheyMean() {
    let meanings: [(Errno, UploadRefusal)] = [
      (.invalid, .unsupported), (.notImplemented, .unsupported), (.noSpace, .noSlot),
      (.busy, .busy), (.noDevice, .gone), (.timedOut, .silent),
      (.badDescriptor, .failed(.badDescriptor)), (.accessDenied, .failed(.accessDenied)),
    ]
    for (error, meaning) in meanings { #expect(UploadRefusal(error) == meaning) }
  }
}

@Suite struct HapticsWithoutMotorsTests {
  /// Where no node has force feedback, everything is dropped, counted, and nothing is said.
  @Test func noneIsNormal() throws {
    let loop = try EventLoop()
    var reports: [HapticsReport] = []
    // No strength, so that a motor of the machine which runs the tests is left alone.
    let haptics = try Haptics(settings: HapticsSettings(strength: 0), loop: loop) {
      reports.append($0)
    }
    haptics.inputDeviceAdded(node: "/dev/input/event-none", display: "main")
    for isTick in [true, false] {
      #expect(!haptics.play(.tick, eventTimeUs: 0, nowUs: 0, isTick: isTick, display: "main"))
    }
    #expect(haptics.counters.asked == 2 && haptics.counters.withoutMotor == 2)
    haptics.stopAll()
    var isStopped = false
    haptics.suspend { isStopped = true }
    #expect(isStopped)
    haptics.resume()
    haptics.reconfigure(HapticsSettings(isEnabled: false))
    haptics.inputDeviceRemoved(node: "/dev/input/event-none")
    haptics.shutDown()
    #expect(reports.isEmpty)
  }
}
