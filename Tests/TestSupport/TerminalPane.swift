// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A terminal of a size of its own with a shell in it, drawn by tmux; gone with this object.
package final class TerminalPane {
  /// Whether there is tmux.
  package static let isInstalled = ChildProcess.isInstalled("tmux")
  /// Why tests with `.enabled(if: TerminalPane.isInstalled)` do not run.
  package static let needsTmux = "needs tmux: apt-get install tmux"

  private let folder: TemporaryFolder

  /// Opens a terminal, in which a shell waits for commands.
  ///
  /// - Parameters:
  ///   - environment: Variables that the shell has besides its own.
  package init(
    columns: Int, lines: Int, environment: [String: String] = [:]
  ) throws {
    folder = try TemporaryFolder()
    try run(
      ["-f", "/dev/null", "new-session", "-d", "-x", "\(columns)", "-y", "\(lines)"]
        + environment.flatMap { ["-e", "\($0.key)=\($0.value)"] } + ["sh"])
    try wait("a prompt") { $0.contains { !$0.isWhitespace } }
  }

  deinit {
    _ = try? run(["kill-server"])
  }

  /// Types keys by tmux's names for them, such as `Enter` and `C-c`.
  package func press(_ keys: String...) throws { try run(["send-keys"] + keys) }

  /// Types a command and Enter.
  package func type(_ command: String) throws {
    try run(["send-keys", "-l", command])
    try press("Enter")
  }

  /// Makes the terminal another size.
  package func resize(columns: Int, lines: Int) throws {
    try run(["resize-window", "-x", "\(columns)", "-y", "\(lines)"])
  }

  /// The lines that it shows, without what is blank at their ends.
  package var lines: [String] {
    get throws { try run(["capture-pane", "-p"]) }
  }

  /// What it shows with the escape sequences of its styles, in one text.
  package var styled: String {
    get throws { try run(["capture-pane", "-p", "-e"]).joined(separator: "\n") }
  }

  /// Whether a program has a screen of its own there.
  package var isAlternate: Bool { get throws { try tell("alternate_on") == "1" } }

  /// Whether the cursor is seen.
  package var hasCursor: Bool { get throws { try tell("cursor_flag") == "1" } }

  /// Waits until what it shows fits.
  package func wait(_ what: String, for fits: (String) -> Bool) throws {
    var shown = ""
    try Waiting.until("\(what); there is\n\(shown)", seconds: 20) {
      shown = try lines.joined(separator: "\n")
      return fits(shown)
    }
  }

  private func tell(_ format: String) throws -> String {
    try run(["display-message", "-p", "#{\(format)}"]).first ?? ""
  }

  @discardableResult
  private func run(_ words: [String]) throws -> [String] {
    let tmux = try ChildProcess(
      ["tmux", "-u", "-S", folder.path + "/tmux"] + words,
      environment: ["LC_ALL": "C.UTF-8", "TMUX": ""])
    guard try tmux.waitForEnd() == .exited(0) else {
      throw TestFailure("tmux \(words): \(tmux.errorLines)")
    }
    return tmux.outputLines
  }
}
