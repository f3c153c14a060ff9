// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Testing

/// The example clients, each run against a daemon that plays a recording.
@Suite(.timeLimit(.minutes(1)), .enabled(if: DaemonProcess.isBuilt, "\(DaemonProcess.needsBinary)"))
struct ExamplesTests {
  private static let examples = SharedFixtures.tree + "/examples"
  /// Debian's, which knows Debian's packages.
  private static let python = "/usr/bin/python3"

  private static let configuration = """
    [[display]]
    width = 800
    height = 480
    [[picker]]
    id = "language"
    type = "swatches"
    region = { x = 0, y = 300, width = 800, height = 100 }
    colors = [{ value = "de", title = "Deutsch" }, { value = "fr", title = "Français" }]
    columns = 2
    size = 80
    selection = "de"
    """

  /// Whether a program ends well.
  private static func works(_ words: String...) -> Bool {
    guard let process = try? ChildProcess(words) else { return false }
    return (try? process.waitForEnd(seconds: 20)) == .exited(0)
  }

  /// A finger that taps one language after the other, for as long as it takes.
  private static func start() throws -> DaemonProcess {
    try DaemonProcess(
      configuration: configuration,
      arguments: ["--play", SharedFixtures.tree + "/Tests/Tables/taps.jsonl", "--loop"])
  }

  /// Runs a client until it has told of both languages, then ends the daemon.
  private static func run(
    _ words: [String], says: [String] = ["language Deutsch", "language Français"]
  )
    throws
  {
    let daemon = try start()
    let client = try ChildProcess(words + [daemon.socket])
    // Programs that a script started end with the daemon only, and what they write to is read to its end.
    defer { _ = try? daemon.stop() }
    for line in says {
      try client.waitForLine("\(line), twice", seconds: 30) { _ in
        client.outputLines.count(where: { $0.contains(line) }) > 1
      }
    }
    #expect(client.errorLines == [])
  }

  /// Runs a client that comes back against a daemon that says what nobody knows, and ends in the middle of a line.
  private static func surprise(_ words: [String]) throws {
    let server = try ScriptedServer(ScriptedServer.fromTheFuture)
    defer { server.stop() }
    let client = try ChildProcess(words + [server.socket])
    try client.waitForLine("the last selection", seconds: 20) { $0 == "weight second" }
    #expect(client.outputLines.contains("weight first"))
    #expect(!client.outputLines.contains { $0.contains("half") })
    #expect(server.connections == 3)
    server.stop()
    // It goes on trying.
    #expect(try client.endingSoFar() == nil)
  }

  @Test func `Python`() throws {
    let words = [Self.python, Self.examples + "/python/selections.py"]
    try Self.run(words)
    try Self.surprise(words)
  }

  @Test(.enabled(if: ChildProcess.isInstalled("node"), "needs node"))
  func `Node`() throws {
    let words = ["node", Self.examples + "/node/selections.mjs"]
    try Self.run(words)
    try Self.surprise(words)
  }

  @Test(
    .enabled(
      if: ChildProcess.isInstalled("socat") && ChildProcess.isInstalled("jq"),
      "needs socat and jq"))
  func `shell`() throws {
    try Self.run([Self.examples + "/shell/selections.sh"])
  }

  @Test(.enabled(if: works(python, "-c", "import gi"), "needs PyGObject (Debian: python3-gi)"))
  func `GTK`() throws {
    try Self.run([Self.python, Self.examples + "/gtk/selections.py"])
  }

  @Test(
    .enabled(
      if: works(python, "-c", "import PySide6.QtNetwork")
        || works(python, "-c", "import PyQt5.QtNetwork"),
      "needs PySide6 or PyQt5 (Debian: python3-pyqt5)"))
  func `Qt`() throws {
    try Self.run([Self.python, Self.examples + "/qt/selections.py"])
  }

  @Test(.enabled(if: ChildProcess.isInstalled("cc"), "needs cc"))
  func `C`() throws {
    var template = Array("/tmp/detent-example-XXXXXX".utf8CString)
    try #require(mkdtemp(&template) != nil)
    let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let program = folder + "/selections"
    defer {
      unlink(program)
      rmdir(folder)
    }
    let compiler = try ChildProcess(
      ["cc", "-Wall", "-Wextra", "-Werror", "-o", program, Self.examples + "/c/selections.c"])
    #expect(try compiler.waitForEnd(seconds: 30) == .exited(0), "\(compiler.errorLines)")
    try Self.run([program], says: [#""title":"Deutsch""#, #""title":"Français""#])
  }

  @Test func `Swift`() throws {
    // A program whose output goes to a pipe keeps it until there is much of it.
    try Self.run(["stdbuf", "-oL", DaemonProcess.binaries + "/Selections"])
  }

  @Test func `each is shorter than forty lines`() throws {
    let files = [
      "python/selections.py", "node/selections.mjs", "shell/selections.sh", "gtk/selections.py",
      "qt/selections.py", "c/selections.c", "swift/Sources/Selections/Selections.swift",
    ]
    for file in files {
      let text = try #require(SystemFiles.text(of: "\(Self.examples)/\(file)"), "\(file)")
      #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 40, "\(file)")
      #expect(text.contains("SPDX-License-Identifier: Apache-2.0"), "\(file)")
    }
  }
}
