// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import TestSupport
import Wire

/// A machine with systemd as its first process on which Detent's package is installed.
///
/// What tests do here changes the whole machine, so they run only where scripts/test made one for them and says
/// which package to install, by DETENT_PACKAGE.
enum Kiosk {
  /// The package; nil where this is no machine for system tests.
  static let package: String? = {
    guard access("/run/systemd/system", F_OK) == 0, getuid() == 0, InputNodes.canUseUinput else {
      return nil
    }
    return getenv("DETENT_PACKAGE").map { String(cString: $0) }
  }()
  /// Why tests with `.enabled(if: Kiosk.package != nil)` do not run.
  static let needsPackage = "needs DETENT_PACKAGE and systemd; scripts/test boots a guest for it"

  /// Where the service's configuration is.
  static let configurationFile = "/etc/detent/detent.toml"
  /// Where the service listens.
  static let socket = "/run/detent/detent.sock"

  /// One ruler that covers the display, and motors and knobs by name: tests' own are virtual ones.
  static func configuration(picker: String = "ruler", extra: String = "") -> String {
    """
    \(extra)
    [haptics]
    device = { name = "drv260x:haptics" }
    [[display]]
    width = 1000
    height = 1000
    [[knob]]
    device = { name = "rotary@*" }
    [[picker]]
    id = "\(picker)"
    type = "ruler"
    region = { x = 0, y = 0, width = 1000, height = 1000 }
    values = { from = 0, through = 100, step = 1 }
    selection = 50
    """
  }

  /// Installs the package where it is not, with the users of the tests.
  static func ensureInstalled() throws {
    guard access("/usr/bin/detentd", X_OK) != 0 else { return }
    try install()
    try run("useradd", "--no-create-home", "kiosk").expectSuccess()
    // As README says it.
    try run("usermod", "-aG", "detent", "kiosk").expectSuccess()
    try run("useradd", "--no-create-home", "--groups", "detent", "keeper").expectSuccess()
    try run("useradd", "--no-create-home", "stranger").expectSuccess()
  }

  /// Makes sure of the package and starts the service anew with a configuration.
  static func prepare(configuration: String = configuration()) throws {
    try ensureInstalled()
    try writeConfiguration(configuration)
    try run("systemctl", "restart", "detent.service").expectSuccess()
  }

  /// What dpkg knows: nothing, because reading of all that this machine has takes an emulator minutes.
  private static let database = "/var/lib/detent-test-dpkg"

  /// Installs the package.
  static func install() throws {
    guard let package else { throw TestFailure(needsPackage) }
    for folder in ["", "/info", "/updates", "/triggers"] { mkdir(database + folder, 0o755) }
    try run("touch", database + "/status", database + "/available").expectSuccess()
    // What it depends on is there for the tests themselves; dpkg need not agree on where it came from.
    try run(
      "dpkg", "--admindir", database, "--force-depends", "--force-unsafe-io", "--install", package,
      seconds: 240
    ).expectSuccess()
  }

  /// Takes the package away with all that it left, where it is installed, and the users of the tests.
  static func purge() throws {
    guard access("/usr/bin/detentd", X_OK) == 0 else { return }
    try run(
      "dpkg", "--admindir", database, "--force-unsafe-io", "--purge", "detent", seconds: 240
    ).expectSuccess()
    for user in ["kiosk", "keeper", "stranger"] { try run("userdel", user) }
  }

  /// Replaces the configuration in one step, as editors do.
  static func writeConfiguration(_ text: String) throws {
    let new = configurationFile + ".new"
    do {
      let file = try OwnedDescriptor(
        opening: new, flags: O_WRONLY | O_CREAT | O_TRUNC, mode: 0o644)
      try Array(text.utf8).withUnsafeBytes { try Descriptor.writeAll(file.rawValue, $0) }
    }
    guard rename(new, configurationFile) == 0 else { throw Errno.current }
  }

  /// Runs a program to its end.
  @discardableResult
  static func run(_ words: String..., seconds: Double = 60) throws -> Outcome {
    let process = try ChildProcess(words)
    let ending = try process.waitForEnd(seconds: seconds)
    return Outcome(
      words: words, ending: ending, output: process.outputLines, errors: process.errorLines)
  }

  /// Runs a program to its end as one of the users of the tests, with that user's groups.
  static func run(as user: String, _ words: String...) throws -> Outcome {
    let process = try start(as: user, words)
    let ending = try process.waitForEnd(seconds: 30)
    return Outcome(
      words: words, ending: ending, output: process.outputLines, errors: process.errorLines)
  }

  /// Starts a program as one of the users of the tests.
  static func start(as user: String, _ words: [String]) throws -> ChildProcess {
    try ChildProcess(["setpriv", "--reuid=\(user)", "--regid=\(user)", "--init-groups"] + words)
  }

  /// The last lines about the service in the journal.
  static func journal(_ options: String...) throws -> [String] {
    let words =
      ["journalctl", "--unit=detent.service", "--lines=50", "--output=cat", "--no-pager"] + options
    let process = try ChildProcess(words)
    try process.waitForEnd(seconds: 60)
    return process.outputLines
  }

  /// Runs with a unit that a drop-in changes.
  static func whileChanged(
    _ text: String, of unit: String = "detent.service", _ body: () throws -> Void
  ) throws {
    let folder = "/run/systemd/system/\(unit).d"
    mkdir(folder, 0o755)
    let file = "\(folder)/test.conf"
    do {
      let output = try OwnedDescriptor(
        opening: file, flags: O_WRONLY | O_CREAT | O_TRUNC, mode: 0o644)
      try Array(text.utf8).withUnsafeBytes { try Descriptor.writeAll(output.rawValue, $0) }
    }
    defer {
      unlink(file)
      rmdir(folder)
      _ = try? run("systemctl", "daemon-reload")
    }
    try run("systemctl", "daemon-reload").expectSuccess()
    try body()
  }

  /// A property of the service, as `systemctl show` prints it.
  static func property(_ name: String, of unit: String = "detent.service") throws -> String {
    try run("systemctl", "show", "--value", "--property", name, unit).output.first ?? ""
  }

  /// The service's process; nil where it does not run.
  static func servicePID() throws -> pid_t? {
    guard let pid = pid_t(try property("MainPID")), pid > 0 else { return nil }
    return pid
  }

  /// Waits until the service is ready, as another process than `old` where one is named.
  @discardableResult
  static func waitForService(otherThan old: pid_t? = nil, seconds: Double = 30) throws -> pid_t {
    try Waiting.value("detent.service to be active", seconds: seconds) {
      let state = try run(
        "systemctl", "show", "--property=ActiveState,MainPID", "detent.service"
      ).output
      guard state.contains("ActiveState=active"),
        let pid = state.lazy.compactMap({ $0.wholeMatch(of: /MainPID=(\d+)/)?.1 }).first,
        let number = pid_t(pid), number > 0, number != old
      else { return nil }
      return number
    }
  }

  /// A client that has subscribed.
  static func subscribe() throws -> LineConnection {
    let client = try LineConnection(path: socket)
    _ = try client.waitFor("hello", seconds: 20)
    _ = try client.request("subscribe")
    return client
  }

  /// Waits until the service uses a device of this name.
  static func waitForDevice(_ name: String, _ client: LineConnection) throws {
    try Waiting.until("the device \(name)", seconds: 20) {
      let reply = try client.request("devices")
      guard case .array(let devices)? = reply["result"] else { return false }
      return devices.contains {
        $0["name"] == .string(name) && ($0["state"] == nil || $0["state"] == .string("ready"))
      }
    }
  }
}

/// How a program ended, and what it said.
struct Outcome {
  var words: [String]
  var ending: ChildProcess.Ending
  var output: [String]
  var errors: [String]

  /// Whether it ended with status 0.
  var isSuccess: Bool { ending == .exited(0) }

  /// Throws with all that it said where it did not end well.
  func expectSuccess() throws {
    guard isSuccess else {
      throw TestFailure("\(words): \(ending): \(output.suffix(5)) \(errors.suffix(10))")
    }
  }
}
