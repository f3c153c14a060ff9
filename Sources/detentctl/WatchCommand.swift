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
    let isDrawn = arguments["once"] == nil && Terminal.isPresent
    let feed = try DaemonFeed(path: socketPath(arguments), comesBack: isDrawn)
    guard arguments["once"] == nil else { return try Watch(feed).drawOnce() }
    return isDrawn ? try Watch(feed).draw() : try Watch(feed).printLines()
  }
}

/// Shows what a feed says, until it or a person has enough.
struct Watch {
  private static let frameUs: Int64 = 33_000
  // A window's new size wakes the loop; this is for terminals that do not say so.
  private static let pauseMS: Int32 = 500

  private let feed: any WatchFeed
  private var board = WatchBoard()

  init(_ feed: any WatchFeed) { self.feed = feed }

  /// Prints how things stand.
  consuming func drawOnce() throws -> Int32 {
    try feed.take(into: &board)
    return Command.print(try screen(isStyled: false))
  }

  /// Draws on the terminal until somebody quits, and gives it back.
  consuming func draw() throws -> Int32 {
    let readsKeys = Terminal.enter()
    defer { Terminal.leave() }
    board.hint = readsKeys ? "q quits" : "Ctrl-C quits"
    while true {
      try feed.take(into: &board)
      let output = "\u{1B}[H" + (try screen(isStyled: true)) + "\u{1B}[J"
      guard StandardStreams.output(Array(output.utf8)) else { return ExitStatus.output }
      let drawnUs = MonotonicClock.nowUs
      if feed.isOver, !readsKeys { return ExitStatus.success }
      if wait(readsKeys: readsKeys, milliseconds: isMoving ? 0 : Self.pauseMS) {
        return ExitStatus.success
      }
      // Not more often than anybody sees.
      let leftUs = Self.frameUs - (MonotonicClock.nowUs - drawnUs)
      if leftUs > 0, wait(readsKeys: readsKeys, isForKeys: true, milliseconds: Int32(leftUs / 1000))
      {
        return ExitStatus.success
      }
    }
  }

  /// Prints a line for each selection, until nothing more comes.
  consuming func printLines() throws -> Int32 {
    var isFirst = true
    while true {
      var lines: [String] = []
      try feed.take(into: &board) { notification in
        guard case .selection(let change) = notification else { return }
        lines.append(
          "\(change.picker): \(change.title ?? "–") (\(change.cause?.rawValue ?? "–"))")
      }
      if isFirst {
        lines = board.store.pickers.map { "\($0.id): \($0.state.title ?? "–")" } + lines
      }
      isFirst = false
      if !lines.isEmpty, Command.print(lines.joined(separator: "\n")) != ExitStatus.success {
        return ExitStatus.output
      }
      if feed.isOver { return ExitStatus.success }
      _ = wait(readsKeys: false, milliseconds: isMoving ? Int32(Self.frameUs / 1000) : -1)
    }
  }

  private mutating func screen(isStyled: Bool) throws -> String {
    let size = Terminal.size
    try feed.fetchTitles(for: &board, width: size.width)
    return board.screen(
      width: size.width, height: size.height, isStyled: isStyled, atUs: feed.nowUs)
  }

  /// Whether the next frame shows something else by itself.
  private var isMoving: Bool {
    if feed.descriptor < 0 { return !feed.isOver }
    return board.store.pickers.contains { $0.phase(atUs: feed.nowUs) == .glide }
  }

  /// Waits for the feed, a key, or a signal; returns whether somebody wants to quit.
  private func wait(readsKeys: Bool, isForKeys: Bool = false, milliseconds: Int32) -> Bool {
    var descriptors = [
      pollfd(fd: isForKeys ? -1 : feed.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: readsKeys ? STDIN_FILENO : -1, events: Int16(POLLIN), revents: 0),
    ]
    guard poll(&descriptors, 2, milliseconds) > 0, descriptors[1].revents != 0 else {
      return false
    }
    var keys = [UInt8](repeating: 0, count: 64)
    let count = read(STDIN_FILENO, &keys, keys.count)
    // Nothing but the end of the terminal is nothing to read here.
    return count == 0 || count > 0 && keys[..<count].contains { "qQ".utf8.contains($0) }
  }
}
