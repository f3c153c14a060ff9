// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// Descriptions of real devices are read as they are meant.
@Suite(.enabled(if: SharedFixtures.isPresent, Comment(rawValue: SharedFixtures.reason)))
struct DescriptionTests {
  static let folder = SharedFixtures.directory + "/recordings/devices"

  static var files: [String] {
    SystemFiles.names(in: folder).filter { $0.hasSuffix(".json") }
  }

  @Test func allAreRead() throws {
    #expect(Self.files.count > 200)
    var kinds: [String: Int] = [:]
    for file in Self.files {
      let device = try DeviceDescription(json: "\(Self.folder)/\(file)")
      let kind = String(file.prefix { $0 != "-" })
      // Some of the other things, and keyboards whose codes are only counted, list none.
      #expect(
        ["other", "keyboard"].contains(kind) || device.codes.count + device.axes.count > 0,
        "\(file)")
      #expect(!device.name.isEmpty, "\(file)")
      kinds[kind, default: 0] += 1
    }
    #expect(kinds["touchscreen", default: 0] > 100 && kinds["touchpad", default: 0] > 50)
  }
}
