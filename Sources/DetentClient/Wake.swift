// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Wakes a thread that waits for a socket.
final class Wake: Sendable {
  private let reader: Int32
  private let writer: Int32

  init(path: String) throws(ConnectionError) {
    var ends: [Int32] = [-1, -1]
    let kind =
      Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
      throw ConnectionError(path: path, code: errno)
    }
    (reader, writer) = (ends[0], ends[1])
  }

  deinit {
    close(reader)
    close(writer)
  }

  /// Ends the wait that there is, or the next one.
  func ring() {
    var byte: UInt8 = 0
    // Where it is full, the thread will wake anyway.
    _ = send(writer, &byte, 1, Int32(MSG_NOSIGNAL))
  }

  /// Waits until it is rung, the socket has something to say (true), or time is up.
  ///
  /// - Parameters:
  ///   - socket: The socket; −1 for none.
  ///   - sends: Whether to wait until the socket takes bytes, too.
  ///   - milliseconds: How long; negative for ever.
  func wait(beside socket: Int32 = -1, sends: Bool = false, milliseconds: Int32) -> Bool {
    var waits = [
      pollfd(fd: reader, events: Int16(POLLIN), revents: 0),
      pollfd(fd: socket, events: Int16(sends ? POLLIN | POLLOUT : POLLIN), revents: 0),
    ]
    guard poll(&waits, 2, milliseconds) > 0 else { return false }
    if waits[0].revents != 0 {
      var bytes: (UInt64, UInt64) = (0, 0)
      while recv(reader, &bytes, 16, 0) == 16 {}
    }
    return waits[1].revents & Int16(POLLIN | POLLHUP | POLLERR) != 0
  }
}

/// Starts a thread that no signal interrupts, and returns 0 or the system's error.
func startThread(_ run: @escaping @Sendable () -> Void) -> Int32 {
  final class Work {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }
  var all = sigset_t()
  var before = sigset_t()
  sigfillset(&all)
  // The application's signal handlers run on its own threads.
  pthread_sigmask(SIG_SETMASK, &all, &before)
  defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
  var thread = pthread_t()
  let work = Unmanaged.passRetained(Work(run))
  let code = pthread_create(
    &thread, nil,
    { argument in
      if let argument { Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().run() }
      return nil
    }, work.toOpaque())
  if code == 0 { pthread_detach(thread) } else { work.release() }
  return code
}
