// SPDX-License-Identifier: Apache-2.0

/// One thing that was looked at, what was found, and what to do about it.
package struct Finding: Hashable, Sendable {
  /// How it stands.
  package enum State: String, Sendable {
    /// As it should be.
    case fine
    /// Worth knowing, and no fault.
    case note
    /// Something that a person must see to.
    case fault
  }

  /// What was looked at, such as "socket" or "/dev/input/event3".
  package var subject: String
  /// How it stands.
  package var state: State
  /// What was found.
  package var text: String
  /// What to do; nil where there is nothing to do.
  package var cure: String?

  /// A finding.
  package init(_ subject: String, _ state: State, _ text: String, cure: String? = nil) {
    self.subject = subject
    self.state = state
    self.text = text
    self.cure = cure
  }

  /// One line for a person.
  package var line: String {
    let mark =
      switch state {
      case .fine: "ok   "
      case .note: "note "
      case .fault: "FAULT"
      }
    return "\(mark) \(subject): \(text)" + (cure.map { "; \($0)" } ?? "")
  }
}
