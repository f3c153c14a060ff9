// SPDX-License-Identifier: Apache-2.0

import Pickers
import Scene
import Wire

extension JSONWriter {
  /// Writes the state of a picker.
  mutating func state(_ picker: PickerSnapshot) {
    beginObject()
    name("picker")
    string(picker.id)
    name("type")
    string(picker.type)
    name("display")
    string(picker.display)
    name("region")
    region(picker.region)
    name("enabled")
    bool(picker.isEnabled)
    name("count")
    integer(picker.values.count)
    selected(picker.selection, of: picker.values)
    name("live_index")
    integer(picker.liveIndex)
    switch picker.position {
    case .offset(let offset):
      name("offset")
      number(offset)
    case .degree(let degree):
      name("degree")
      number(degree)
      name("hue")
      let remainder = degree.truncatingRemainder(dividingBy: 360)
      number(remainder < 0 ? remainder + 360 : remainder)
    case .fixed(let pressed):
      name("pressed")
      if let pressed { integer(pressed) } else { null() }
    }
    layout(picker.layout)
    name("phase")
    string(picker.phase.rawValue)
    name("glide")
    glide(picker.glide)
    name("revision")
    integer(picker.revision)
    endObject()
  }

  /// Writes the index, value and title of what is selected, nulls where nothing is.
  mutating func selected(_ index: Int?, of values: ValueList) {
    name("index")
    if let index { integer(index) } else { null() }
    name("value")
    value(index.map { values[$0] })
    name("title")
    if let index { string(values.title(at: index)) } else { null() }
  }

  /// Writes values with their places and titles, as many as there are from one on.
  mutating func page(of values: ValueList, from: Int, count: Int) {
    let first = min(from, values.count)
    beginArray()
    for index in first..<min(first + count, values.count) {
      beginObject()
      name("index")
      integer(index)
      name("value")
      value(values[index])
      name("title")
      string(values.title(at: index))
      endObject()
    }
    endArray()
  }

  /// Writes a display.
  mutating func display(_ display: Display) {
    beginObject()
    name("display")
    string(display.id)
    name("width")
    number(display.width)
    name("height")
    number(display.height)
    name("rotation")
    integer(display.rotation.rawValue)
    endObject()
  }

  private mutating func layout(_ layout: PickerLayout) {
    if let axis = layout.axis {
      name("axis")
      string(axis.rawValue)
    }
    if let mode = layout.mode {
      name("mode")
      string(mode.rawValue)
    }
    if let columns = layout.columns {
      name("columns")
      integer(columns)
    }
    if let size = layout.size {
      name("size")
      number(size)
    }
    if let spacing = layout.spacing {
      name("spacing")
      number(spacing)
    }
    if let pitch = layout.pitch {
      name("pitch")
      number(pitch)
    }
  }

  private mutating func region(_ region: Region) {
    beginObject()
    name("x")
    number(region.x)
    name("y")
    number(region.y)
    name("width")
    number(region.width)
    name("height")
    number(region.height)
    endObject()
  }

  private mutating func glide(_ glide: Glide?) {
    guard let glide else { return null() }
    beginObject()
    name("offset_from")
    number(glide.from)
    name("offset_to")
    number(glide.to)
    name("velocity")
    number(glide.velocity)
    name("started_us")
    integer(glide.startUs)
    name("duration_ms")
    number(glide.restSeconds * 1000)
    endObject()
  }
}
