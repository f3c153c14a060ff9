// SPDX-License-Identifier: Apache-2.0

package import LinuxIO

/// Why a motor cannot be used, and what cures it.
package enum MotorProblem: Error, Hashable, Sendable, CustomStringConvertible {
  /// The node may not be opened.
  case denied(NodeRefusal)
  /// The node could not be opened for another reason.
  case notOpened(Errno)
  /// The device takes none of the effects that we know.
  case unsupported
  /// All its slots are taken by other programs.
  case noSlot
  /// It stayed busy.
  case busy
  /// It went away, or was revoked.
  case gone
  /// Its driver does not answer.
  case silent
  /// It failed in another way.
  case failed(Errno)

  /// What is wrong and what to do, in one line.
  package var description: String {
    switch self {
    case .denied(let refusal): "it cannot be opened for writing: \(refusal)"
    case .notOpened(let error): "it cannot be opened: \(error)"
    case .unsupported:
      "it takes none of FF_HAPTIC, FF_RUMBLE, FF_PERIODIC and FF_CONSTANT, whatever it "
        + "advertises; name another one with [haptics] device"
    case .noSlot:
      "other programs hold all its effects; stop them (feedbackd, say), it is tried again"
    case .busy: "it is busy all the time; it is tried again"
    case .gone: "it is gone"
    case .silent:
      "its driver does not answer uploads (they take 30 s to fail); "
        + "it is left alone until it is plugged in anew, or after a reload"
    case .failed(let error): "it fails: \(error)"
    }
  }

  /// Whether trying again after a while may help without anything else having happened.
  package var isPassing: Bool {
    switch self {
    case .noSlot, .busy: true
    case .notOpened(let error):
      [.busy, .interrupted, .tooManyDescriptors, .tooManyDescriptorsInSystem, .outOfMemory]
        .contains(error)
    case .denied, .unsupported, .gone, .silent, .failed: false
    }
  }

  /// The problem that a probe ended with; nil where it ended well.
  init?(_ outcome: ProbePlan.Outcome) {
    switch outcome {
    case .ready: return nil
    case .unsupported: self = .unsupported
    case .noSlot: self = .noSlot
    case .busy: self = .busy
    case .gone: self = .gone
    case .silent: self = .silent
    case .failed(let error): self = .failed(error)
    }
  }

  /// The problem that an upload for a play ended with.
  init(_ refusal: UploadRefusal) {
    switch refusal {
    case .unsupported: self = .unsupported
    case .noSlot: self = .noSlot
    case .busy: self = .busy
    case .gone: self = .gone
    case .silent: self = .silent
    case .failed(let error): self = .failed(error)
    }
  }
}
