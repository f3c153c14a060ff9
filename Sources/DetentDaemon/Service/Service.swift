// SPDX-License-Identifier: Apache-2.0

import Gestures
import Glibc
import Haptics
package import InputDevices
package import LinuxIO
import Pickers
import Scene
import SocketServer
import Wire

/// The daemon: input devices, scene, motors and clients, joined on one loop.
package final class Service {
  let options: ServiceOptions
  /// The loop that it lives on.
  package let loop: EventLoop
  var log: Log
  var configuration: Configuration
  var scene: Scene
  var server: SocketServer?
  var inputs: InputDevices?
  var player: RecordingPlayer?
  var haptics: Haptics?
  var statistics = Statistics()
  // Who added which picker: it goes with its client.
  var owners: [String: ClientID] = [:]
  // The node that last moved a picker, whose own motor speaks for it.
  var pickerNodes: [String: String] = [:]
  var devices: [InputDevice] = []
  var configurationWatch: FileWatch?
  var sleepWatch: SleepWatch?
  // The selections that outlive the service; nil until a picker wants that.
  var memory: Memory?
  var isMemoryBroken = false
  var isStopping = false

  private var encoder = EventEncoder()
  private var timer: TimerSource?
  private var signals: [SignalSource] = []
  private var currentDevice: Int?
  // What is being told; its memory and the scene's take turns.
  private var told: [SceneEvent] = []

  /// A service that is ready to run.
  ///
  /// - Throws: Why it cannot start, with the cure.
  package init(options: ServiceOptions) throws {
    self.options = options
    log = Log(identifier: "detentd", threshold: options.isVerbose ? .debug : .info)
    configuration = try Configuration(file: options.configuration)
    loop = try EventLoop()
    try log.tellHeldInTime(on: loop)
    scene = Scene(settings: configuration.scene, timeUs: EventLoop.clockUs())
    scene.open(configuration.pickers, timeUs: EventLoop.clockUs())
    tellWarnings(of: configuration)
    restoreSelections(of: scene.ids)
  }

  /// Runs until it is told to stop.
  ///
  /// - Returns: The exit status.
  package func run() throws -> Int32 {
    try prepare()
    return try loop.run()
  }

  /// Opens everything and says that it is ready; what happens then, the loop tells it.
  package func prepare() throws {
    timer = try loop.timer { [unowned self] _ in timePassed() }
    try watchSignals()
    try startServer()
    startHaptics()
    try startInput()
    watchConfiguration()
    watchSleep()
    try loop.enableWatchdog()
    ServiceManager.ready(status: status)
    log.info("ready: \(status)")
  }

  var status: String {
    "\(devices.count.of("device")), \(scene.ids.count.of("picker"))"
  }

  // MARK: Starting

  private func startServer() throws {
    var listeners = try UnixListener.inherited { [log] number in
      log.warning("descriptor \(number) from the service manager is no Unix stream socket")
    }
    if listeners.isEmpty {
      listeners = [try UnixListener(listeningAt: options.socket, group: Self.socketGroup)]
    }
    let server = try SocketServer(
      listeners: listeners,
      identity: SocketServer.Identity(
        version: Version.current, instance: Self.instance(),
        allowControl: configuration.allowControl),
      loop: loop)
    server.delegate = self
    self.server = server
  }

  /// The group of the socket, where the system has it and this user may give it away.
  private static var socketGroup: String? {
    guard let number = Accounts.group(named: "detent"), getuid() == 0 || getgid() == number
    else { return nil }
    return "detent"
  }

  private static func instance() -> String {
    String(UInt64.random(in: .min ... .max), radix: 16)
  }

  private func startHaptics() {
    do {
      haptics = try Haptics(settings: configuration.haptics, loop: loop) { [unowned self] in
        hapticsChanged($0)
      }
    } catch {
      log.warning("no motors: \(error); everything else works without them")
    }
  }

  private func startInput() throws {
    switch options.input {
    case .seat: try startDevices(.seat(configuration.seat))
    case .nodes(let nodes): try startDevices(.paths(nodes))
    case .recording(let path, let repetition):
      let player = try RecordingPlayer(path: path, repetition: repetition, loop: loop) {
        [unowned self] in
        inputChanged($0, timeUs: $1)
      } ended: {
        [unowned self] in
        recordingEnded($0)
      }
      self.player = player
      player.start()
    }
  }

  private func recordingEnded(_ ending: RecordingPlayer.Ending) {
    switch ending {
    // A service that goes with its recording may have come to rest before.
    case .played: settle()
    case .failed(let error):
      log.error(
        "\(error); correct the recording, detentctl replay checks all of it, and start anew")
      stop(status: 1)
    }
  }

  private func startDevices(_ source: InputDevices.Source) throws {
    var settings = InputDevices.Settings { [unowned self] level, message in
      log(level, "libinput: \(message)")
    }
    settings.knobs = configuration.knobs
    settings.isVerbose = options.isVerbose
    let inputs = try InputDevices(source: source, loop: loop, settings: settings) {
      [unowned self] change in inputChanged(change, timeUs: loop.nowUs)
    }
    inputs.aroundReading = { [unowned self] read in tellingAtOnce(read) }
    self.inputs = inputs
    try inputs.start()
  }

  private func watchSignals() throws {
    signal(SIGPIPE, SIG_IGN)
    for number in [SIGTERM, SIGINT] {
      signals.append(try loop.signal(number) { [unowned self] _ in stop() })
    }
    signals.append(try loop.signal(SIGHUP) { [unowned self] _ in _ = reload() })
  }

  // MARK: Input

  /// Takes what the devices, or a recording in their place, said.
  ///
  /// - Parameter timeUs: When, by the loop's clock, in microseconds.
  package func inputChanged(_ change: InputDevices.Change, timeUs: Int64) {
    switch change {
    case .event(let event):
      statistics.events += 1
      currentDevice = event.device
      if case .cancel = event.kind { haptics?.stopAll() }
      scene.handle(event)
      settle()
      currentDevice = nil
    case .added(let device): deviceAdded(device, timeUs: timeUs)
    case .removed(let device): deviceRemoved(device, timeUs: timeUs)
    case .refused(let node, let name, let reason):
      // What may not be opened is somebody's business; what is no touch device is nobody's.
      let level: LogLevel = access(node, R_OK) == 0 ? .info : .error
      log(level, "not used: \(name.isEmpty ? node : name): \(reason)", ["DEVICE": node])
    case .grab(let device, let outcome):
      log.notice("\(device.name): \(outcome)", ["DEVICE": device.node])
    }
  }

  private func timePassed() {
    // What the kernel has said already comes before what is due now.
    tellingAtOnce {
      inputs?.drain()
      scene.advance(toUs: loop.nowUs)
      settle()
    }
  }

  /// Lets clients hear what happens meanwhile without another round of the loop, of which this must be a handler.
  private func tellingAtOnce(_ work: () -> Void) {
    if let server { server.sendingAtOnce(work) } else { work() }
  }

  /// Tells everybody what happened, and sets the clock for what happens next.
  func settle() {
    var told: [SceneEvent] = []
    swap(&told, &self.told)
    var deadlineUs: Int64?
    repeat {
      deadlineUs = scene.takeEvents(&told)
      for event in told { tell(event) }
    } while !told.isEmpty
    swap(&told, &self.told)
    if player?.isOver ?? false, !scene.isGliding { stop() }
    if let deadlineUs {
      if timer?.armedForUs != deadlineUs { timer?.arm(atUs: deadlineUs) }
    } else if timer?.armedForUs != nil {
      timer?.disarm()
    }
  }

  private func tell(_ event: SceneEvent) {
    var played = false
    if case .picker(let picker, _, let event) = event {
      switch event.kind {
      case .settle: noteNode(picker)
      case .cue(let cue, let passed):
        noteNode(picker)
        played = play(cue, passed: passed, picker, event.timeUs)
      default: break
      }
    }
    if case .selection(let change) = event { remember(change) }
    if case .pickerChanged(.removed, let picker, _) = event { forget(picker.id) }
    let topic = encoder.write(event, played: played)
    server?.publish(topic.name, picker: topic.picker, line: encoder.line)
  }

  /// A picker is gone, whoever took it away: another of its name begins anew.
  private func forget(_ picker: String) {
    owners[picker] = nil
    pickerNodes[picker] = nil
  }

  /// Sends a notification that does not come from the scene, after what the scene has to say before it.
  func tell(_ name: EventName, timeUs: Int64, _ body: (inout JSONWriter) -> Void) {
    let timeUs = scene.catchUp(toUs: timeUs)
    settle()
    encoder.write(name, picker: nil, timeUs: timeUs, body)
    server?.publish(name, picker: nil, line: encoder.line)
  }

  // MARK: Haptics

  /// Ticks of a glide are felt where the finger was that let go.
  private func noteNode(_ picker: String) {
    guard let currentDevice,
      let node = devices.first(where: { $0.number == currentDevice })?.node
    else { return }
    pickerNodes[picker] = node
  }

  private func play(_ cue: Cue, passed: Int?, _ picker: String, _ timeUs: Int64) -> Bool {
    haptics?.play(
      cue, eventTimeUs: timeUs, nowUs: EventLoop.clockUs(), isTick: passed != nil,
      steps: passed ?? 1, display: scene.display(ofPicker: picker),
      inputNode: pickerNodes[picker]) ?? false
  }
}
