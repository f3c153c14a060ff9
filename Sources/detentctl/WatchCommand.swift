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
  private var store = PickerStore()
  // What was asked for of each picker's values, by index.
  private var values: [String: [Int: PickerValue]] = [:]
  private var latest: [String] = []

  init(_ connection: Connection) throws {
    self.connection = connection
    store.apply(try connection.call(.subscribe(Subscription(motionHz: 30))))
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
      let isGliding = store.pickers.contains { $0.phase(atUs: MonotonicClock.nowUs) == .glide }
      let count =
        try connection.hasNext ? 1 : poll(&descriptor, 1, isGliding ? Self.frameMS : 500)
      guard count > 0 else { continue }
      guard try takeAll() else { return ExitStatus.success }
      try fetchValues()
      usleep(UInt32(Self.frameMS) * 1000)
    }
  }

  /// Prints a line for each selection, until the daemon ends.
  func printLines() throws -> Int32 {
    for picker in store.pickers {
      let status = Command.print("\(picker.id): \(picker.state.title ?? "–")")
      if status != ExitStatus.success { return status }
    }
    while let notification = try connection.next() {
      guard case .selection(let change) = notification else { continue }
      let status = Command.print(
        "\(change.picker): \(change.title ?? "–") (\(change.cause?.rawValue ?? "–"))")
      if status != ExitStatus.success { return status }
    }
    return ExitStatus.success
  }

  /// The screen as it stands.
  func screen(isStyled: Bool) -> String {
    let size = Terminal.size
    var canvas = WatchCanvas(width: size.width, height: size.height - 1)
    var y = 0
    for picker in shown {
      let height = WatchRenderer.height(of: picker)
      guard y + height <= canvas.height - 1 else {
        canvas.put("… more pickers than lines", x: 1, y: y, style: "2")
        break
      }
      WatchRenderer.draw(picker, on: &canvas, y: y)
      y += height
    }
    let motors = store.devices.filter { $0.kind == "motor" }.map(\.name)
    let motor = motors.isEmpty ? "no motor" : motors.joined(separator: ", ")
    canvas.put(
      "\(motor)   \(latest.joined(separator: "   "))", x: 1, y: canvas.height - 1, style: "2")
    return canvas.text(isStyled: isStyled)
  }

  /// The pickers as they stand now.
  private var shown: [WatchedPicker] {
    let nowUs = MonotonicClock.nowUs
    return store.pickers.map { WatchedPicker($0, values: values[$0.id] ?? [:], atUs: nowUs) }
  }

  // MARK: What happened

  private func takeAll() throws -> Bool {
    repeat {
      guard let notification = try connection.next() else { return false }
      take(notification)
      var descriptor = pollfd(fd: connection.descriptor, events: Int16(POLLIN), revents: 0)
      if try !connection.hasNext, poll(&descriptor, 1, 0) <= 0 { return true }
    } while true
  }

  private func take(_ notification: ServerNotification) {
    store.apply(notification)
    if case .picker(let change) = notification { values[change.state.picker] = nil }
    guard let words = Self.words(for: notification) else { return }
    latest.append(words)
    if latest.count > Self.mostEvents { latest.removeFirst() }
  }

  /// What is said of the last events; nil for those that come all the time.
  private static func words(for notification: ServerNotification) -> String? {
    switch notification {
    case .selection(let change): "selection \(change.picker)"
    case .tick(let tick): "tick \(tick.picker)"
    case .settle(let settle): "settle \(settle.picker)"
    case .rest(let rest): "rest \(rest.picker)"
    case .press(let press): "press \(press.picker)"
    case .direction(let turn): "direction \(turn.picker)"
    case .haptic(let haptic): "haptic \(haptic.picker ?? "–")"
    case .focus(let change): "focus \(change.picker ?? "–")"
    case .picker(let change): "picker \(change.state.picker)"
    case .activity: "activity"
    case .inhibit: "inhibit"
    case .device: "device"
    case .display: "display"
    case .resync: "resync"
    case .hello, .motion, .bye, .unknown: nil
    }
  }

  /// Asks for the titles that are about to be seen and are not known yet.
  private func fetchValues() throws {
    for picker in shown {
      let wanted = WatchRenderer.visible(picker, width: Terminal.size.width)
      guard let first = wanted.first(where: { picker.values[$0] == nil }) else { continue }
      do {
        let page = try connection.call(
          .values(picker.id, from: first, count: wanted.upperBound - first + 40))
        for value in page { values[picker.id, default: [:]][value.index] = value }
      } catch is RPCFailure {
        // It went meanwhile; a line will say so.
      }
    }
  }
}
