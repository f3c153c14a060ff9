// SPDX-License-Identifier: Apache-2.0

import DetentDaemon
import Glibc

/// A command that runs in the foreground, and whose end is waited for.
enum SpawnedCommand {
  /// The statuses of shells, `env` and `timeout` for a command that is not there, and one that cannot be run.
  private static let notFound: Int32 = 127
  private static let notRun: Int32 = 126

  /// Runs a program, and hands it the signals that would end this one.
  ///
  /// What the keyboard sends reaches it by itself, and is left to it, as system(3) does.
  ///
  /// - Parameter words: Its name as it is to see it, and its arguments.
  /// - Returns: Its exit status, or 128 and the number of the signal that ended it.
  static func run(_ program: String, _ words: [String]) -> Int32 {
    // Otherwise its end would be nobody's to wait for.
    signal(SIGCHLD, SIG_DFL)
    var taken = signals([SIGCHLD, SIGTERM, SIGHUP, SIGINT, SIGQUIT])
    var before = sigset_t()
    sigprocmask(SIG_BLOCK, &taken, &before)
    defer { sigprocmask(SIG_SETMASK, &before, nil) }
    var child: pid_t = 0
    let error = spawn(&child, program, words, mask: before)
    guard error == 0 else {
      StandardStreams.error("detentctl inhibit: \(program): \(String(cString: strerror(error)))")
      return error == ENOENT ? notFound : notRun
    }
    var status: Int32 = 0
    while waitpid(child, &status, WNOHANG) != child {
      var number: Int32 = 0
      sigwait(&taken, &number)
      if number == SIGTERM || number == SIGHUP { kill(child, number) }
    }
    let signal = status & 0x7F
    return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
  }

  private static func spawn(
    _ child: inout pid_t, _ program: String, _ words: [String], mask: sigset_t
  ) -> Int32 {
    var argv = words.map { strdup($0) } + [nil]
    defer { for word in argv { free(word) } }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // This program ignores SIGPIPE; others end by it.
    var (mask, defaults) = (mask, signals([SIGPIPE]))
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    posix_spawnattr_setsigmask(&attributes, &mask)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
    return posix_spawnp(&child, program, nil, &attributes, &argv, environ)
  }

  private static func signals(_ numbers: [Int32]) -> sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    for number in numbers { sigaddset(&set, number) }
    return set
  }
}
