// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// Shell completions and manual pages against what the programs themselves say.
@Suite(.enabled(if: DaemonProcess.isBuilt, "\(DaemonProcess.needsBinary)"))
struct CompletionTests {
  private static let tree = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }
  private static let program = DaemonProcess.binaries + "/detentctl"

  /// The commands of `detentctl --help` with their long options.
  private func commands() throws -> [String: Set<String>] {
    let lines = try output([Self.program, "--help"]).filter { $0.hasPrefix("  ") }
    var commands: [String: Set<String>] = [:]
    for line in lines {
      let words = line.split { " []|".contains($0) }.map(String.init)
      commands[words[0]] = Set(words.filter { $0.hasPrefix("--") && $0 != "--" })
    }
    return commands
  }

  @Test(.enabled(if: ChildProcess.isInstalled("bash"), "needs bash"))
  func `bash offers all commands and their options`() throws {
    try check { words, word in
      let line = (words + [word]).map { "'\($0)'" }.joined(separator: " ")
      let script = """
        source '\(Self.tree)/completions/detentctl.bash'
        COMP_WORDS=(\(line)); COMP_CWORD=\(words.count); _detentctl; printf '%s\\n' "${COMPREPLY[@]}"
        """
      return try output(["bash", "-c", script])
    }
  }

  @Test(.enabled(if: ChildProcess.isInstalled("fish"), "needs fish; scripts/setup --package"))
  func `fish offers all commands and their options`() throws {
    try check { words, word in
      let line = (["detentctl"] + words.dropFirst() + [word]).joined(separator: " ")
      let script = """
        set PATH \(DaemonProcess.binaries) $PATH
        source '\(Self.tree)/completions/detentctl.fish'; complete -C '\(line)'
        """
      return try output(["fish", "--no-config", "-c", script])
    }
  }

  @Test(.enabled(if: ChildProcess.isInstalled("zsh"), "needs zsh; scripts/setup --package"))
  func `zsh offers all commands and their options`() throws {
    // What zsh would show goes through these two.
    try check { words, word in
      let line = (words + [word]).map { "'\($0)'" }.joined(separator: " ")
      let script = """
        _describe() { print -rl -- ${(P)2} }; compadd() { shift; print -rl -- "$@" }
        words=(\(line)); CURRENT=\(words.count + 1); PREFIX='\(word)'
        source '\(Self.tree)/completions/_detentctl'
        """
      return try output(["zsh", "-f", "-c", script]).map { $0.replacing(#/:.*/#, with: "") }
    }
  }

  @Test func `detentd(8) has every option of detentd`() throws {
    let page = try #require(SystemFiles.text(of: Self.tree + "/docs/man/detentd.8"))
      .replacing("\\-", with: "-")
    for line in try output([DaemonProcess.binaries + "/detentd", "--help"]) {
      guard let option = line.split(separator: " ").first, option.hasPrefix("--") else { continue }
      #expect(page.contains(option), "\(option)")
    }
  }

  /// Compares what a shell offers for the words so far and the one that was begun.
  private func check(_ offer: ([String], String) throws -> [String]) throws {
    func names(_ lines: [String]) -> Set<String> {
      Set(lines.compactMap { $0.split { "\t ".contains($0) }.first.map(String.init) })
    }
    let commands = try commands()
    #expect(commands.count > 10)
    #expect(
      try names(offer([Self.program], "")).subtracting(["--help"]) == Set(commands.keys))
    for (command, options) in commands {
      let offered = try names(offer([Self.program, command], "--"))
      #expect(offered == options.union(["--socket"]), "\(command)")
    }
  }

  private func output(_ words: [String]) throws -> [String] {
    let process = try ChildProcess(words)
    _ = try process.waitForEnd(seconds: 30)
    return process.outputLines
  }
}
