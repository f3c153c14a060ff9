// SPDX-License-Identifier: Apache-2.0

import DetentDaemon
import Glibc
import LinuxIO

/// The terminal that `watch` draws on, given back as it was on every way out.
enum Terminal {
  /// Whether standard output is one.
  static var isPresent: Bool { isatty(STDOUT_FILENO) == 1 }

  /// Columns and lines; 80 and 24 where it does not tell.
  static var size: (width: Int, height: Int) {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0
    else { return (80, 24) }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// Turns to a screen of its own, until it is left.
  ///
  /// Signals that end the program leave it too.
  static func enter() {
    for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] {
      signal(number) { number in
        Terminal.leave()
        _exit(128 + number)
      }
    }
    _ = StandardStreams.output(Array("\u{1B}[?1049h\u{1B}[?25l".utf8))
  }

  /// Gives the terminal back.
  static func leave() {
    // Nothing but a plain write: this also runs in a signal handler.
    let sequence: StaticString = "\u{1B}[0m\u{1B}[?25h\u{1B}[?1049l"
    _ = write(STDOUT_FILENO, sequence.utf8Start, sequence.utf8CodeUnitCount)
  }
}
