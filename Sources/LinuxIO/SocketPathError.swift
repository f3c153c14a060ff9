// SPDX-License-Identifier: Apache-2.0

/// Why a service cannot listen at a path; says what to do about it.
package enum SocketPathError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Another instance listens there.
  case inUse(path: String, pid: Int32?)
  /// Something that is no stream socket is at the path, and stays there.
  case foreign(path: String, what: String)
  /// The path does not fit into a socket address.
  case tooLong(path: String)
  /// The directory of the path does not exist.
  case noDirectory(path: String, directory: String)
  /// No group of that name.
  case unknownGroup(path: String, group: String)
  /// A step failed.
  case failed(path: String, step: String, error: Errno)

  /// What is wrong and what cures it, in one line.
  package var description: String {
    switch self {
    case .inUse(let path, let pid):
      let who = pid.map { "process \($0)" } ?? "another process"
      return "\(path): \(who) listens there already; stop it, or choose another path"
    case .foreign(let path, let what):
      return "\(path): \(what) is at this path and is not ours to delete; "
        + "move it away, or choose another path"
    case .tooLong(let path):
      return "\(path): a socket's path has at most 107 bytes, this one has \(path.utf8.count); "
        + "choose a shorter path"
    case .noDirectory(let path, let directory):
      return "\(path): there is no directory \(directory); create it "
        + "(systemd: RuntimeDirectory=), or choose another path"
    case .unknownGroup(let path, let group):
      return "\(path): no group is called \(group); create it (groupadd --system \(group)), "
        + "or choose another one"
    case .failed(let path, let step, let error):
      let cure =
        switch error {
        case .accessDenied, .notPermitted:
          "; run the service as a user who may do that, or choose another path"
        case .addressInUse: "; another service starts there at this moment, try again"
        default: ""
        }
      return "\(path): \(step): \(error)\(cure)"
    }
  }
}
