// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Why a device node could not be opened, and what to do.
package struct NodeRefusal: Hashable, Sendable, CustomStringConvertible {
  /// The error.
  package var error: Errno
  /// Who may open the node; nil where it is not there.
  package var access: NodeAccess?

  /// A refusal with what is known of the node.
  package init(error: Errno, access: NodeAccess?) {
    self.error = error
    self.access = access
  }

  /// A refusal with what the system knows of the node.
  package init(error: Errno, node: String) {
    self.init(error: error, access: NodeAccess(node: node))
  }

  /// What opening a node for reading and writing ends with; nil where it can be opened.
  package static func ofOpening(_ node: String) -> NodeRefusal? {
    do throws(Errno) {
      _ = try OwnedDescriptor(opening: node, flags: O_RDWR | O_NONBLOCK)
      return nil
    } catch {
      return NodeRefusal(error: error, node: node)
    }
  }

  /// The error, whose the node is and the cure, in one line.
  package var description: String {
    guard let access else { return "\(error)" }
    let text = "\(error): it is \(access.ownership)"
    return switch error {
    case .accessDenied: "\(text); \(access.cure)"
    case .notPermitted:
      "\(text); the service's device policy forbids it, allow it with DeviceAllow=char-input rw"
    default: text
    }
  }
}
