// SPDX-License-Identifier: Apache-2.0

/// Makes steps of a knob's counts: detents first, then acceleration.
///
/// A detent is `countsPerStep` counts in one direction; what is left over is kept, so that none is lost
/// or invented, and a contact that chatters by less than a detent makes nothing.
///
/// Acceleration looks at the speed in detents per second, from one frame with a detent to the next. Up to
/// 8 a second a detent is one step. Above, a detent counts 1 + `gain` · (speed − 8) / 8 steps, at most
/// `most`; fractions are carried over. A pause of 200 ms, or turning back, begins at one step again.
///
/// | acceleration | gain | most | at 16 a second | at 40 a second |
/// |---|---|---|---|---|
/// | low | 0.5 | 3 | 1.5 | 3 |
/// | medium | 1 | 6 | 2 | 5 |
/// | high | 2 | 12 | 3 | 9 |
struct KnobCounter {
  /// The speed up to which a detent is one step, in detents per second.
  static let slow = 8.0
  /// The pause after which the speed is forgotten, in microseconds.
  static let pauseUs: Int64 = 200_000

  let countsPerStep: Int
  let isReversed: Bool
  let acceleration: KnobOptions.Acceleration

  private var counts = 0
  private var lastDetentUs: Int64?
  private var direction = 0
  private var fraction = 0.0

  init(_ options: KnobOptions) {
    countsPerStep = options.countsPerStep
    isReversed = options.isReversed
    acceleration = options.acceleration
  }

  /// Takes the counts of one frame.
  ///
  /// - Parameter timeUs: when the device sent them, in microseconds.
  /// - Returns: the steps, clockwise positive.
  mutating func turn(counts added: Int, timeUs: Int64) -> Int {
    let (sum, overflow) = counts.addingReportingOverflow(isReversed ? 0 &- added : added)
    counts = overflow ? 0 : sum
    let detents = counts / countsPerStep
    guard detents != 0 else { return 0 }
    counts -= detents * countsPerStep
    return accelerated(detents, timeUs: timeUs)
  }

  /// Forgets what is not yet a detent, as after events were lost.
  mutating func reset() {
    counts = 0
    lastDetentUs = nil
    fraction = 0
  }

  private mutating func accelerated(_ detents: Int, timeUs: Int64) -> Int {
    defer {
      lastDetentUs = timeUs
      direction = detents.signum()
    }
    guard let limits, let lastDetentUs, direction == detents.signum(),
      timeUs - lastDetentUs < Self.pauseUs
    else {
      fraction = 0
      return detents
    }
    // Frames of the same microsecond are as fast as can be told.
    let seconds = Double(max(1, timeUs - lastDetentUs)) / 1_000_000
    let speed = Double(detents.magnitude) / seconds
    let factor = min(limits.most, 1 + limits.gain * max(0, speed - Self.slow) / Self.slow)
    let steps = Double(detents.magnitude) * factor + fraction
    // No device turns so far in a frame; a broken one must not end the process.
    let whole = min(steps, 1_000_000).rounded(.down)
    fraction = steps.truncatingRemainder(dividingBy: 1)
    return Int(whole) * detents.signum()
  }

  private var limits: (gain: Double, most: Double)? {
    switch acceleration {
    case .off: nil
    case .low: (0.5, 3)
    case .medium: (1, 6)
    case .high: (2, 12)
    }
  }
}
