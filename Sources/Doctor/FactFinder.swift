// SPDX-License-Identifier: Apache-2.0

import DetentClient
import DetentDaemon
import Gestures
import Glibc
import Haptics
import InputDevices
import LinuxIO
import Scene
import Wire

/// Gathers the facts for a diagnosis from the kernel, udev, the file system and the service.
package enum FactFinder {
  /// The account that the service runs as.
  private static let serviceUser = "detent"
  // A service that says nothing for so long hangs.
  private static let patience = Duration.seconds(3)

  /// Looks at everything.
  ///
  /// Root may open anything, which the service may not: so root takes the service's account, where there is one,
  /// for good, once the processes have been looked at that only root may see.
  ///
  /// - Parameter touchSeconds: for how long somebody is asked to touch; nil for not at all.
  package static func facts(
    configuration file: String, socket path: String, touchSeconds: Double?,
    ask: (String) -> Void
  ) -> DoctorFacts {
    var facts = DoctorFacts()
    var knobs: [KnobOptions] = []
    do throws(ConfigurationError) {
      let configuration = try Configuration(file: file)
      knobs = configuration.knobs
      facts.seat = configuration.seat
      facts.wantsHaptics = configuration.haptics.isEnabled
      facts.configuration = .fine(
        file: file,
        displays: configuration.scene.displays.map {
          DoctorFacts.DisplayFacts(id: $0.id, touchscreen: $0.touchscreen)
        }, pickerCount: configuration.pickers.count)
    } catch {
      facts.configuration = .broken(
        file: file, problems: error.problems.map { ConfigurationError.line($0, file: file) })
    }
    let holders = Dictionary(
      NodeReport.all(seat: facts.seat, knobs: knobs).map { ($0.node, names(of: $0.holders())) },
      uniquingKeysWith: { first, _ in first })
    facts.unit = unitState()
    facts.accountProblem = becomeServiceUser().map { "\($0)" }
    facts.user = Accounts.userName(geteuid())
    facts.hasUdev = access("/run/udev", F_OK) == 0
    facts.nodes = NodeReport.all(seat: facts.seat, knobs: knobs).map { report in
      DoctorFacts.NodeFacts(
        report: report, isGrabbed: report.kind == nil ? nil : report.isGrabbedByAnother(),
        holders: holders[report.node] ?? [])
    }
    facts.motors =
      (try? MotorDiscovery())?.enumerate().map { candidate in
        DoctorFacts.MotorFacts(
          node: candidate.node, name: candidate.name,
          problem: NodeRefusal.ofOpening(candidate.node).map { "\(MotorProblem.denied($0))" })
      } ?? []
    facts.socketPath = path
    (facts.socket, facts.usedNodes) = service(at: path)
    if let touchSeconds {
      let rates = RateMeter(seat: facts.seat, knobs: knobs).rates(seconds: touchSeconds) {
        ask("touch the panel for \(touchSeconds) s")
      }
      facts.touched = (rates, touchSeconds)
    }
    return facts
  }

  private static func names(of holders: [(pid: Int32, command: String)]) -> [String] {
    holders.filter { $0.pid != getpid() }.map { "\($0.command) (\($0.pid))" }
  }

  /// Takes the service's account, if this is root and there is one.
  ///
  /// - Returns: Why not the whole of it was taken; nil where it was, or need not be.
  private static func becomeServiceUser() -> Errno? {
    guard geteuid() == 0, let account = getpwnam(serviceUser)?.pointee else { return nil }
    guard initgroups(serviceUser, account.pw_gid) == 0, setgid(account.pw_gid) == 0,
      setuid(account.pw_uid) == 0
    else { return .current }
    return nil
  }

  // MARK: The service

  /// The unit's state, asked of systemd's own tool; nil where there is none.
  private static func unitState() -> String? {
    guard access("/run/systemd/system", F_OK) == 0,
      let output = popen(
        "systemctl show detent.service --property=LoadState,ActiveState --value 2>/dev/null", "re")
    else { return nil }
    defer { pclose(output) }
    var words: [String] = []
    var line = [CChar](repeating: 0, count: 128)
    while fgets(&line, CInt(line.count), output) != nil {
      let bytes = line.prefix { $0 != 0 && $0 != 10 }.map(UInt8.init(bitPattern:))
      words.append(String(decoding: bytes, as: UTF8.self))
    }
    return words.first == "loaded" ? words.last : nil
  }

  private static func service(
    at path: String
  ) -> (DoctorFacts.SocketState, usedNodes: Set<String>?) {
    var status = stat()
    guard stat(path, &status) == 0 else {
      let folder = path.split(separator: "/").dropLast().joined(separator: "/")
      return (access("/\(folder)", F_OK) == 0 ? .missing : .noFolder, nil)
    }
    guard status.st_mode & S_IFMT == S_IFSOCK else { return (.notASocket, nil) }
    guard access(path, R_OK | W_OK) == 0 else {
      let mode = String(status.st_mode & 0o777, radix: 8)
      return (
        .denied(
          ownership:
            "\(Accounts.userName(status.st_uid)):\(Accounts.groupName(status.st_gid)) 0\(mode)"),
        nil
      )
    }
    do {
      let connection = try Connection(path: path, timeLimit: patience)
      let devices = try connection.call(.devices)
      return (.answers(version: connection.hello.version), Set(devices.map(\.node)))
    } catch let error as ConnectionError where error.reason == .notRunning {
      return (.refused, nil)
    } catch {
      return (.silent, nil)
    }
  }
}
