// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO

/// A process that subscribes and reads, until it is stopped or ended.
final class ReaderProcess {
  private(set) var pid: pid_t = 0

  init(path: String) throws {
    // Perl is on every Debian.
    let script = """
      use Socket; socket(S, AF_UNIX, SOCK_STREAM, 0) or die; connect(S, sockaddr_un($ARGV[0])) or die;
      syswrite(S, qq({"jsonrpc":"2.0","id":1,"method":"subscribe"}\\n)); 1 while sysread(S, $b, 65536);
      """
    let words = ["/usr/bin/perl", "-e", script, path]
    var arguments = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    let result = posix_spawn(&pid, words[0], nil, nil, &arguments, environ)
    guard result == 0 else { throw Errno(rawValue: result) }
  }

  /// Stops it, and waits until it is stopped.
  func stop() {
    kill(pid, SIGSTOP)
    var status: CInt = 0
    waitpid(pid, &status, WUNTRACED)
  }

  /// Ends it and waits for its end.
  func end() {
    guard pid > 0 else { return }
    kill(pid, SIGKILL)
    var status: CInt = 0
    waitpid(pid, &status, 0)
    pid = 0
  }

  deinit { end() }
}
