// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Why there is no connection, and what to do about it.
public struct ConnectionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What happened.
  public enum Reason: Hashable, Sendable {
    /// Nobody listens.
    case notRunning
    /// This user may not open the socket.
    case notPermitted
    /// The daemon closed the connection.
    case closed
    /// The daemon does not answer in time.
    case silent
    /// Something answers, but it does not speak the protocol.
    case notTheDaemon
    /// The system refused, by its error number.
    case system(Int32)
  }

  /// The socket.
  public var path: String
  /// What happened.
  public var reason: Reason

  init(path: String, reason: Reason) {
    self.path = path
    self.reason = reason
  }

  init(path: String, code: Int32) {
    self.path = path
    reason =
      switch code {
      case ENOENT, ECONNREFUSED: .notRunning
      case EACCES, EPERM: .notPermitted
      // The queue of those who want to connect stayed full.
      case EAGAIN: .silent
      default: .system(code)
      }
  }

  /// What happened and the cure, in a line.
  public var description: String {
    switch reason {
    case .notRunning:
      "\(path): nobody listens; is detentd running (systemctl status detent), and on this socket?"
    case .notPermitted:
      "\(path): this user may not connect; add it to the socket's group (usermod -aG detent USER) and log in again"
    case .closed: "\(path): the daemon closed the connection"
    case .silent:
      "\(path): the daemon listens and does not answer; if it goes on, systemctl restart detent, and report what its log says (journalctl -u detent)"
    case .notTheDaemon: "\(path): what answers is not detentd"
    case .system(let code): "\(path): \(String(cString: strerror(code)))"
    }
  }
}
