// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Testing

/// A daemon that the system gives too little.
@Suite(.enabled(if: DaemonProcess.isBuilt, "\(DaemonProcess.needsBinary)"))
struct BlindRunTests {
  /// Whether a program may be given a limit of its own for inotify.
  private static let canLimit: Bool = {
    let words = ["unshare", "-Ur", "sh", "-c", "echo 0 > /proc/sys/user/max_inotify_watches"]
    return (try? ChildProcess(words).waitForEnd()) == .exited(0)
  }()

  @Test(.enabled(if: canLimit, "needs user namespaces"))
  func `a file whose changes cannot be noticed is warned of, with the cure`() throws {
    let folder = try TemporaryFolder()
    try folder.write(DaemonProcess.oneRuler, to: "detent.toml")
    try folder.write("{\"recording\":1,\"devices\":[]}\n", to: "none.jsonl")
    let script = "echo 1 > /proc/sys/user/max_inotify_watches; exec \"$@\""
    let daemon = try ChildProcess(
      ["unshare", "-Ur", "sh", "-c", script, "sh", DaemonProcess.binaries + "/detentd"]
        + ["--config", folder.path + "/detent.toml", "--socket", folder.path + "/s"]
        + ["--state", folder.path, "--play", folder.path + "/none.jsonl"])
    let line = try Waiting.value("a warning; it said \(daemon.errorLines)", seconds: 20) {
      daemon.errorLines.first { $0.contains("are not noticed") }
    }
    #expect(line.contains("warning: changes of \(folder.path)/detent.toml"))
    #expect(line.contains("ENOSPC") && line.contains("fs.inotify.max_user_watches"))
    daemon.signal(SIGTERM)
    #expect(try daemon.waitForEnd() == .exited(0))
  }

  @Test(.enabled(if: SystemBus.isInstalled, "\(SystemBus.needsDaemon)"))
  func `an inhibitor that cannot be kept is told of, and asked for again`() throws {
    let bus = try SystemBus()
    var logind: LoginManager? = try LoginManager(on: bus)
    // Nothing that is played sleeps; a node that is not there does.
    let daemon = try DaemonProcess(
      configuration: DaemonProcess.oneRuler, arguments: ["--device", "/dev/input/none"],
      environment: bus.environment)
    func waitForInhibitor() throws {
      try Waiting.until("the inhibitor") {
        try logind?.turn()
        return logind?.held == 1
      }
    }
    try waitForInhibitor()
    // What logind sends has room, a copy of it does not.
    let open = Set(SystemFiles.names(in: "/proc/\(daemon.pid)/fd").compactMap { Int($0) })
    let free = try #require((0...1024).first { !open.contains($0) })
    func limitFiles(_ limit: Int) throws {
      let words = ["prlimit", "--pid", "\(daemon.pid)", "--nofile=\(limit):"]
      #expect(try ChildProcess(words).waitForEnd() == .exited(0))
    }
    try limitFiles(free + 1)
    logind = nil
    logind = try LoginManager(on: bus)
    try Waiting.until("a line of the log; it is \(daemon.log)") {
      try logind?.turn()
      return daemon.log.contains { $0.contains("cannot be kept: EMFILE") }
    }
    try limitFiles(1024)
    logind = nil
    logind = try LoginManager(on: bus)
    try waitForInhibitor()
    #expect(try daemon.stop() == .exited(0))
  }
}
