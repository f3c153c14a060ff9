// SPDX-License-Identifier: Apache-2.0

package import Wire

/// A device with force feedback, as people see it.
package struct MotorDescription: Hashable, Sendable {
  /// How far a motor is.
  package enum State: String, Hashable, Sendable, CaseIterable {
    /// No cue wants it: it was not opened.
    case unused
    /// It is being opened and probed.
    case probing
    /// It plays.
    case ready
    /// It cannot be used.
    case failed
    /// It is being closed.
    case closing
  }

  /// The device node, such as `/dev/input/event3`.
  package var node: String
  /// The kernel's name of the device.
  package var name: String
  /// udev's ID_PATH; empty where there is none.
  package var path: String
  /// The class, once probed, or as far as it is told before; nil where nothing tells.
  package var motorClass: MotorClass?
  /// How it is driven, such as `FF_RUMBLE`; nil before the probe.
  package var method: String?
  /// The cues that it plays, with the effect of each; empty before the probe.
  package var effects: [Cue: MotorEffect] = [:]
  /// How many effects it holds; nil before the probe.
  package var slots: Int?
  /// How far it is.
  package var state: State
  /// What is wrong and what to do, in one line.
  package var problem: String?

  /// A device of which nothing more is known.
  package init(
    node: String, name: String, path: String, motorClass: MotorClass? = nil, state: State
  ) {
    self.node = node
    self.name = name
    self.path = path
    self.motorClass = motorClass
    self.state = state
  }
}
