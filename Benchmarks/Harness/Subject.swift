// SPDX-License-Identifier: Apache-2.0

/// A program that reads a touchscreen.
struct Subject {
  /// Where it tells what the finger does.
  enum Channel {
    /// On its standard output.
    case output
    /// On a Unix socket, after this line where there is one.
    case socket(request: String?)
    /// It does not.
    case none
  }

  var name: String
  var arguments: [String]
  var channel: Channel
  /// Whether it tells something for every frame.
  var answersEach = true
  /// Whether there is one more client that never reads.
  var hasStuckClient = false

  /// All that are measured: first what nothing can be faster than, then Detent, then what there is otherwise.
  static func all(
    node: String, socket: String, configuration: String, binaries: String, scripts: String
  ) -> [Subject] {
    let detentd = [
      binaries + "/detentd", "--config", configuration, "--socket", socket, "--device", node,
    ]
    func subscribe(_ params: String) -> Channel {
      .socket(request: #"{"jsonrpc":"2.0","id":1,"method":"subscribe","params":\#(params)}"# + "\n")
    }
    let motion = subscribe(
      #"{"events":["selection","tick","motion","settle","rest","press","haptic"]}"#)
    return [
      Subject(
        name: "floor: evdev", arguments: [binaries + "/floor", "evdev", node, socket],
        channel: .socket(request: nil)),
      Subject(
        name: "floor: libinput", arguments: [binaries + "/floor", "libinput", node, socket],
        channel: .socket(request: nil)),
      Subject(name: "detentd, motion", arguments: detentd, channel: motion),
      Subject(
        name: "detentd, motion, and a stuck client", arguments: detentd, channel: motion,
        hasStuckClient: true),
      Subject(
        name: "detentd, all but motion", arguments: detentd, channel: subscribe("{}"),
        answersEach: false),
      Subject(
        name: "libinput debug-events", arguments: ["libinput", "debug-events", "--device", node],
        channel: .output),
      Subject(
        name: "lisgd",
        arguments: ["lisgd", "-d", node, "-w", "1080", "-h", "1920", "-g", "1,LR,*,*,R,true"],
        channel: .none),
      Subject(
        name: "Python, evdev",
        arguments: ["/usr/bin/python3", scripts + "/evdev_reader.py", node], channel: .output),
      Subject(
        name: "Python, debug-events",
        arguments: ["/usr/bin/python3", scripts + "/debug_events_reader.py", node],
        channel: .output),
    ]
  }
}
