// SPDX-License-Identifier: Apache-2.0

import Haptics
import Testing
import Wire

@Suite struct EffectTableTests {
  /// Strength and length of each cue in the order from the softest; nil plays nothing.
  static let rumble: [(MotorClass, [(level: UInt16, lengthMS: UInt16)?])] = [
    (
      .lra,
      [
        (0x3030, 8), (0x5050, 8), (0x6060, 12), (0x8080, 16), (0xA0A0, 20), (0xC0C0, 24),
        (0xFFFF, 28),
      ]
    ),
    (
      .erm,
      [
        (0x8080, 20), (0xA0A0, 24), (0xA0A0, 28), (0xC0C0, 36), (0xFFFF, 44), (0xFFFF, 52),
        (0xFFFF, 64),
      ]
    ),
    (
      .onOff,
      [
        nil, (0xFFFF, 32), (0xFFFF, 36), (0xFFFF, 44), (0xFFFF, 56), (0xFFFF, 64), (0xFFFF, 80),
      ]
    ),
  ]

  @Test(arguments: rumble.indices)
  func singleMotorsGetTheSameStrengthOnBothFields(row: Int) throws {
    let (motorClass, expected) = Self.rumble[row]
    let table = EffectTable(motorClass: motorClass, strength: 1)
    for (cue, entry) in zip(Cue.allCases, expected) {
      let effect = table.effect(for: cue, by: .rumble)
      #expect(
        effect
          == entry.map {
            MotorEffect(.rumble(strong: $0.level, weak: $0.level), lengthMS: $0.lengthMS)
          },
        "\(motorClass) \(cue)")
    }
  }

  @Test func controllersTickWithTheSmallMotorAndUseBothForWhatIsHeavy() {
    let table = EffectTable(motorClass: .gamepad, strength: 1)
    let expected: [Cue: MotorEffect] = [
      .tickSoft: MotorEffect(.rumble(strong: 0, weak: 0x8080), lengthMS: 20),
      .tick: MotorEffect(.rumble(strong: 0, weak: 0xA0A0), lengthMS: 24),
      .light: MotorEffect(.rumble(strong: 0, weak: 0xA0A0), lengthMS: 28),
      .selection: MotorEffect(.rumble(strong: 0, weak: 0xC0C0), lengthMS: 36),
      .medium: MotorEffect(.rumble(strong: 0, weak: 0xFFFF), lengthMS: 44),
      .limit: MotorEffect(.rumble(strong: 0xFFFF, weak: 0xFFFF), lengthMS: 52),
      .heavy: MotorEffect(.rumble(strong: 0xFFFF, weak: 0xFFFF), lengthMS: 64),
    ]
    for cue in Cue.allCases {
      #expect(table.effect(for: cue, by: .rumble) == expected[cue], "\(cue)")
    }
  }

  @Test func wavesHaveHalfTheStrength() {
    let table = EffectTable(motorClass: .lra, strength: 1)
    let magnitudes: [Int16] = [0x1818, 0x2828, 0x3030, 0x4040, 0x5050, 0x6060, 0x7FFF]
    let lengths: [UInt16] = [8, 8, 12, 16, 20, 24, 28]
    for (index, cue) in Cue.allCases.enumerated() {
      #expect(
        table.effect(for: cue, by: .periodic(.sine))
          == MotorEffect(
            .periodic(.sine, periodMS: 5, magnitude: magnitudes[index]), lengthMS: lengths[index]))
      #expect(
        table.effect(for: cue, by: .constant)
          == MotorEffect(.constant(level: magnitudes[index]), lengthMS: lengths[index]))
    }
  }

  @Test func padsGetTheirOwnWaveforms() {
    let table = EffectTable(motorClass: .hapticPad, strength: 1)
    let expected: [(HapticUsage, UInt16)] = [
      (.vendorTick, 20), (.vendorTick, 35), (.click, 35), (.click, 50), (.click, 70), (.click, 85),
      (.click, 100),
    ]
    for (cue, entry) in zip(Cue.allCases, expected) {
      let effect = table.effect(for: cue, by: .haptic(tick: .vendorTick))
      #expect(effect?.shape == .haptic(entry.0, intensity: entry.1), "\(cue)")
    }
  }

  @Test func noUsageEverSwitchesAPadOutOfItsOwnClicking() {
    for usage in HapticUsage.allCases {
      #expect(![0x1006, 0x1007].contains(usage.usage))
    }
    #expect(HapticUsage.ticks.map(\.usage) == [0x2006, 0x1008, 0x1003])
    #expect(HapticUsage.vendorTick.vendor == 0x18D1 && HapticUsage.vendorTick.vendorPage == 1)
  }

  /// Old and new drv260x drivers read different bytes of a strength.
  @Test func everyStrengthHasTwoEqualBytesAndNeverVanishes() throws {
    var generator = SeededGenerator.printed()
    for _ in 0..<2000 {
      let strength = Double.random(in: 0.0001...1, using: &generator)
      let motorClass = try #require(MotorClass.allCases.randomElement(using: &generator))
      let table = EffectTable(motorClass: motorClass, strength: strength)
      for cue in Cue.allCases {
        guard let effect = table.effect(for: cue, by: .rumble) else {
          #expect(motorClass == .onOff && cue == .tickSoft)
          continue
        }
        guard case .rumble(let strong, let weak) = effect.shape else {
          Issue.record("\(effect)")
          continue
        }
        #expect(strong >> 8 == strong & 0xFF && weak >> 8 == weak & 0xFF)
        #expect(weak > 0 && effect.lengthMS > 0)
      }
    }
  }

  @Test func strengthScalesAndStaysOrdered() throws {
    let full = EffectTable(motorClass: .lra, strength: 1)
    let half = EffectTable(motorClass: .lra, strength: 0.5)
    #expect(
      half.effect(for: .tick, by: .rumble)
        == MotorEffect(.rumble(strong: 0x2828, weak: 0x2828), lengthMS: 8))
    let strengths = Cue.allCases.compactMap { half.effect(for: $0, by: .rumble)?.strength }
    #expect(strengths == strengths.sorted())
    for cue in Cue.allCases {
      let (whole, part) = (
        try #require(full.effect(for: cue, by: .rumble)),
        try #require(half.effect(for: cue, by: .rumble))
      )
      #expect(part.strength < whole.strength && part.lengthMS == whole.lengthMS)
    }
    let pad = EffectTable(motorClass: .hapticPad, strength: 0.5)
    #expect(
      pad.effect(for: .heavy, by: .haptic(tick: .click))?.shape == .haptic(.click, intensity: 50))
  }

  @Test func strengthNoughtPlaysNothingAndStrangeOnesAreDrawnIn() {
    for cue in Cue.allCases {
      #expect(EffectTable(motorClass: .lra, strength: 0).effect(for: cue, by: .rumble) == nil)
      #expect(
        EffectTable(motorClass: .lra, strength: 7).effect(for: cue, by: .rumble)
          == EffectTable(motorClass: .lra, strength: 1).effect(for: cue, by: .rumble))
    }
    #expect(EffectTable(motorClass: .lra, strength: .nan).strength == 1)
    #expect(EffectTable(motorClass: .lra, strength: -1).strength == 0)
  }

  /// `struct ff_effect` on machines of 64 bits; only the haptic effect is written by offsets of ours.
  @Test(.enabled(if: MemoryLayout<Int>.size == 8, "the layout of 32 bits is another"))
  func effectsHaveTheKernelsLayout() {
    func word(_ bytes: [UInt8], _ offset: Int) -> Int {
      Int(bytes[offset]) | Int(bytes[offset + 1]) << 8
    }
    let rumble = MotorEffect(.rumble(strong: 0x1234, weak: 0x5678), lengthMS: 24).kernelBytes(
      id: -1)
    #expect(rumble.count == 48)
    #expect(
      [0, 2, 10, 12, 16, 18].map { word(rumble, $0) } == [0x50, 0xFFFF, 24, 0, 0x1234, 0x5678])
    let wave = MotorEffect(.periodic(.triangle, periodMS: 5, magnitude: 0x2828), lengthMS: 8)
      .kernelBytes(id: 3)
    #expect(
      [0, 2, 10, 16, 18, 20, 22].map { word(wave, $0) } == [0x51, 3, 8, 0x59, 5, 0x2828, 0])
    let constant = MotorEffect(.constant(level: 0x7FFF), lengthMS: 28).kernelBytes(id: 0)
    #expect([0, 10, 16].map { word(constant, $0) } == [0x52, 28, 0x7FFF])
    let pad = MotorEffect(.haptic(.vendorTick, intensity: 35), lengthMS: 20).kernelBytes(id: 0)
    #expect(
      [0, 16, 18, 20, 22, 24, 26].map { word(pad, $0) } == [0x4F, 0x2006, 0x18D1, 1, 35, 0, 0])
  }

  @Test func anEffectIsNeverForEver() {
    #expect(MotorEffect(.rumble(strong: 1, weak: 1), lengthMS: 0).lengthMS == 1)
  }

  @Test(arguments: [
    ("gpio-vibrator", MotorClass.onOff), ("sc27xx:vibrator", .onOff), ("pwm-vibrator", .erm),
    ("regulator-haptic", .erm), ("max77693-haptic", .erm), ("max8997-haptic", .erm),
    ("pm8xxx_vib_ffmemless", .erm), ("twl4030:vibrator", .erm), ("twl6040:vibrator", .erm),
    ("drv260x:haptics", .lra), ("drv2665:haptics", .lra), ("drv2667:haptics", .lra),
    ("drv2624:haptics", .lra), ("aw86927-haptics", .lra), ("aw8695-haptics", .lra),
    ("spmi_haptics", .lra), ("arizona:haptics", .lra), ("cs40l50_vibra", .lra),
    ("da7280-haptic", .lra), ("isa1200-haptic", .erm),
  ])
  func driversTellTheirClass(name: String, expected: MotorClass) {
    #expect(MotorClass(deviceName: name) == expected)
    #expect(MotorClass.isVibratorName(name))
  }

  @Test(arguments: ["", "Goodix Capacitive TouchScreen", "Xbox Wireless Controller", "vibrator"])
  func otherNamesTellNothing(name: String) {
    #expect(MotorClass(deviceName: name) == nil)
    #expect(!MotorClass.isVibratorName(name))
  }

  @Test func ticksOfTheTableFitTheirInterval() throws {
    for motorClass in MotorClass.allCases {
      let table = EffectTable(motorClass: motorClass, strength: 1)
      let tick = try #require(table.effect(for: .tick, by: .rumble))
      #expect(motorClass.intervalUs(lengthMS: tick.lengthMS) == motorClass.tickIntervalUs)
    }
    // A picker that ticks with `heavy` has to keep its pulses apart all the same.
    #expect(MotorClass.onOff.intervalUs(lengthMS: 80) == 108_000)
  }
}
