// SPDX-License-Identifier: Apache-2.0

package import CLinux
import Glibc
import LinuxIO
package import Wire

/// A running detentd with a configuration, a socket and a state directory of its own.
package final class DaemonProcess {
  /// The folder of the daemon's files, removed with this object.
  package let directory: String
  /// Where clients connect.
  package let socket: String
  /// The configuration file.
  package let configurationFile: String
  /// The params of the daemon's `hello`.
  package let hello: JSONValue
  /// The first client, which read `hello` and nothing else yet.
  package let client: LineConnection

  private let process: ChildProcess

  /// A configuration of one display of 1000 × 500 points and the ruler `weight` on it, which opens on 72.
  package static let oneRuler = """
    [[display]]
    id = "main"
    width = 1000
    height = 500

    [[picker]]
    id = "weight"
    type = "ruler"
    region = { x = 0, y = 100, width = 1000, height = 200 }
    values = { from = 40, through = 120, step = 1 }
    selection = 72
    """

  /// The folder of the built programs: that of the running test bundle, or DETENT_TEST_BINARIES.
  package static let binaries: String = {
    if let folder = getenv("DETENT_TEST_BINARIES") { return String(cString: folder) }
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    let path = buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }
    return String(decoding: path[..<(path.lastIndex(of: UInt8(ascii: "/")) ?? 0)], as: UTF8.self)
  }()

  /// Whether there is a detentd to run.
  package static let isBuilt = access("\(binaries)/detentd", X_OK) == 0
  /// Why tests with `.enabled(if: DaemonProcess.isBuilt)` do not run.
  package static let needsBinary = "needs detentd beside the test bundle, or DETENT_TEST_BINARIES"

  /// Starts a daemon and waits for its `hello`.
  ///
  /// - Parameters:
  ///   - configuration: the text of the configuration file; haptics are off where it does not speak of them,
  ///     because the motors that are there may be another test's.
  ///   - arguments: more arguments of detentd.
  ///   - environment: variables that are added to those of the test.
  ///   - path: the socket; nil for one in the daemon's own folder.
  package init(
    configuration: String, arguments: [String] = [], environment: [String: String] = [:],
    socket path: String? = nil
  ) throws {
    let directory = try Self.makeDirectory()
    var isRunning = false
    defer { if !isRunning { Self.remove(directory) } }
    let socket = path ?? directory + "/detent.sock"
    let file = directory + "/detent.toml"
    let hasHaptics = configuration.contains("[haptics]")
    try Self.write(
      configuration + (hasHaptics ? "" : "\n[haptics]\nenabled = false\n"), to: file)
    var variables = environment
    variables["STATE_DIRECTORY"] = environment["STATE_DIRECTORY"] ?? directory + "/state"
    mkdir(directory + "/state", 0o755)
    let process = try ChildProcess(
      [Self.binaries + "/detentd", "--config", file, "--socket", socket] + arguments,
      environment: variables)
    let client = try Waiting.value(
      "detentd to listen; it said \(process.errorLines.suffix(8))", seconds: 20
    ) {
      if let client = try? LineConnection(path: socket) { return client }
      guard let ending = try process.endingSoFar() else { return nil }
      try process.waitForEnd()
      throw TestFailure("detentd ended (\(ending)): \(process.errorLines.suffix(8))")
    }
    hello = try client.waitFor("hello")
    self.directory = directory
    self.socket = socket
    self.client = client
    self.process = process
    configurationFile = file
    isRunning = true
  }

  deinit {
    process.signal(SIGKILL)
    _ = try? process.waitForEnd()
    Self.remove(directory)
  }

  /// One more client; it has not read its `hello` yet.
  package func connect() throws -> LineConnection {
    try LineConnection(path: socket)
  }

  /// The daemon's process id.
  package var pid: pid_t { process.pid }

  /// The lines of the daemon's standard error so far: its log.
  package var log: [String] { process.errorLines }

  /// The memory that is the daemon's alone and was written to, in kibibytes.
  package func privateDirtyKB() throws -> Int {
    let text = SystemFiles.text(of: "/proc/\(pid)/smaps_rollup") ?? ""
    for line in text.split(separator: "\n") where line.hasPrefix("Private_Dirty:") {
      if let number = line.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) {
        return number
      }
    }
    throw TestFailure("no Private_Dirty of process \(pid)")
  }

  /// Replaces the configuration file in one step, as editors do.
  package func writeConfiguration(_ text: String) throws {
    try Self.write(text, to: configurationFile + ".new")
    guard rename(configurationFile + ".new", configurationFile) == 0 else { throw Errno.current }
  }

  /// Sends a signal, such as SIGHUP.
  package func signal(_ number: CInt) {
    process.signal(number)
  }

  /// Asks the daemon to stop and waits for its end.
  @discardableResult
  package func stop() throws -> ChildProcess.Ending {
    process.signal(SIGTERM)
    return try process.waitForEnd()
  }

  /// Ends the daemon without a chance to tidy up.
  package func kill() throws {
    process.signal(SIGKILL)
    try process.waitForEnd()
  }

  /// Waits for the daemon's own end.
  @discardableResult
  package func waitForEnd(seconds: Double = 10) throws -> ChildProcess.Ending {
    try process.waitForEnd(seconds: seconds)
  }

  private static func makeDirectory() throws -> String {
    // Short: the path of a socket has at most 107 bytes.
    var template = Array("/tmp/detent-test.XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw Errno.current }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private static func write(_ text: String, to path: String) throws {
    let file = try OwnedDescriptor(
      opening: path, flags: O_WRONLY | O_CREAT | O_TRUNC, mode: 0o644)
    try Array(text.utf8).withUnsafeBytes { try Descriptor.writeAll(file.rawValue, $0) }
  }

  private static func remove(_ directory: String) {
    for name in SystemFiles.names(in: directory) {
      let path = "\(directory)/\(name)"
      if unlink(path) != 0 { remove(path) }
    }
    rmdir(directory)
  }
}
