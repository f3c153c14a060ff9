// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import TestSupport

/// Clients in the service's own process, each of another user, that subscribe and throw away what they read.
final class SubscriberSet {
  private var sockets: [CInt] = []
  private let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 8)

  /// Connects and subscribes clients.
  ///
  /// - Parameters:
  ///   - subscription: The params of `subscribe`.
  ///   - turn: Runs the service's loop once and says whether anything happened.
  init(
    count: Int, subscription: String, socket path: String, turn: () throws -> Bool
  ) throws {
    chmod(path, 0o666)
    let request = #"{"jsonrpc":"2.0","id":1,"method":"subscribe","params":\#(subscription)}"# + "\n"
    for index in 0..<count {
      // One user may only have so many clients. Who is not root has one user.
      if getuid() == 0 { seteuid(uid_t(1000 + index)) }
      defer { if getuid() == 0 { seteuid(0) } }
      let socket = try UnixSocket.connect(to: path).release()
      sockets.append(socket)
      while try turn() {}
      _ = try Array(request.utf8).withUnsafeBytes { try UnixSocket.send(socket, $0) }
      while try turn() {}
    }
    guard drain() == count else { throw TestFailure("not all clients could subscribe") }
  }

  deinit {
    for socket in sockets { close(socket) }
    chunk.deallocate()
  }

  /// Reads what there is, and counts those who got something.
  @discardableResult
  func drain() -> Int {
    sockets.count { recv($0, chunk.baseAddress, chunk.count, CInt(MSG_DONTWAIT)) > 0 }
  }
}
