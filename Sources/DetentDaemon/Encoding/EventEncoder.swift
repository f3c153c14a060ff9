// SPDX-License-Identifier: Apache-2.0

import Pickers
package import Scene
package import Wire

/// Makes the lines that tell clients what happened.
package struct EventEncoder {
  /// A line and what it is about, which is what subscriptions ask for.
  package struct Line {
    /// What happened.
    package var name: EventName
    /// The picker, where it is about one.
    package var picker: String?
    /// The JSON text with its newline.
    package var bytes: [UInt8]
  }

  private var writer = JSONWriter()

  /// An encoder.
  package init() {}

  /// The line for an event.
  ///
  /// - Parameters:
  ///   - event: What happened.
  ///   - played: For a cue, whether a motor played it.
  package mutating func line(for event: SceneEvent, played: Bool = false) -> Line {
    switch event {
    case .picker(let id, let values, let event):
      return line(for: event, picker: id, values: values, played: played)
    case .selection(let change):
      return line(.selection, picker: change.picker, timeUs: change.timeUs) { writer in
        writer.name("picker")
        writer.string(change.picker)
        writer.selected(change.index, of: change.values)
        writer.name("previous")
        writer.value(change.previous)
        writer.name("cause")
        writer.string(change.cause.rawValue)
        writer.name("revision")
        writer.integer(change.revision)
      }
    case .focus(let id, let timeUs):
      return line(.focus, picker: id, timeUs: timeUs) { writer in
        writer.name("picker")
        if let id { writer.string(id) } else { writer.null() }
      }
    case .activity(let isActive, let resetsInMS, let timeUs):
      return line(.activity, timeUs: timeUs) { writer in
        writer.name("active")
        writer.bool(isActive)
        writer.name("resets_in_ms")
        if let resetsInMS { writer.number(resetsInMS) } else { writer.null() }
      }
    case .inhibit(let isOn, let timeUs):
      return line(.inhibit, timeUs: timeUs) { writer in
        writer.name("on")
        writer.bool(isOn)
      }
    case .pickerChanged(let change, let snapshot, let timeUs):
      return line(.picker, picker: snapshot.id, timeUs: timeUs) { writer in
        writer.name("change")
        writer.string(change.rawValue)
        writer.name("state")
        writer.state(snapshot)
      }
    case .display(let display, let timeUs):
      return line(.display, timeUs: timeUs) { writer in
        writer.name("display")
        writer.display(display)
      }
    }
  }

  private mutating func line(
    for event: PickerEvent, picker: String, values: ValueList, played: Bool
  ) -> Line {
    func head(_ writer: inout JSONWriter, _ index: Int) {
      writer.name("picker")
      writer.string(picker)
      writer.name("index")
      writer.integer(index)
    }
    switch event.kind {
    case .tick(let index):
      return line(.tick, picker: picker, timeUs: event.timeUs) { writer in
        head(&writer, index)
        writer.name("value")
        writer.value(values[index])
      }
    case .motion(let motion):
      return line(.motion, picker: picker, timeUs: event.timeUs) { writer in
        head(&writer, motion.index)
        writer.motion(motion)
      }
    case .settle(let index, let glide, let durationMS):
      return line(.settle, picker: picker, timeUs: event.timeUs) { writer in
        head(&writer, index)
        writer.name("value")
        writer.value(values[index])
        writer.settle(glide, durationMS: durationMS)
      }
    case .rest(let index):
      return line(.rest, picker: picker, timeUs: event.timeUs) { head(&$0, index) }
    case .press(let index, let isPressed):
      return line(.press, picker: picker, timeUs: event.timeUs) { writer in
        head(&writer, index)
        writer.name("pressed")
        writer.bool(isPressed)
      }
    case .direction(let direction, let degree):
      return line(.direction, picker: picker, timeUs: event.timeUs) { writer in
        writer.name("picker")
        writer.string(picker)
        writer.name("direction")
        writer.string(direction.rawValue)
        writer.name("degree")
        writer.number(degree)
      }
    case .cue(let cue, _):
      return line(.haptic, picker: picker, timeUs: event.timeUs) { writer in
        writer.name("picker")
        writer.string(picker)
        writer.name("cue")
        writer.string(cue.rawValue)
        writer.name("played")
        writer.bool(played)
      }
    case .selection(let index, let previous, let cause, let revision):
      return line(
        for: .selection(
          SelectionChange(
            picker: picker, values: values, index: index, previous: previous.map { values[$0] },
            cause: cause, revision: revision, timeUs: event.timeUs)))
    }
  }

  /// A notification: the envelope, the params that `body` writes, and the time.
  package mutating func line(
    _ name: EventName, picker: String? = nil, timeUs: Int64, _ body: (inout JSONWriter) -> Void
  ) -> Line {
    writer.removeAll()
    writer.beginObject()
    writer.name("jsonrpc")
    writer.string("2.0")
    writer.name("method")
    writer.string(name.rawValue)
    writer.name("params")
    writer.beginObject()
    body(&writer)
    writer.name("time_us")
    writer.integer(timeUs)
    writer.endObject()
    writer.endObject()
    writer.endLine()
    return Line(name: name, picker: picker, bytes: writer.bytes)
  }
}

extension JSONWriter {
  fileprivate mutating func motion(_ motion: Motion) {
    name("phase")
    string(motion.phase.rawValue)
    name("offset")
    number(motion.offset)
    name("translation")
    number(motion.translation)
    name("velocity")
    number(motion.velocity)
    name("predicted_end_translation")
    number(motion.predictedEndTranslation)
  }

  fileprivate mutating func settle(_ glide: Glide, durationMS: Double) {
    name("offset_from")
    number(glide.from)
    name("offset_to")
    number(glide.to)
    name("velocity")
    number(glide.velocity)
    name("spring")
    beginObject()
    name("duration")
    number(Glide.duration)
    name("bounce")
    number(0)
    endObject()
    name("duration_ms")
    number(durationMS)
  }
}
