// SPDX-License-Identifier: Apache-2.0

import DetentDaemon
import Pickers
import Scene

/// A configuration: refused with a place and a reason, or pickers that open.
package struct ConfigurationTarget: FuzzTarget {
  package static let name = "configuration"
  package static let seeds = [
    """
    [[display]]
    id = "main"
    width = 1080
    height = 1920
    rotation = 90
    edge_margin = 4
    touchscreen = { name = "Goodix*" }
    dead_zones = [{ x = 0, y = 0, width = 40, height = 40 }]
    [[picker]]
    id = "weight"
    type = "ruler"
    region = { x = 0, y = 200, width = 1080, height = 160 }
    values = { from = 40, through = 120, step = 0.1 }
    title = "{} kg"
    selection = 72
    """,
    """
    [daemon]
    seat = "seat0"
    glide_hz = 60
    idle_after_seconds = 5
    idle_reset_seconds = 60.5
    reduce_motion = true
    allow_control = ["kiosk"]
    [gesture]
    velocity = "swiftui"
    stop_after_ms = 50
    [touchpad]
    scale = 1.5
    [haptics]
    motor = "lra"
    strength = 0.5
    device = { path = "pci-*" }
    [[display]]
    width = 100
    height = 100
    [[knob]]
    device = { name = "rotary@*" }
    counts_per_step = 4
    picker = "c"
    [[picker]]
    id = "c"
    type = "carousel"
    items = ["a", { value = "b", title = "B" }]
    region = { x = 0, y = 0, width = 90, height = 16 }
    limit = "one"
    [[picker]]
    id = "r"
    type = "radial"
    mode = "rotate"
    values = [1, 2.5, -3]
    region = { x = 0, y = 0, width = 90, height = 90 }
    [[picker]]
    id = "s"
    type = "swatches"
    colors = ["#fff", "#000"]
    region = { x = 0, y = 0, width = 90, height = 90 }
    """,
  ].map { Array($0.utf8) }
  package static let words = [
    "[[picker]]", "[[display]]", "[[knob]]", "\n", " = ", "inf", "nan", "0x7fffffffffffffff",
    "1e400", "1e-15", "5e-324", "0.001",
    "-9223372036854775808", "4611686018427387904", "-1", "from = ", "through = ", "step = ",
    "'''", "\"\"\"", "1979-05-27T07:32:00Z", "\\U0010ffff", "\u{85}", "#", "[", "]]", "{", "}",
    "type = \"ruler\"", "axis = \"vertical\"", "item_width = ", "selection = ", "a.b.c = ",
  ]

  private let file: ByteFile

  package init() throws(BrokenInvariant) { file = try ByteFile() }

  package mutating func run(_ bytes: [UInt8]) throws(BrokenInvariant) {
    try file.hold(bytes)
    let configuration: Configuration
    do throws(ConfigurationError) {
      configuration = try Configuration(file: file.path)
    } catch {
      try require(!error.problems.isEmpty, "refused without a reason")
      let lines = bytes.count { $0 == UInt8(ascii: "\n") } + 1
      for problem in error.problems {
        try require(!problem.message.isEmpty, "a problem without words")
        try require((0...lines).contains(problem.line), "\(problem) beyond \(lines) lines")
        try require(problem.column >= 0, "\(problem)")
      }
      return
    }
    var scene = Scene(settings: configuration.scene, timeUs: 0)
    scene.open(configuration.pickers, timeUs: 0)
    try SceneInvariants.check(scene, timeUs: 0)
    try PickerProbe.run(&scene)
  }
}
