// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import LinuxIO
import TestSupport
import Testing
import Wire

/// `detentctl doctor` in set-ups that are broken for real.
@Suite(
  .serialized, .enabled(if: InputNodes.canUseUinput, "\(InputNodes.needsUinput)"),
  .enabled(if: DaemonProcess.isBuilt, "\(DaemonProcess.needsBinary)"),
  .enabled(if: UdevRule.isPossible, "needs root and udev"))
struct DoctorTests {
  static let configuration = """
    [[display]]
    width = 1000
    height = 1000
    [[picker]]
    id = "ruler"
    type = "ruler"
    region = { x = 0, y = 0, width = 1000, height = 1000 }
    values = { from = 0, through = 100, step = 1 }
    """

  struct Answer {
    var status: ChildProcess.Ending
    var faults: [String]
    var touchCanWork: Bool
  }

  /// - Parameter asNobody: as a user that may open nothing of its own.
  static func doctor(
    _ daemon: DaemonProcess, asNobody: Bool = false, configuration: String? = nil,
    socket: String? = nil
  ) throws -> Answer {
    var words = [
      "\(DaemonProcess.binaries)/detentctl", "doctor", "--json", "--config",
      configuration ?? daemon.configurationFile, "--socket", socket ?? daemon.socket,
    ]
    if asNobody {
      words = ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] + words
      chmod(daemon.directory, 0o755)
      chmod(daemon.configurationFile, 0o644)
    }
    let process = try ChildProcess(words)
    let status = try process.waitForEnd(seconds: 30)
    let text = process.outputLines.joined()
    let value = try JSONParser.value(of: Array(text.utf8))
    guard case .array(let findings)? = value["findings"] else {
      throw TestFailure("\(text) \(process.errorLines)")
    }
    let faults = findings.filter { $0["state"] == .string("fault") }.map { finding in
      ["subject", "text", "cure"].map { name in
        if case .string(let text)? = finding[name] { text } else { "" }
      }.joined(separator: ": ")
    }
    return Answer(
      status: status, faults: faults, touchCanWork: value["touch_can_work"] == .bool(true))
  }

  private func start() throws -> DaemonProcess {
    try DaemonProcess(configuration: Self.configuration)
  }

  /// Haptics are off unless asked for: a motor of another test may answer late, or never.
  static func startWithPanel(haptics: String = "") throws -> DaemonProcess {
    let daemon = try DaemonProcess(configuration: configuration + "\n" + haptics)
    _ = try daemon.client.request("subscribe")
    for _ in 0..<100 {
      let reply = try daemon.client.request("devices")
      if case .array(let devices)? = reply["result"],
        devices.contains(where: { $0["kind"] == .string("touchscreen") })
      {
        return daemon
      }
      usleep(50_000)
    }
    throw TestFailure("the daemon does not use the panel")
  }

  @Test func `a panel that works has no fault`() throws {
    let panel = try VirtualTouchscreen()
    let daemon = try Self.startWithPanel()
    let answer = try Self.doctor(daemon)
    #expect(answer.faults == [] && answer.touchCanWork && answer.status == .exited(0))
    withExtendedLifetime(panel) {}
  }

  @Test func `no permission for a panel, and none for a motor`() throws {
    let panel = try VirtualTouchscreen()
    let motor = try VirtualMotor()
    let daemon = try Self.startWithPanel(
      haptics: "[haptics]\ndevice = { name = \"Detent nobody's\" }\n")
    chmod(panel.node, 0o600)
    chmod(motor.device.node, 0o600)
    chmod(daemon.socket, 0o666)
    let answer = try Self.doctor(daemon, asNobody: true)
    #expect(answer.faults.contains { $0.hasPrefix(panel.node) && $0.contains("udev rule") })
    #expect(
      answer.faults.contains { $0.hasPrefix("motor \(motor.device.node)") && $0.contains("EACCES") }
    )
    #expect(!answer.touchCanWork)
  }

  @Test func `a node that udev does not call an input device, and one of another seat`() throws {
    let plain = try UdevRule(
      #"KERNEL=="event*", ATTRS{name}=="Detent test untagged", ENV{ID_INPUT}="", ENV{ID_INPUT_TOUCHSCREEN}="""#
    )
    let seat = try UdevRule(
      #"KERNEL=="event*", ATTRS{name}=="Detent test other seat", ENV{ID_SEAT}="seat1""#)
    let untagged = try VirtualDevice(.touchscreen(name: "Detent test untagged"))
    let other = try VirtualDevice(.touchscreen(name: "Detent test other seat"))
    try Command.run(["udevadm", "settle"])
    let answer = try Self.doctor(try start())
    #expect(
      answer.faults.contains { $0.hasPrefix(untagged.node) && $0.contains("ID_INPUT") }, "\(answer)"
    )
    #expect(
      answer.faults.contains { $0.hasPrefix(other.node) && $0.contains("seat1") }, "\(answer)")
    #expect(!answer.touchCanWork)
    withExtendedLifetime((plain, seat)) {}
  }

  @Test func `a panel that another has alone, by its name`() throws {
    let panel = try VirtualTouchscreen()
    let daemon = try Self.startWithPanel()
    let holder = try OwnedDescriptor(opening: panel.node, flags: O_RDONLY | O_NONBLOCK)
    // EVIOCGRAB
    #expect(ioctl(holder.rawValue, 0x4004_4590, 1) == 0)
    let answer = try Self.doctor(daemon)
    #expect(
      answer.faults.contains { $0.hasPrefix(panel.node) && $0.contains("(\(getpid()))") },
      "\(answer)")
    #expect(!answer.touchCanWork)
  }

  @Test func `service down, socket unreadable, service hanging, configuration broken`() throws {
    let panel = try VirtualTouchscreen()
    let daemon = try Self.startWithPanel()
    let down = try Self.doctor(daemon, socket: "/run/detent-nowhere/detent.sock")
    #expect(down.faults.contains { $0.hasPrefix("socket") && $0.contains("is not there") })
    chmod(daemon.socket, 0o600)
    let unreadable = try Self.doctor(daemon, asNobody: true)
    #expect(unreadable.faults.contains { $0.hasPrefix("socket") && $0.contains("root:root 0600") })
    daemon.signal(SIGSTOP)
    let hanging = try Self.doctor(daemon)
    daemon.signal(SIGCONT)
    #expect(hanging.faults.contains { $0.hasPrefix("socket") && $0.contains("nothing is said") })
    let file = daemon.directory + "/broken.toml"
    try Array("[[displai]]\nwidth = 1\n".utf8).withUnsafeBytes {
      let output = try OwnedDescriptor(opening: file, flags: O_CREAT | O_WRONLY, mode: 0o644)
      try Descriptor.writeAll(output.rawValue, $0)
    }
    let broken = try Self.doctor(daemon, configuration: file)
    #expect(broken.faults.contains { $0.hasPrefix("configuration") && $0.contains("displai") })
    for answer in [down, unreadable, hanging, broken] {
      #expect(!answer.touchCanWork && answer.status == .exited(1))
    }
    withExtendedLifetime(panel) {}
  }
}
