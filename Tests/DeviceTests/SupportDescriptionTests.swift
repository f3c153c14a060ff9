// SPDX-License-Identifier: Apache-2.0

import CLinux
import LinuxIO
import TestSupport
import Testing

/// Descriptions of real devices become devices of the kernel.
@Suite(
  .serialized, .enabled(if: SharedFixtures.isPresent, Comment(rawValue: SharedFixtures.reason)))
struct SupportDescriptionTests {
  static let folder = SharedFixtures.directory + "/recordings/devices"

  static var files: [String] {
    SystemFiles.names(in: folder).filter { $0.hasSuffix(".json") }
  }

  /// One in forty: each takes udev a moment.
  @Test(
    .enabled(if: InputNodes.canUseUinput, Comment(rawValue: InputNodes.needsUinput)),
    arguments: files.enumerated().filter { $0.offset % 40 == 0 }.map(\.element))
  func theKernelMakesThem(file: String) throws {
    let description = try DeviceDescription(json: "\(Self.folder)/\(file)")
    let device = try VirtualDevice(description)
    let client = try OwnedDescriptor(opening: device.node, flags: 0)
    var bits = [UInt8](repeating: 0, count: 96)
    for (type, codes) in description.codes {
      let length = detent_evdev_bits(client.rawValue, UInt32(type), &bits, bits.count)
      #expect(length > 0)
      var found: Set<UInt16> = []
      for code in 0..<max(0, Int(length)) * 8 where bits[code / 8] & (1 << UInt8(code % 8)) != 0 {
        found.insert(UInt16(code))
      }
      // The kernel adds what it makes of others, such as key repeat's.
      #expect(found.isSuperset(of: codes), "\(file), type \(type)")
    }
    for (code, axis) in description.axes {
      var info = input_absinfo()
      #expect(detent_evdev_abs(client.rawValue, UInt32(code), &info) == 0)
      #expect(
        (info.minimum, info.maximum, info.resolution)
          == (axis.minimum, axis.maximum, axis.resolution), "\(file), axis \(code)")
    }
  }
}
