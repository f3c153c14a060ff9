// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// What the programs make of their command lines, before they do anything.
@Suite(.enabled(if: DaemonProcess.isBuilt, "\(DaemonProcess.needsBinary)"))
struct CommandLineTests {
  private func run(_ words: String...) throws -> (
    process: ChildProcess, ending: ChildProcess.Ending
  ) {
    let process = try ChildProcess(
      ["\(DaemonProcess.binaries)/\(words[0])"] + words.dropFirst(),
      environment: ["DETENT_SOCKET": "/nowhere/detent.sock"])
    return (process, try process.waitForEnd())
  }

  /// Runs what is to be refused for a reason.
  private func expectRefusal(
    _ command: String, _ reason: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let words = command.split(separator: " ").map(String.init)
    let process = try ChildProcess(
      ["\(DaemonProcess.binaries)/\(words[0])"] + words.dropFirst(),
      environment: ["DETENT_SOCKET": "/nowhere/detent.sock"])
    #expect(try process.waitForEnd() == .exited(64), "\(command)", sourceLocation: sourceLocation)
    #expect(
      process.errorLines.first?.hasSuffix(": \(reason)") == true,
      "\(command): \(process.errorLines)", sourceLocation: sourceLocation)
    #expect(
      process.errorLines.contains { $0.hasPrefix("usage: \(words[0])") },
      "\(command): \(process.errorLines)", sourceLocation: sourceLocation)
  }

  @Test func `both say their version and what they were built with`() throws {
    for program in ["detentd", "detentctl"] {
      let (process, ending) = try run(program, "--version")
      #expect(ending == .exited(0))
      #expect(process.outputLines.first?.hasPrefix("\(program) 0.") == true)
      #expect(process.outputLines.last?.contains("libinput 1.") == true)
    }
  }

  @Test(arguments: ["list --help", "list -h", "help list"])
  func `a command says how it is called`(command: String) throws {
    let words = command.split(separator: " ").map(String.init)
    let (process, ending) = try run("detentctl", words[0], words[1])
    #expect(ending == .exited(0))
    #expect(
      process.outputLines == [
        "usage: detentctl list [--json]", "", "all pickers and what is selected",
      ])
  }

  @Test func `what is too much is named`() throws {
    try expectRefusal("detentctl list me", "what is me?")
    try expectRefusal("detentctl --version me", "what is me?")
    try expectRefusal("detentctl move weight 1 2", "what is 2?")
    try expectRefusal("detentctl play tick light", "what is light?")
    try expectRefusal("detentctl play --all light", "what is light?")
    try expectRefusal("detentctl select weight 72 --null", "what is 72?")
    try expectRefusal("detentctl select weight 72 --index 3", "what is 72?")
    try expectRefusal("detentctl monitor --json", "unknown option --json")
    try expectRefusal("detentd me", "what is me?")
    try expectRefusal("detentd --check a.toml b.toml", "what is b.toml?")
    try expectRefusal("detentd --check a.toml --config b.toml", "what is a.toml?")
  }

  @Test func `what does not fit together is refused`() throws {
    try expectRefusal(
      "detentctl select weight --index 3 --null", "--index and --null do not fit together")
    try expectRefusal(
      "detentctl monitor --titles --motion", "--motion and --titles do not fit together")
    try expectRefusal(
      "detentctl stats --prometheus --json", "--prometheus and --json do not fit together")
    try expectRefusal("detentd --loop", "--loop needs --play")
    try expectRefusal("detentd --once", "--once needs --play")
    try expectRefusal("detentd --play a --loop --once", "--loop and --once do not fit together")
    try expectRefusal("detentd --play a --device b", "--play and --device do not fit together")
    try expectRefusal("detentd --check --play a", "--check and --play do not fit together")
  }

  @Test func `a value may begin as a negative number does`() throws {
    let (process, ending) = try run("detentd", "--check", "--config", "-1.toml")
    #expect(ending == .exited(1))
    #expect(process.errorLines.first?.hasPrefix("-1.toml: error: does not exist") == true)
  }
}
