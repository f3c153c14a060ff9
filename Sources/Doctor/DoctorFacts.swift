// SPDX-License-Identifier: Apache-2.0

package import Gestures
package import InputDevices

/// What can be known about a kiosk from outside the service, gathered before anything is concluded.
package struct DoctorFacts: Sendable {
  /// The configuration.
  package enum ConfigurationState: Sendable {
    /// It cannot be used.
    case broken(file: String, problems: [String])
    /// It can.
    case fine(file: String, displays: [DisplayFacts], pickerCount: Int)
  }

  /// A display of the configuration.
  package struct DisplayFacts: Sendable {
    /// Its name.
    package var id: String
    /// Which panel lies over it; nil for any.
    package var touchscreen: DeviceMatch?

    /// A display.
    package init(id: String, touchscreen: DeviceMatch?) {
      self.id = id
      self.touchscreen = touchscreen
    }
  }

  /// An event node.
  package struct NodeFacts: Sendable {
    /// What udev, libinput and the file system say.
    package var report: NodeReport
    /// Whether another process has it alone; nil where that could not be tried.
    package var isGrabbed: Bool?
    /// The processes that have it open, such as "weston (812)", as far as they may be seen.
    package var holders: [String]

    /// A node.
    package init(report: NodeReport, isGrabbed: Bool? = nil, holders: [String] = []) {
      self.report = report
      self.isGrabbed = isGrabbed
      self.holders = holders
    }
  }

  /// A motor.
  package struct MotorFacts: Sendable {
    /// Its node.
    package var node: String
    /// The kernel's name of the device.
    package var name: String
    /// Why it cannot be opened, with the cure; nil where it can.
    package var problem: String?

    /// A motor.
    package init(node: String, name: String, problem: String? = nil) {
      self.node = node
      self.name = name
      self.problem = problem
    }
  }

  /// The socket.
  package enum SocketState: Hashable, Sendable {
    /// Its folder is not there.
    case noFolder
    /// Nothing is at its path.
    case missing
    /// Something else is at its path.
    case notASocket
    /// Nobody listens behind it.
    case refused
    /// This user may not open it; who may, such as "root:detent 0660".
    case denied(ownership: String)
    /// It opens, and nothing comes.
    case silent
    /// A service of this version answers.
    case answers(version: String)
  }

  /// How fast a device reports while it is touched.
  package struct Rate: Hashable, Sendable {
    /// The device's name.
    package var name: String
    /// How many contacts, scrolls or turns there were.
    package var count: Int
    /// Reports in a second; nil where there were too few to tell.
    package var hertz: Double?

    /// A rate.
    package init(name: String, count: Int, hertz: Double?) {
      self.name = name
      self.count = count
      self.hertz = hertz
    }
  }

  /// The user with whose eyes nodes were looked at.
  package var user = ""
  /// Why root could not take the account of the service, so that more may be seen than the service sees; nil where it
  /// could, or was not root.
  package var accountProblem: String?
  /// The configuration.
  package var configuration = ConfigurationState.broken(file: "", problems: [])
  /// The seat that the service reads.
  package var seat = "seat0"
  /// Whether udev's daemon runs, or its database is there as in a container.
  package var hasUdev = true
  /// Every event node.
  package var nodes: [NodeFacts] = []
  /// Every motor.
  package var motors: [MotorFacts] = []
  /// Whether the configuration wants haptics.
  package var wantsHaptics = true
  /// Where the socket should be.
  package var socketPath = ""
  /// How the socket stands.
  package var socket = SocketState.missing
  /// The state of the unit detent.service, such as "active" or "failed"; nil where there is no systemd or no unit.
  package var unit: String?
  /// The nodes that the running service uses; nil where it could not be asked.
  package var usedNodes: Set<String>?
  /// What came while somebody was asked to touch, and for how many seconds; nil where nobody was.
  package var touched: (rates: [Rate], seconds: Double)?

  /// Nothing known yet.
  package init() {}
}
