// SPDX-License-Identifier: Apache-2.0

import CMath

/// The samples that an estimate looks at, in the model's units: seconds before the newest sample,
/// travels from it.
struct DetentWindow {
  /// A number of samples that stay when the last ones are taken for a finger's roll.
  struct Cut {
    var kept: Int
    var logShare: Double
  }

  /// How many samples there are.
  private(set) var count = 0
  /// When each was taken, in seconds after the newest, so none is above 0.
  private(set) var times = InlineArray<104, Double>(repeating: 0)
  /// Where it was, in travels from the newest.
  private(set) var positions = InlineArray<104, Double>(repeating: 0)
  /// Of each sample and all later ones, the sum and the sum of squares.
  private(set) var sums = InlineArray<105, Double>(repeating: 0)
  private(set) var squares = InlineArray<105, Double>(repeating: 0)
  /// The range of the positions, in the caller's unit.
  private(set) var travel = 0.0
  /// When the contact began and when the finger left, in seconds after the newest sample.
  let touch: Double
  let lift: Double
  /// From the one that keeps the fewest samples to the one that keeps all.
  private(set) var cuts = InlineArray<3, Cut>(repeating: Cut(kept: 0, logShare: 0))
  private(set) var cutCount = 0
  /// The noise levels with their logarithms and the inverses of their variances.
  private(set) var deviations = InlineArray<6, Double>(repeating: 0)
  private(set) var logDeviations = InlineArray<6, Double>(repeating: 0)
  private(set) var precisions = InlineArray<6, Double>(repeating: 0)

  /// An empty window.
  init(touch: Double, lift: Double) {
    self.touch = touch
    self.lift = lift
  }

  /// Takes the next sample, its position in the caller's unit.
  mutating func append(time: Double, position: Double) {
    times[count] = time
    positions[count] = position
    count += 1
  }

  /// The slope of two samples, in the caller's unit per second.
  var slope: Double { (positions[1] - positions[0]) / (times[1] - times[0]) }

  /// Turns to travels and finds what the hypotheses share; false when the position never changed.
  mutating func prepare() -> Bool {
    var low = positions[0]
    var high = positions[0]
    for index in 1..<count {
      low = min(low, positions[index])
      high = max(high, positions[index])
    }
    travel = high - low
    guard travel > 0, travel.isFinite else { return false }
    let newest = positions[count - 1]
    for index in 0..<count { positions[index] = (positions[index] - newest) / travel }
    for index in (0..<count).reversed() {
      sums[index] = sums[index + 1] + positions[index]
      squares[index] = squares[index + 1] + positions[index] * positions[index]
    }
    for level in 0..<DetentModel.noiseLevels {
      let deviation = DetentModel.level(
        level, of: DetentModel.noiseLevels, DetentModel.noise)
      deviations[level] = deviation
      logDeviations[level] = log(deviation)
      precisions[level] = 1 / (deviation * deviation)
    }
    findCuts()
    return true
  }

  /// A roll spoils some of the last samples, but a hypothesis needs three good ones.
  private mutating func findCuts() {
    let logRoll = log(DetentModel.rollShare / 2)
    let short = keptBefore(DetentModel.rollAges.short)
    let long = keptBefore(DetentModel.rollAges.long)
    if long >= 3, long < short { appendCut(long, logRoll) }
    if short >= 3, short < count { appendCut(short, logRoll) }
    appendCut(count, log(1 - DetentModel.rollShare))
  }

  private mutating func appendCut(_ kept: Int, _ logShare: Double) {
    cuts[cutCount] = Cut(kept: kept, logShare: logShare)
    cutCount += 1
  }

  private func keptBefore(_ age: Double) -> Int {
    var kept = count
    while kept > 0, times[kept - 1] > -age { kept -= 1 }
    return kept
  }

  /// How badly the samples from `index` on spread about their mean, and that mean.
  func rest(from index: Int) -> (mean: Double, spread: Double) {
    let number = Double(count - index)
    let mean = sums[index] / number
    return (mean, max(0, squares[index] - number * mean * mean))
  }

  /// The log density of a sample that a roll may have moved.
  ///
  /// - Parameters:
  ///   - lead: How far the sample is ahead of where the finger would be, along its motion; a roll
  ///     only moves it back.
  ///   - deviation: The standard deviation of the difference without a roll.
  static func rolled(lead: Double, deviation: Double) -> Double {
    let least = DetentModel.rollNoise * deviation
    guard lead > 0 else { return DetentModel.rollLogDensity - log(least - lead) }
    return DetentModel.rollLogDensity - log(least) - 0.5 * lead * lead / (deviation * deviation)
  }

  /// The log density of a sample that a roll may have moved, where the finger moves at `velocity`.
  ///
  /// A finger at rest rolls either way: to take one of the two would make left differ from right.
  static func rolled(offset: Double, velocity: Double, deviation: Double) -> Double {
    let isStill = abs(velocity) < DetentModel.stillVelocity
    if velocity < 0, !isStill { return rolled(lead: -offset, deviation: deviation) }
    let along = rolled(lead: offset, deviation: deviation)
    guard isStill else { return along }
    let against = rolled(lead: -offset, deviation: deviation)
    let larger = max(along, against)
    return larger + log((exp(along - larger) + exp(against - larger)) / 2)
  }

  /// Whether the samples bear out a motion at `velocity` travels per second.
  ///
  /// One that goes back on the way that the finger came needs a way back of its own, or a roll
  /// would throw the content the wrong way.
  func bearsOut(_ velocity: Double) -> Bool {
    let sign = velocity > 0 ? 1.0 : -1.0
    var turn = 0
    // Sensors have steps, so places are often the same; which of two is further must not be rounding's say.
    for index in 1..<count
    where sign * (positions[index] - positions[turn]) <= DetentModel.samePlace { turn = index }
    var there = 0.0
    for index in 0..<turn { there = max(there, sign * (positions[index] - positions[turn])) }
    let back = sign * (positions[count - 1] - positions[turn])
    guard there > back + DetentModel.samePlace else { return true }
    let age = times[count - 1] - times[turn]
    if age < DetentModel.rollAges.long, back < DetentModel.turnShare * there - DetentModel.samePlace
    {
      return false
    }
    return abs(velocity) * age <= DetentModel.turnGain * back + DetentModel.samePlace
  }
}
