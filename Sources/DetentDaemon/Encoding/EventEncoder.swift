// SPDX-License-Identifier: Apache-2.0

import Pickers
package import Scene
package import Wire

/// Makes the lines that tell clients what happened.
package struct EventEncoder {
  /// What a line is about, which is what subscriptions ask for.
  package struct Topic {
    /// What happened.
    package var name: EventName
    /// The picker, where it is about one.
    package var picker: String?
  }

  /// The latest line, with its newline.
  package private(set) var line = JSONWriter()

  /// An encoder.
  package init() {}

  /// Writes the line for an event.
  ///
  /// - Parameters:
  ///   - event: What happened.
  ///   - played: For a cue, whether a motor played it.
  @discardableResult
  package mutating func write(_ event: SceneEvent, played: Bool = false) -> Topic {
    switch event {
    case .picker(let id, let values, let event):
      return write(event, picker: id, values: values, played: played)
    case .selection(let change):
      return write(.selection, picker: change.picker, timeUs: change.timeUs) { writer in
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
      return write(.focus, picker: id, timeUs: timeUs) { writer in
        writer.name("picker")
        if let id { writer.string(id) } else { writer.null() }
      }
    case .activity(let isActive, let resetsInMS, let timeUs):
      return write(.activity, timeUs: timeUs) { writer in
        writer.name("active")
        writer.bool(isActive)
        writer.name("resets_in_ms")
        if let resetsInMS { writer.number(resetsInMS) } else { writer.null() }
      }
    case .inhibit(let isOn, let timeUs):
      return write(.inhibit, timeUs: timeUs) { writer in
        writer.name("on")
        writer.bool(isOn)
      }
    case .pickerChanged(let change, let snapshot, let timeUs):
      return write(.picker, picker: snapshot.id, timeUs: timeUs) { writer in
        writer.name("change")
        writer.string(change.rawValue)
        writer.name("state")
        writer.state(snapshot)
      }
    case .display(let display, let timeUs):
      return write(.display, timeUs: timeUs) { writer in
        writer.name("display")
        writer.display(display)
      }
    }
  }

  private mutating func write(
    _ event: PickerEvent, picker: String, values: ValueList, played: Bool
  ) -> Topic {
    func head(_ writer: inout JSONWriter, _ index: Int) {
      writer.name("picker")
      writer.string(picker)
      writer.name("index")
      writer.integer(index)
    }
    switch event.kind {
    case .tick(let index):
      return write(.tick, picker: picker, timeUs: event.timeUs) { writer in
        head(&writer, index)
        writer.name("value")
        writer.value(values[index])
      }
    case .motion(let motion):
      return write(.motion, picker: picker, timeUs: event.timeUs) { writer in
        head(&writer, motion.index)
        writer.motion(motion)
      }
    case .settle(let index, let glide, let durationMS):
      return write(.settle, picker: picker, timeUs: event.timeUs) { writer in
        head(&writer, index)
        writer.name("value")
        writer.value(values[index])
        writer.settle(glide, durationMS: durationMS)
      }
    case .rest(let index):
      return write(.rest, picker: picker, timeUs: event.timeUs) { head(&$0, index) }
    case .press(let index, let isPressed):
      return write(.press, picker: picker, timeUs: event.timeUs) { writer in
        head(&writer, index)
        writer.name("pressed")
        writer.bool(isPressed)
      }
    case .direction(let direction, let degree):
      return write(.direction, picker: picker, timeUs: event.timeUs) { writer in
        writer.name("picker")
        writer.string(picker)
        writer.name("direction")
        writer.string(direction.rawValue)
        writer.name("degree")
        writer.number(degree)
      }
    case .cue(let cue, _):
      return write(.haptic, picker: picker, timeUs: event.timeUs) { writer in
        writer.name("picker")
        writer.string(picker)
        writer.name("cue")
        writer.string(cue.rawValue)
        writer.name("played")
        writer.bool(played)
      }
    case .selection(let index, let previous, let cause, let revision):
      return write(
        .selection(
          SelectionChange(
            picker: picker, values: values, index: index, previous: previous.map { values[$0] },
            cause: cause, revision: revision, timeUs: event.timeUs)))
    }
  }

  /// Writes a notification: the envelope, the params that `body` writes, and the time.
  @discardableResult
  package mutating func write(
    _ name: EventName, picker: String? = nil, timeUs: Int64, _ body: (inout JSONWriter) -> Void
  ) -> Topic {
    line.removeAll()
    line.begin(#"{"jsonrpc":"2.0","method":"#)
    line.string(name.rawValue)
    line.begin(#""params":{"#)
    body(&line)
    line.name("time_us")
    line.integer(timeUs)
    line.endObject()
    line.endObject()
    line.endLine()
    return Topic(name: name, picker: picker)
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
