// SPDX-License-Identifier: Apache-2.0

package import LinuxIO
package import Wire

/// Plays cues on force-feedback motors.
///
/// Finds them, opens and probes each on a thread of its own, and decides for every cue at once
/// whether it is played. No call blocks, whatever a driver does.
package final class Haptics {
  /// How long after a passing problem a motor is tried again, in microseconds.
  package static let retryUs: Int64 = 10_000_000
  /// How long the end waits for motors to be stopped, in microseconds.
  package static let patienceUs: Int64 = 500_000
  /// How long a suspend waits for motors to be stopped, in microseconds; nobody waits for the machine.
  package static let suspendPatienceUs: Int64 = 2_000_000

  private let loop: EventLoop
  private let report: (HapticsReport) -> Void
  private let discovery: MotorDiscovery
  private let bell: Wakeup
  private var sources: [EventSource] = []
  private var retryTimer: TimerSource?
  private var patienceTimer: TimerSource?

  private var settings: HapticsSettings
  private var candidates: [String: MotorCandidate] = [:]
  private var inputs: [InputNode] = []
  /// The motors that are wanted, by node.
  private var motors: [String: Motor] = [:]
  /// Motors that were told to quit and have not done so yet.
  private var closing: [Motor] = []
  private var problems: [String: MotorProblem] = [:]
  private var told: Set<String> = []
  private var choices: [CueOrigin: String?] = [:]
  private var tally = HapticsCounters()
  private var isSuspended = false
  private var isShutDown = false
  private var whenStopped: [() -> Void] = []

  /// Starts to look for motors.
  ///
  /// - Parameters:
  ///   - loop: where hotplug and the threads' reports are handled.
  ///   - report: called on the loop with what is worth a line in the log.
  /// - Throws: what udev's monitor or a descriptor failed with.
  package init(
    settings: HapticsSettings, loop: EventLoop, report: @escaping (HapticsReport) -> Void
  ) throws(Errno) {
    self.settings = settings
    self.loop = loop
    self.report = report
    discovery = try MotorDiscovery()
    bell = try Wakeup()
    sources = [
      try loop.watch(discovery.descriptor, for: .readable) { [unowned self] _ in hotplug() },
      try loop.watch(bell.descriptor, for: .readable) { [unowned self] _ in collect() },
    ]
    retryTimer = try loop.timer { [unowned self] _ in retry() }
    patienceTimer = try loop.timer { [unowned self] _ in stopWaiting() }
    rescan()
  }

  deinit {
    for motor in motors.values { motor.mailbox.quit() }
  }

  // MARK: Input devices

  /// An input device came into use; where it has force feedback it is the motor of its own cues.
  ///
  /// - Parameter display: the display that its contacts land on, where it has one.
  package func inputDeviceAdded(node: String, display: String? = nil) {
    inputs.removeAll { $0.node == node }
    inputs.append(
      InputNode(node: node, display: display, sysfsPath: discovery.sysfsPath(ofNode: node)))
    reconcile()
  }

  /// An input device is not in use any more.
  package func inputDeviceRemoved(node: String) {
    inputs.removeAll { $0.node == node }
    reconcile()
  }

  // MARK: Playing

  /// Plays a cue now or not at all.
  ///
  /// - Parameters:
  ///   - eventTimeUs: when what it is for happened.
  ///   - nowUs: the present time.
  ///   - isTick: whether it is the tick of a picker, for which the rules about speed hold.
  ///   - steps: how many values passed with this tick.
  ///   - display: the display that it happened on.
  ///   - inputNode: the node of the input device that caused it.
  /// - Returns: whether it was handed to a motor.
  @discardableResult
  package func play(
    _ cue: Cue, eventTimeUs: Int64, nowUs: Int64, isTick: Bool, steps: Int = 1,
    display: String? = nil, inputNode: String? = nil
  ) -> Bool {
    tally.asked += 1
    let origin = CueOrigin(inputNode: inputNode, display: display)
    guard let node = choice(for: origin), let motor = motors[node], var policy = motor.policy else {
      tally.withoutMotor += 1
      return false
    }
    defer { motor.policy = policy }
    guard let program = motor.program, program.effects[cue] != nil else {
      tally.withoutEffect += 1
      return false
    }
    let verdict =
      isTick
      ? policy.tick(cue, eventTimeUs: eventTimeUs, nowUs: nowUs, steps: steps)
      : policy.cue(cue, nowUs: nowUs)
    switch verdict {
    case .drop(let reason):
      tally.dropped[reason, default: 0] += 1
      return false
    case .play(let played):
      let startUs = isTick ? min(eventTimeUs, nowUs) : nowUs
      let order = MotorMailbox.Order(
        cue: played, askedUs: nowUs, deadlineUs: startUs + TickPolicy.latestUs)
      guard motor.mailbox.order(order) else {
        tally.motorBusy += 1
        return false
      }
      tally.handedOver += 1
      return true
    }
  }

  /// Stops whatever plays, as when a contact is cancelled.
  package func stopAll() {
    for motor in motors.values {
      motor.mailbox.stop()
      motor.policy?.reset()
    }
  }

  // MARK: Life

  /// Stops, erases and closes all motors before the machine sleeps.
  ///
  /// A motor that still ran would go on after the resume: time stands still for the kernel's timers.
  ///
  /// - Parameter whenStopped: called on the loop once all is closed, or after two seconds.
  package func suspend(whenStopped: (() -> Void)? = nil) {
    isSuspended = true
    reconcile()
    if let whenStopped { self.whenStopped.append(whenStopped) }
    patienceTimer?.arm(atUs: loop.nowUs + Self.suspendPatienceUs)
    finishStopping()
  }

  /// Looks for motors anew after a sleep.
  package func resume() {
    guard isSuspended else { return }
    isSuspended = false
    problems = [:]
    rescan()
  }

  /// Takes new settings; motors that they change are closed and opened again.
  package func reconfigure(_ settings: HapticsSettings) {
    let old = self.settings
    self.settings = settings
    problems = [:]
    if old.motorClass != settings.motorClass || old.strength != settings.strength {
      for node in motors.keys { close(node) }
    }
    rescan()
  }

  /// Stops and closes all motors for good; returns once they are, or after half a second.
  package func shutDown() {
    isShutDown = true
    for source in sources { source.cancel() }
    retryTimer?.cancel()
    patienceTimer?.cancel()
    reconcile()
    let endUs = EventLoop.clockUs() + Self.patienceUs
    while closing.contains(where: { !$0.mailbox.snapshot.isClosed }), EventLoop.clockUs() < endUs {
      bell.wait(untilUs: endUs)
      bell.clear()
    }
    closing = []
    stopWaiting()
  }

  // MARK: What people see

  /// All devices with force feedback, in the order of their nodes.
  package var devices: [MotorDescription] {
    candidates.values.sorted { ($0.number, $0.node) < ($1.number, $1.node) }.map(describe)
  }

  /// What became of all cues since the start.
  package var counters: HapticsCounters {
    var counters = tally
    for motor in motors.values { counters.motors += motor.mailbox.snapshot.counters }
    for motor in closing { counters.motors += motor.mailbox.snapshot.counters }
    return counters
  }

  private func describe(_ candidate: MotorCandidate) -> MotorDescription {
    var description = MotorDescription(
      node: candidate.node, name: candidate.name, path: candidate.path,
      motorClass: settings.motorClass ?? candidate.toldClass, state: .unused)
    if let motor = motors[candidate.node] {
      description.state = motor.program == nil ? .probing : .ready
      if let program = motor.program {
        description.motorClass = program.motorClass
        description.method = program.method.name
        description.effects = program.effects
        description.slots = program.slots
      }
    } else if let problem = problems[candidate.node] {
      description.state = .failed
      description.problem = problem.description
    } else if closing.contains(where: { $0.candidate.node == candidate.node }) {
      description.state = .closing
    }
    return description
  }

  // MARK: Motors that come and go

  private func rescan() {
    candidates = [:]
    for candidate in discovery.enumerate() { candidates[candidate.node] = candidate }
    for (node, motor) in motors where candidates[node] != motor.candidate { close(node) }
    reconcile()
  }

  private func hotplug() {
    for change in discovery.changes() {
      switch change {
      case .found(let candidate):
        if let motor = motors[candidate.node], motor.candidate.sysfsPath != candidate.sysfsPath {
          close(candidate.node)
        }
        candidates[candidate.node] = candidate
        // Its permissions may be what changed.
        problems[candidate.node] = nil
      case .lost(let node, let sysfsPath):
        guard let candidate = candidates[node], candidate.sysfsPath == sysfsPath else { continue }
        if motors[node]?.program != nil { report(.removed(describe(candidate))) }
        close(node)
        candidates[node] = nil
        problems[node] = nil
        told = told.filter { !$0.hasPrefix("\(candidate.sysfsPath) ") }
      }
    }
    reconcile()
  }

  /// Opens the motors that are wanted now, and closes the others.
  private func reconcile() {
    choices = [:]
    let isStopped = isSuspended || isShutDown
    let wanted = isStopped ? [] : currentChoice.wanted
    for node in motors.keys where !wanted.contains(node) { close(node) }
    for node in wanted.sorted() where motors[node] == nil { open(node) }
    if !isStopped, problems.values.contains(where: \.isPassing) {
      if retryTimer?.armedForUs == nil { retryTimer?.arm(atUs: loop.nowUs + Self.retryUs) }
    }
  }

  private var currentChoice: MotorChoice {
    MotorChoice(
      candidates: candidates.values, inputs: inputs, settings: settings,
      unusable: Set(problems.keys))
  }

  private func choice(for origin: CueOrigin) -> String? {
    if let known = choices[origin] { return known }
    let node = currentChoice.node(for: origin)
    // What is remembered is bounded by the inputs and displays there are.
    choices[origin] = .some(node)
    return node
  }

  private func open(_ node: String) {
    guard let candidate = candidates[node] else { return }
    // The old thread may still hold the slots; its end brings us here again.
    let isHeld = closing.contains { $0.candidate.sysfsPath == candidate.sysfsPath }
    guard !isHeld else { return }
    do throws(Errno) {
      let motor = Motor(candidate: candidate, mailbox: try MotorMailbox(reports: bell))
      try MotorThread(
        node: node, motorClass: settings.motorClass ?? candidate.toldClass,
        strength: settings.strength, mailbox: motor.mailbox
      ).start()
      motors[node] = motor
    } catch {
      fail(candidate, .notOpened(error))
    }
  }

  private func close(_ node: String) {
    guard let motor = motors.removeValue(forKey: node) else { return }
    motor.mailbox.quit()
    closing.append(motor)
  }

  private func fail(_ candidate: MotorCandidate, _ problem: MotorProblem) {
    problems[candidate.node] = problem
    // What is unplugged is told by udev, in better words.
    guard problem != .gone, told.insert("\(candidate.sysfsPath) \(problem)").inserted else {
      return
    }
    report(.problem(describe(candidate)))
  }

  /// Looks at what the motors' threads left.
  private func collect() {
    bell.clear()
    for (node, motor) in motors {
      let snapshot = motor.mailbox.snapshot
      switch snapshot.phase {
      case .probing: continue
      case .ready(let program):
        guard motor.program == nil else { continue }
        motor.program = program
        motor.policy = TickPolicy(
          motorClass: program.motorClass, lengthsMS: program.lengthsMS)
        told = told.filter { !$0.hasPrefix("\(motor.candidate.sysfsPath) ") }
        report(.ready(describe(motor.candidate)))
      case .failed(let problem):
        // A hang-up is noticed before udev tells of it.
        if problem == .gone, motor.program != nil { report(.removed(describe(motor.candidate))) }
        close(node)
        fail(motor.candidate, problem)
      }
    }
    for motor in closing where motor.mailbox.snapshot.isClosed {
      tally.motors += motor.mailbox.snapshot.counters
    }
    closing.removeAll { $0.mailbox.snapshot.isClosed }
    reconcile()
    finishStopping()
  }

  private func retry() {
    problems = problems.filter { !$0.value.isPassing }
    reconcile()
  }

  private func finishStopping() {
    if closing.isEmpty { stopWaiting() }
  }

  private func stopWaiting() {
    patienceTimer?.disarm()
    let handlers = whenStopped
    whenStopped = []
    for handler in handlers { handler() }
  }
}

/// A motor that is wanted: its thread's mailbox, and what the loop knows of it.
private final class Motor {
  let candidate: MotorCandidate
  let mailbox: MotorMailbox
  /// What the probe left; nil before.
  var program: MotorProgram?
  /// What may be played; nil before the probe has ended.
  var policy: TickPolicy?

  init(candidate: MotorCandidate, mailbox: MotorMailbox) {
    self.candidate = candidate
    self.mailbox = mailbox
  }
}
