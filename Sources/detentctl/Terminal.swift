// SPDX-License-Identifier: Apache-2.0

import DetentDaemon
import Glibc
import LinuxIO
import Synchronization

/// The terminal that `watch` draws on, given back as it was on every way out.
enum Terminal {
  /// How it was, for signal handlers: allocated once, never freed.
  private struct Saved: @unchecked Sendable {
    let settings: UnsafeMutablePointer<termios>
  }
  private static let saved = Saved(settings: .allocate(capacity: 1))
  private static let hasSaved = Atomic(false)

  /// Whether standard output is one that can be drawn on.
  static var isPresent: Bool {
    isatty(STDOUT_FILENO) == 1 && getenv("TERM").map { String(cString: $0) } != "dumb"
  }

  /// Columns and lines; 80 and 24 where it does not tell.
  static var size: (width: Int, height: Int) {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0
    else { return (80, 24) }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// Turns to a screen of its own, until it is left.
  ///
  /// Signals that end or stop the program leave it too; one that lets it go on turns to it again.
  ///
  /// - Returns: Whether keys can be read: whether standard input is the terminal, and this is in its foreground.
  static func enter() -> Bool {
    for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] { signal(number, Self.end) }
    signal(SIGTSTP, Self.end)
    signal(SIGCONT) { _ in
      signal(SIGTSTP, Terminal.end)
      Terminal.turn()
    }
    // Nothing to do but to wake the loop, which asks for the size.
    signal(SIGWINCH) { _ in }
    // To set a terminal from the background stops the program.
    let readsKeys = isatty(STDIN_FILENO) == 1 && tcgetpgrp(STDIN_FILENO) == getpgrp()
    if readsKeys, tcgetattr(STDIN_FILENO, saved.settings) == 0 {
      hasSaved.store(true, ordering: .sequentiallyConsistent)
    }
    turn()
    return readsKeys
  }

  /// Gives the terminal back.
  static func leave() {
    // Nothing but what may be called in a signal handler.
    put("\u{1B}[0m\u{1B}[?25h\u{1B}[?1049l")
    guard hasSaved.load(ordering: .sequentiallyConsistent) else { return }
    // Not flushing what was typed meanwhile: it is the shell's.
    _ = tcsetattr(STDIN_FILENO, TCSANOW, saved.settings)
  }

  /// Leaves the terminal, then lets a signal do what it does to other programs.
  private static let end: @convention(c) (Int32) -> Void = { number in
    Terminal.leave()
    signal(number, SIG_DFL)
    raise(number)
  }

  private static func turn() {
    put("\u{1B}[?1049h\u{1B}[?25l")
    guard hasSaved.load(ordering: .sequentiallyConsistent) else { return }
    var settings = saved.settings.pointee
    settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
    _ = tcsetattr(STDIN_FILENO, TCSANOW, &settings)
  }

  private static func put(_ sequence: StaticString) {
    _ = write(STDOUT_FILENO, sequence.utf8Start, sequence.utf8CodeUnitCount)
  }
}
