// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// Threads that nobody waits for.
package enum DetachedThread {
  /// Runs work on a thread of its own that takes no signals: those are the loop's.
  package static func start(_ work: @escaping @Sendable () -> Void) throws(Errno) {
    var attributes = pthread_attr_t()
    try check(pthread_attr_init(&attributes))
    defer { pthread_attr_destroy(&attributes) }
    try check(pthread_attr_setdetachstate(&attributes, CInt(PTHREAD_CREATE_DETACHED)))
    try check(pthread_attr_setstacksize(&attributes, 512 * 1024))
    // A thread inherits the mask of the one that starts it.
    var all = sigset_t()
    var before = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_BLOCK, &all, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    let box = Unmanaged.passRetained(Work(work))
    var thread = pthread_t()
    let result = pthread_create(
      &thread, &attributes,
      { argument in
        guard let argument else { return nil }
        Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().run()
        return nil
      }, box.toOpaque())
    if result != 0 { box.release() }
    try check(result)
  }

  private static func check(_ result: CInt) throws(Errno) {
    if result != 0 { throw Errno(rawValue: result) }
  }

  private final class Work: Sendable {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }
}
