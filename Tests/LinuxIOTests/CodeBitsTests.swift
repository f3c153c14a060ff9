// SPDX-License-Identifier: Apache-2.0

import LinuxIO
import Testing

@Suite struct CodeBitsTests {
  // What ff-memless can play: FF_RUMBLE, FF_PERIODIC, its waveforms, FF_GAIN.
  private static let memless = [0x50, 0x51, 0x58, 0x59, 0x5A, 0x60]

  @Test func sysfsWritesTheMostSignificantWordFirst() {
    let bits = CodeBits(sysfs: "107030000 0\n", wordBits: 64)
    #expect(bits.isExactly(Self.memless))
    #expect(bits.contains(0x60) && !bits.contains(0x61) && !bits.contains(5000))
    #expect(bits.intersects(0..<0x51) && !bits.intersects(0..<0x50))
    // The same on a kernel of 32 bits.
    #expect(CodeBits(sysfs: "1 7030000 0 0", wordBits: 32) == bits)
  }

  @Test func anIoctlFillsTheLeastSignificantByteFirst() {
    var bytes = [UInt8](repeating: 0, count: 16)
    for code in Self.memless { bytes[code / 8] |= 1 << UInt8(code % 8) }
    #expect(CodeBits(bytes: bytes) == CodeBits(sysfs: "107030000 0", wordBits: 64))
  }

  @Test(arguments: ["", "0", "\n", "nonsense", "1 zz", "0 0 0"])
  func whatIsNoBitmapHasNoBit(text: String) {
    #expect(CodeBits(sysfs: text).isEmpty)
  }

  @Test func equalBitsAreEqualHoweverTheyCame() {
    #expect(CodeBits(sysfs: "0 0 1", wordBits: 64) == CodeBits([0]))
    #expect(!CodeBits([3]).contains(-1) && !CodeBits([3]).contains(1000))
  }
}
