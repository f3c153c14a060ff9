// SPDX-License-Identifier: Apache-2.0

import DetentClient
import Wire

/// What `watch` knows and shows: pickers, titles, what happened last.
struct WatchBoard {
  private static let mostEvents = 6
  private static let dragged = "(drag)"
  private static let warning = "1;33"
  private static let faint = "2"

  /// All that notifications tell.
  private(set) var store = PickerStore()
  /// What stands in the way; shown instead of the last events.
  var trouble: String?
  /// What the source says of itself beside notifications.
  var remarks: [String] = []
  /// What keys do, shown where there is room.
  var hint = ""

  // What was asked for of each picker's values, by index.
  private var values: [String: [Int: PickerValue]] = [:]
  private var titleWidths: [String: Int] = [:]
  private var latest: [String] = []
  private var latencyUs: Int64?

  // MARK: What happened

  /// Takes over how things stand.
  mutating func take(_ snapshot: Snapshot) {
    store.apply(snapshot)
    // Another daemon may have other values.
    values.removeAll()
    titleWidths.removeAll()
    trouble = nil
  }

  /// Takes over a notification.
  ///
  /// - Parameter timeUs: When it came, in microseconds of CLOCK_MONOTONIC; nil where that tells nothing.
  mutating func take(_ notification: ServerNotification, atUs timeUs: Int64?) {
    store.apply(notification)
    if case .picker(let change) = notification {
      values[change.state.picker] = nil
      titleWidths[change.state.picker] = nil
    }
    if let timeUs, let fingerUs = Self.fingerTimeUs(of: notification) {
      latencyUs = max(0, timeUs - fingerUs)
    }
    guard let words = Self.words(for: notification), words != latest.last else { return }
    // Of what a finger passes, the last value says it all.
    if let last = latest.last, last.hasSuffix(Self.dragged), words.hasSuffix(Self.dragged),
      last.prefix(while: { $0 != "=" }) == words.prefix(while: { $0 != "=" })
    {
      latest.removeLast()
    }
    latest.append(words)
    if latest.count > Self.mostEvents { latest.removeFirst() }
  }

  /// The connection ended.
  mutating func lose(_ trouble: String) {
    store.disconnect()
    self.trouble = trouble
  }

  /// When the finger did what a notification tells at once; nil for all others.
  private static func fingerTimeUs(of notification: ServerNotification) -> Int64? {
    switch notification {
    case .motion(let motion) where motion.phase == .drag: motion.timeUs
    case .selection(let change) where change.cause == .drag || change.cause == .tap:
      change.timeUs
    case .press(let press): press.timeUs
    default: nil
    }
  }

  /// What is said of the last events; nil for those that come all the time.
  private static func words(for notification: ServerNotification) -> String? {
    switch notification {
    case .selection(let change):
      "\(change.picker) = \(change.title ?? "–") (\(change.cause?.rawValue ?? "–"))"
    case .settle(let settle): "\(settle.picker) settles"
    case .rest(let rest): "\(rest.picker) rests"
    case .press(let press): press.isPressed ? "\(press.picker) pressed" : "\(press.picker) let go"
    case .direction(let turn): "\(turn.picker) turns \(turn.direction?.rawValue ?? "–")"
    case .focus(let change): "focus on \(change.picker ?? "nothing")"
    case .picker(let change): "\(change.state.picker) \(change.change?.rawValue ?? "–")"
    case .activity(let change): change.isActive ? "somebody is there" : "nobody is there"
    case .inhibit(let change): change.isOn ? "touch is off" : "touch is on"
    case .device(let change): "\(change.device.name) \(change.change?.rawValue ?? "–")"
    case .display: "another size"
    case .resync(let resync): "\(resync.dropped) lines missed"
    case .hello, .tick, .motion, .haptic, .bye, .unknown: nil
    }
  }

  // MARK: Titles

  /// The titles that are about to be seen and are not known yet.
  func missing(width: Int, atUs timeUs: Int64) -> [(picker: String, places: ClosedRange<Int>)] {
    store.pickers.compactMap { tracked in
      let picker = shown(tracked, atUs: timeUs)
      guard let wanted = WatchRenderer.visible(picker, width: width) else { return nil }
      guard let first = wanted.first(where: { picker.values[$0] == nil }) else { return nil }
      return (picker.id, first...min(picker.count - 1, wanted.upperBound + 40))
    }
  }

  /// Takes over titles.
  mutating func take(_ page: [PickerValue], of picker: String) {
    for value in page {
      values[picker, default: [:]][value.index] = value
      let width = TextWidth.columns(of: value.title)
      titleWidths[picker] = max(titleWidths[picker] ?? 0, width)
    }
  }

  // MARK: Drawing

  private func shown(_ picker: TrackedPicker, atUs timeUs: Int64) -> WatchedPicker {
    WatchedPicker(
      picker, values: values[picker.id] ?? [:],
      titleWidth: titleWidths[picker.id] ?? 0, isFocused: picker.id == store.focus,
      atUs: timeUs)
  }

  /// The screen as it stands.
  ///
  /// - Parameters:
  ///   - width: Its columns.
  ///   - height: Its lines.
  ///   - timeUs: When, in microseconds of the clock that notifications go by.
  func screen(width: Int, height: Int, isStyled: Bool, atUs timeUs: Int64) -> String {
    var canvas = WatchCanvas(width: width, height: height)
    let pickers = store.pickers.map { shown($0, atUs: timeUs) }
    let layout = WatchLayout(pickers, width: width, height: height - 2)
    for (picker, place) in zip(pickers, layout.places) {
      WatchRenderer.draw(picker, on: &canvas, at: place)
    }
    if let rest = layout.rest {
      canvas.put(rest, x: 1, y: height - 3, style: Self.faint)
    }
    let columns = 1..<max(1, width - 1)
    let hint = columns.count > TextWidth.columns(of: hint) ? hint : ""
    let end = columns.upperBound - TextWidth.columns(of: hint)
    if pickers.isEmpty { canvas.put("no pickers", x: 1, y: 0, style: Self.faint) }
    if let trouble {
      let text = TextWidth.cut(trouble, to: columns.count)
      canvas.put(text, x: 1, y: height - 2, style: Self.warning)
    } else {
      canvas.put(status, x: 1, y: height - 2, style: Self.faint, within: columns)
    }
    canvas.put(hint, x: end, y: height - 1, style: Self.faint)
    canvas.put(
      events(in: end - 3), x: 1, y: height - 1, style: Self.faint, within: 1..<max(1, end - 1))
    return canvas.text(isStyled: isStyled)
  }

  /// As many of the last events as there is room for, the newest last.
  private func events(in width: Int) -> String {
    var text = ""
    for words in latest.reversed() {
      let longer = text.isEmpty ? words : words + " · " + text
      guard TextWidth.columns(of: longer) <= width else { break }
      text = longer
    }
    return text
  }

  private var status: String {
    var parts = remarks
    if let latencyUs {
      parts.append("\(latencyUs / 1000).\(latencyUs % 1000 / 100) ms after the finger")
    }
    if store.isInhibited { parts.append("touch is off") }
    if !store.isActive { parts.append("nobody is there") }
    return parts.joined(separator: " · ")
  }
}
