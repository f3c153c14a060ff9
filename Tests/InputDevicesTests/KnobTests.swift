// SPDX-License-Identifier: Apache-2.0

import CLinux
import Gestures
@testable import InputDevices
import LinuxIO
import Testing

@Suite struct KnobTests {
  private func counter(
    _ counts: Int = 1, reversed: Bool = false, acceleration: KnobOptions.Acceleration = .off
  ) -> KnobCounter {
    KnobCounter(
      KnobOptions(
        device: DeviceMatch(), countsPerStep: counts, isReversed: reversed,
        acceleration: acceleration))
  }

  @Test func `a detent is so many counts in one direction`() {
    var knob = counter(4)
    let steps = [1, 1, 1, 1, 3, 1, 8, -1, -3, -4].enumerated().map {
      knob.turn(counts: $1, timeUs: Int64($0) * 1000)
    }
    #expect(steps == [0, 0, 0, 1, 0, 1, 2, 0, -1, -1])
  }

  @Test func `chatter of less than a detent is nothing`() {
    var knob = counter(2)
    let steps = (0..<1000).map { knob.turn(counts: $0 % 2 == 0 ? 1 : -1, timeUs: Int64($0)) }
    #expect(steps.allSatisfy { $0 == 0 })
  }

  @Test func `reversed is the other way`() {
    var knob = counter(1, reversed: true)
    #expect(knob.turn(counts: 3, timeUs: 0) == -3)
    #expect(knob.turn(counts: -1, timeUs: 1) == 1)
  }

  @Test(arguments: KnobOptions.Acceleration.allCases)
  func `slow turning is one step a detent, whatever the acceleration`(
    acceleration: KnobOptions.Acceleration
  ) {
    var knob = counter(acceleration: acceleration)
    // Eight a second.
    for index in 0..<40 {
      #expect(knob.turn(counts: 1, timeUs: Int64(index) * 125_000) == 1)
    }
  }

  @Test(arguments: [
    (KnobOptions.Acceleration.off, 1.0, 1.0), (.low, 1.5, 3.0), (.medium, 2.0, 5.0),
    (.high, 3.0, 9.0),
  ])
  func `fast turning is as the table says`(
    acceleration: KnobOptions.Acceleration, at16: Double, at40: Double
  ) {
    for (speed, factor) in [(16, at16), (40, at40)] {
      var knob = counter(acceleration: acceleration)
      var total = 0
      _ = knob.turn(counts: 1, timeUs: 0)
      for index in 1...80 {
        total += knob.turn(counts: 1, timeUs: Int64(index * 1_000_000 / speed))
      }
      #expect(abs(Double(total) - 80 * factor) < 1.5, "\(acceleration) at \(speed)")
    }
  }

  @Test func `acceleration ends with a pause and with turning back`() {
    var knob = counter(acceleration: .high)
    for index in 0..<20 { _ = knob.turn(counts: 1, timeUs: Int64(index) * 10_000) }
    #expect(knob.turn(counts: 1, timeUs: 200_000) == 12)
    #expect(knob.turn(counts: -1, timeUs: 210_000) == -1)
    #expect(knob.turn(counts: -1, timeUs: 220_000) < -1)
    #expect(knob.turn(counts: -1, timeUs: 500_000) == -1)
  }

  @Test func `numbers without end do no harm`() {
    var knob = counter(acceleration: .high)
    _ = knob.turn(counts: .max, timeUs: 0)
    _ = knob.turn(counts: .min, timeUs: 0)
    _ = knob.turn(counts: .min, timeUs: 1)
    #expect(knob.turn(counts: 1, timeUs: 10_000_000) == 1)
  }

  @Test func `a circle is gone round the shorter way`() {
    var circle = KnobCircle(minimum: 0, maximum: 23, isOneTooLong: false, position: 0)
    #expect(circle.move(to: 1) == 1)
    #expect(circle.move(to: 0) == -1)
    #expect(circle.move(to: 23) == -1)
    #expect(circle.move(to: 0) == 1)
    #expect(circle.move(to: 22) == -2)
    circle.jump(to: 5)
    #expect(circle.move(to: 6) == 1)
    // The kernel's encoder driver: 24 positions in a range that ends with 24.
    var driver = KnobCircle(minimum: 0, maximum: 24, isOneTooLong: true, position: 23)
    #expect(driver.move(to: 0) == 1)
    #expect(driver.move(to: 23) == -1)
    var none = KnobCircle(minimum: 0, maximum: 0, isOneTooLong: false, position: 0)
    #expect(none.move(to: 5) == 0)
  }

  @Test func `the axis is what the device has, and each detent is read once`() {
    func bits(_ codes: CInt...) -> CodeBits {
      let value = codes.reduce(UInt64(0)) { $0 | 1 << UInt64($1) }
      return CodeBits(sysfs: String(value, radix: 16), wordBits: 64)
    }
    func choose(
      _ axis: KnobOptions.Axis, _ relative: CodeBits = CodeBits(sysfs: ""),
      _ absolute: CodeBits = CodeBits(sysfs: "")
    ) -> KnobAxis? { KnobAxis.choose(axis, relative: relative, absolute: absolute) }
    let wheel = bits(REL_WHEEL, REL_WHEEL_HI_RES)
    #expect(choose(.auto, wheel) == .relative(code: Int(REL_WHEEL), unit: 1))
    #expect(
      choose(.wheel, bits(REL_WHEEL_HI_RES))
        == .relative(code: Int(REL_WHEEL_HI_RES), unit: 120))
    #expect(choose(.auto, bits(REL_X, REL_DIAL)) == .relative(code: Int(REL_DIAL), unit: 1))
    #expect(choose(.x, bits(REL_X)) == .relative(code: Int(REL_X), unit: 1))
    #expect(
      choose(.x, CodeBits(sysfs: ""), bits(ABS_X)) == .absolute(code: Int(ABS_X)))
    #expect(
      choose(.auto, CodeBits(sysfs: ""), bits(ABS_WHEEL)) == .absolute(code: Int(ABS_WHEEL)))
    #expect(choose(.dial, bits(REL_X)) == nil)
    #expect(choose(.auto) == nil)
    #expect(choose(.auto, CodeBits(sysfs: ""), bits(ABS_MT_SLOT, ABS_MT_POSITION_X)) == nil)
  }
}
