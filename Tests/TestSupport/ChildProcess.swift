// SPDX-License-Identifier: Apache-2.0

package import CLinux
import Glibc
import LinuxIO
import Synchronization

/// A program that a test runs beside itself; killed when the last reference goes.
package final class ChildProcess: Sendable {
  /// How a program ended.
  package enum Ending: Hashable, Sendable {
    case exited(CInt)
    case killed(signal: CInt)
  }

  /// The program's process id.
  package let pid: pid_t

  private let name: String
  private let output: Output
  private let reader: BackgroundThread
  private let ending = Mutex<Ending?>(nil)

  /// Starts a program with nothing to read.
  ///
  /// - Parameters:
  ///   - arguments: the program, looked up in PATH, and its arguments.
  ///   - environment: variables that are added to those of the test.
  package init(_ arguments: [String], environment: [String: String] = [:]) throws {
    name = arguments.first ?? ""
    let standardOutput = try Self.pipe()
    let standardError = try Self.pipe()
    pid = try Self.spawn(
      arguments, environment: environment, output: standardOutput.write.rawValue,
      error: standardError.write.rawValue)
    let output = Output(
      descriptors: [standardOutput.read.release(), standardError.read.release()])
    self.output = output
    reader = try BackgroundThread { output.collect() }
  }

  /// Whether PATH has a program of this name.
  package static func isInstalled(_ program: String) -> Bool {
    guard let folders = getenv("PATH") else { return false }
    return String(cString: folders).split(separator: ":").contains {
      access("\($0)/\(program)", X_OK) == 0
    }
  }

  deinit {
    if ending.withLock({ $0 == nil }) {
      kill(pid, SIGKILL)
      _ = try? waitForEnd(seconds: 5)
    }
    reader.join()
  }

  /// The complete lines of its standard output so far.
  package var outputLines: [String] { output.lines(of: 0) }

  /// The complete lines of its standard error so far.
  package var errorLines: [String] { output.lines(of: 1) }

  /// Waits for a line of standard output that fits, and gives it.
  @discardableResult
  package func waitForLine(
    _ what: String, seconds: Double = 15, where fits: (String) -> Bool
  ) throws -> String {
    try Waiting.value("\(what) from \(name); it said \(outputLines)", seconds: seconds) {
      outputLines.first(where: fits)
    }
  }

  /// Sends a signal, unless it has ended.
  package func signal(_ number: CInt) {
    ending.withLock { ending in
      if ending == nil { kill(pid, number) }
    }
  }

  /// Waits for the end.
  @discardableResult
  package func waitForEnd(seconds: Double = 10) throws -> Ending {
    let ended = try Waiting.value(
      "\(name) to end; it said \(outputLines.suffix(5)) \(errorLines.suffix(5))", seconds: seconds
    ) {
      try endingSoFar()
    }
    // What a descendant of it keeps open does not hold the test up.
    try? Waiting.until("the end of its output", seconds: 1) { output.isComplete }
    return ended
  }

  /// How it ended; nil while it runs.
  package func endingSoFar() throws -> Ending? {
    try ending.withLock { ending in
      if ending == nil { ending = try Self.reap(pid) }
      return ending
    }
  }

  private static func reap(_ pid: pid_t) throws(Errno) -> Ending? {
    var status: CInt = 0
    guard try retryingInterrupts({ waitpid(pid, &status, WNOHANG) }) == pid else { return nil }
    // As WIFEXITED and its fellows, which are macros.
    let signal = status & 0x7F
    return signal == 0 ? .exited((status >> 8) & 0xFF) : .killed(signal: signal)
  }

  struct Pipe: ~Copyable {
    let read: OwnedDescriptor
    let write: OwnedDescriptor
  }

  static func pipe() throws(Errno) -> Pipe {
    var ends: [CInt] = [-1, -1]
    _ = try retryingInterrupts { detent_pipe(&ends) }
    // The program's end must block, as programs expect of their output.
    _ = fcntl(ends[1], F_SETFL, O_WRONLY)
    return Pipe(read: OwnedDescriptor(owning: ends[0]), write: OwnedDescriptor(owning: ends[1]))
  }

  private static func spawn(
    _ arguments: [String], environment: [String: String], output: CInt, error: CInt
  ) throws -> pid_t {
    guard let program = arguments.first else { throw Errno.invalid }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, output, 1)
    posix_spawn_file_actions_adddup2(&actions, error, 2)
    // Tests run on threads that block signals; a program of its own would be deaf to those that end it.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var noSignals = sigset_t()
    sigemptyset(&noSignals)
    posix_spawnattr_setsigmask(&attributes, &noSignals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))

    var variables: [String] = []
    var entry: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = environ
    while let text = entry?.pointee {
      let variable = String(cString: text)
      if environment[String(variable.prefix { $0 != "=" })] == nil { variables.append(variable) }
      entry = entry?.advanced(by: 1)
    }
    variables += environment.map { "\($0.key)=\($0.value)" }

    var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    var settings: [UnsafeMutablePointer<CChar>?] = variables.map { strdup($0) } + [nil]
    defer { for pointer in words + settings { free(pointer) } }
    var pid: pid_t = 0
    let result = posix_spawnp(&pid, program, &actions, &attributes, &words, &settings)
    guard result == 0 else {
      throw TestFailure("\(arguments) cannot be started: \(Errno(rawValue: result))")
    }
    return pid
  }
}

/// What a program writes, collected by a thread so that the program never waits for the test.
private final class Output: Sendable {
  private let descriptors: [CInt]
  private let state: Mutex<State>

  private struct State {
    var bytes: [[UInt8]]
    var isComplete = false
  }

  init(descriptors: [CInt]) {
    self.descriptors = descriptors
    state = Mutex(State(bytes: Array(repeating: [], count: descriptors.count)))
  }

  deinit {
    for descriptor in descriptors { close(descriptor) }
  }

  var isComplete: Bool { state.withLock { $0.isComplete } }

  func lines(of index: Int) -> [String] {
    let bytes = state.withLock { $0.bytes[index] }
    return bytes.split(separator: 10, omittingEmptySubsequences: false).dropLast()
      .map { String(decoding: $0, as: UTF8.self) }
  }

  func collect() {
    var waits = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while waits.contains(where: { $0.fd >= 0 }) {
      guard poll(&waits, UInt(waits.count), -1) > 0 else { continue }
      for index in waits.indices where waits[index].fd >= 0 && waits[index].revents != 0 {
        let count = Glibc.read(descriptors[index], &buffer, buffer.count)
        if count > 0 {
          state.withLock { $0.bytes[index] += buffer.prefix(count) }
        } else if count == 0 || (errno != EAGAIN && errno != EINTR) {
          waits[index].fd = -1
        }
      }
    }
    state.withLock { $0.isComplete = true }
  }
}
