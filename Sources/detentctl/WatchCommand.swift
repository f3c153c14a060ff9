// SPDX-License-Identifier: Apache-2.0

import DetentClient
import DetentDaemon
import Glibc
import LinuxIO
import Wire

extension Command {
  static let watch = Command(
    name: "watch", usage: "[--once]",
    summary: "draw all pickers live (plain lines where there is no terminal)",
    options: [socket, Arguments.Option("once")], operands: 0...0
  ) { arguments in
    let watch = try Watch(connect(arguments))
    if arguments["once"] != nil { return print(watch.screen(isStyled: false)) }
    return Terminal.isPresent ? try watch.draw() : try watch.printLines()
  }
}

/// What `watch` shows, kept up to date from notifications.
private final class Watch {
  private static let frameMS: Int32 = 33
  private static let mostEvents = 3

  private let connection: Connection
  private var pickers: [WatchedPicker] = []
  private var motors: [String] = []
  private var latest: [String] = []

  init(_ connection: Connection) throws {
    self.connection = connection
    let snapshot = try connection.call("subscribe", ["motion_hz": .integer(30)])
    take(states: snapshot["pickers"])
    if case .array(let devices)? = snapshot["devices"] {
      motors = devices.filter { $0["kind"] == .string("motor") }.map { Command.text($0["name"]) }
    }
    try fetchValues()
  }

  /// Draws until the daemon ends.
  func draw() throws -> Int32 {
    Terminal.enter()
    defer { Terminal.leave() }
    while true {
      let output = "\u{1B}[H" + screen(isStyled: true) + "\u{1B}[J"
      guard StandardStreams.output(Array(output.utf8)) else { return ExitStatus.output }
      var descriptor = pollfd(fd: connection.descriptor, events: Int16(POLLIN), revents: 0)
      // Drawn anew when something happened, or when the window's size may have changed.
      let count = connection.hasNext ? 1 : poll(&descriptor, 1, 500)
      guard count > 0 else { continue }
      guard try takeAll() else { return ExitStatus.success }
      try fetchValues()
      usleep(UInt32(Self.frameMS) * 1000)
    }
  }

  /// Prints a line for each selection, until the daemon ends.
  func printLines() throws -> Int32 {
    for picker in pickers {
      let status = Command.print("\(picker.id): \(picker.title)")
      if status != ExitStatus.success { return status }
    }
    while let notification = try connection.next() {
      guard notification["method"] == .string("selection") else { continue }
      let params = notification["params"]
      let status = Command.print(
        "\(Command.text(params?["picker"])): \(Command.title(params?["title"])) (\(Command.text(params?["cause"])))"
      )
      if status != ExitStatus.success { return status }
    }
    return ExitStatus.success
  }

  /// The screen as it stands.
  func screen(isStyled: Bool) -> String {
    let size = Terminal.size
    var canvas = WatchCanvas(width: size.width, height: size.height - 1)
    var y = 0
    for picker in pickers {
      let height = WatchRenderer.height(of: picker)
      guard y + height <= canvas.height - 1 else {
        canvas.put("… more pickers than lines", x: 1, y: y, style: "2")
        break
      }
      WatchRenderer.draw(picker, on: &canvas, y: y)
      y += height
    }
    let motor = motors.isEmpty ? "no motor" : motors.joined(separator: ", ")
    canvas.put(
      "\(motor)   \(latest.joined(separator: "   "))", x: 1, y: canvas.height - 1, style: "2")
    return canvas.text(isStyled: isStyled)
  }

  // MARK: What happened

  private func takeAll() throws -> Bool {
    repeat {
      guard let notification = try connection.next() else { return false }
      take(notification)
      var descriptor = pollfd(fd: connection.descriptor, events: Int16(POLLIN), revents: 0)
      if !connection.hasNext, poll(&descriptor, 1, 0) <= 0 { return true }
    } while true
  }

  private func take(_ notification: JSONValue) {
    guard case .string(let method)? = notification["method"],
      let params = notification["params"]
    else { return }
    switch method {
    case "resync": take(states: params["pickers"])
    case "picker":
      let id = params["state"]?["picker"]
      pickers.removeAll { .string($0.id) == id }
      if params["change"] != .string("removed"), let state = params["state"],
        let picker = WatchedPicker(state)
      {
        pickers.append(picker)
      }
    default:
      guard case .string(let id)? = params["picker"],
        let index = pickers.firstIndex(where: { $0.id == id })
      else { break }
      pickers[index].take(method, params)
    }
    guard method != "motion" else { return }
    latest.append("\(method) \(Command.text(params["picker"]))")
    if latest.count > Self.mostEvents { latest.removeFirst() }
  }

  private func take(states: JSONValue?) {
    guard case .array(let states)? = states else { return }
    let old = pickers
    pickers = states.compactMap { WatchedPicker($0) }
    for index in pickers.indices {
      if let before = old.first(where: { $0.id == pickers[index].id }) {
        pickers[index].values = before.values
      }
    }
  }

  /// Asks for the titles that are about to be seen and are not known yet.
  private func fetchValues() throws {
    for place in pickers.indices {
      let wanted = WatchRenderer.visible(pickers[place], width: Terminal.size.width)
      guard let first = wanted.first(where: { pickers[place].values[$0] == nil }) else { continue }
      let page = try connection.call(
        "values",
        [
          "picker": .string(pickers[place].id), "from": .integer(Int64(first)),
          "count": .integer(Int64(wanted.upperBound - first + 40)),
        ])
      guard case .array(let values) = page else { continue }
      for value in values {
        guard case .integer(let index)? = value["index"] else { continue }
        pickers[place].values[Int(index)] = (
          Command.text(value["value"]), Command.text(value["title"])
        )
      }
    }
  }
}
