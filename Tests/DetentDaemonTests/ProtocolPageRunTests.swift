// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import TestSupport
import Testing
import Wire
import WireTestSupport

/// Has the conversations of docs/protocol.md with a real daemon.
@Suite struct ProtocolPageRunTests {
  private static let configuration = """
    [gesture]
    velocity = "swiftui"

    [haptics]
    enabled = false

    [[display]]
    id = "main"
    width = 800
    height = 480

    [[picker]]
    id = "weight"
    type = "ruler"
    region = { x = 0, y = 80, width = 800, height = 160 }
    values = { from = 40, through = 120, step = 1 }
    title = "{} kg"
    selection = 72

    [[picker]]
    id = "language"
    type = "swatches"
    region = { x = 0, y = 300, width = 800, height = 100 }
    colors = [{ value = "de", title = "Deutsch" }, { value = "fr", title = "Français" }]
    columns = 2
    size = 80
    """

  /// A drag on the ruler, and a tap on the second swatch after it has come to rest.
  private static let recording = """
    {"recording":1,"devices":[{"id":"panel","kind":"touchscreen","name":"Example panel","width_mm":154,"height_mm":86}]}
    {"time_us":1000000,"device":"panel","event":"down","slot":0,"x":0.5,"y":0.35}
    {"time_us":1016000,"device":"panel","event":"move","slot":0,"x":0.475,"y":0.35}
    {"time_us":1032000,"device":"panel","event":"move","slot":0,"x":0.45,"y":0.35}
    {"time_us":1048000,"device":"panel","event":"move","slot":0,"x":0.425,"y":0.35}
    {"time_us":1064000,"device":"panel","event":"up","slot":0}
    {"time_us":2564000,"device":"panel","event":"down","slot":0,"x":0.75,"y":0.7}
    {"time_us":2644000,"device":"panel","event":"up","slot":0}

    """

  @Test(.enabled(if: DaemonProcess.isBuilt, Comment(rawValue: DaemonProcess.needsBinary)))
  func `the daemon says what the page says`() throws {
    let recording = try TemporaryRecording(Self.recording)
    let daemon = try DaemonProcess(
      configuration: Self.configuration, arguments: ["--play", recording.path])
    let validator = SchemaValidator()
    for conversation in try ProtocolPage().conversations {
      let client = try daemon.connect()
      // How many of its lines were looked at.
      var position = 0
      for line in conversation {
        switch line {
        case .sent(let text): try client.send(text)
        case .received(let text):
          let expected = ProtocolPage.timeless(try JSONParser.value(of: Array(text.utf8)))
          let started = position
          let found: Bool? = try? Waiting.value("a line of the page", seconds: 10) {
            while position < client.messages.count {
              position += 1
              if ProtocolPage.timeless(client.messages[position - 1]) == expected { return true }
            }
            try client.receive(milliseconds: 20)
            return nil
          }
          guard found == nil else { continue }
          let lines = client.lines[started...].joined(separator: "\n")
          Issue.record("the page says\n\(text)\nthe daemon said\n\(lines)")
          return
        }
      }
      for message in client.messages { #expect(validator.problems(ofLine: message) == []) }
    }
  }
}

/// A recording in a file of its own.
final class TemporaryRecording {
  let path: String

  init(_ text: String) throws {
    var template = Array("/tmp/detent-page-XXXXXX".utf8CString)
    let descriptor = mkstemp(&template)
    guard descriptor >= 0 else { throw Errno.current }
    let file = OwnedDescriptor(owning: descriptor)
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    try Array(text.utf8).withUnsafeBytes { try Descriptor.writeAll(file.rawValue, $0) }
  }

  deinit { unlink(path) }
}
