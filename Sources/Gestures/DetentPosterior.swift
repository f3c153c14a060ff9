// SPDX-License-Identifier: Apache-2.0

import CMath

/// The weighted mean of what all hypotheses say, kept while they pass by: nothing is stored.
struct DetentPosterior {
  /// Hypotheses lighter than e^−20 of the heaviest change nothing that can be seen.
  private static let negligible = 20.0

  private var heaviest = -Double.infinity
  private var total = 0.0
  private var weighted = 0.0
  private var forward = 0.0
  private var backward = 0.0

  /// Whether a hypothesis of this log weight could still matter.
  func matters(_ logWeight: Double) -> Bool { logWeight > heaviest - Self.negligible }

  /// Takes a hypothesis' velocity with the logarithm of its weight.
  mutating func add(_ logWeight: Double, velocity: Double) {
    guard matters(logWeight) else { return }
    if logWeight > heaviest {
      let shrink = exp(heaviest - logWeight)
      heaviest = logWeight
      total *= shrink
      weighted *= shrink
      forward *= shrink
      backward *= shrink
    }
    let weight = exp(logWeight - heaviest)
    total += weight
    weighted += weight * velocity
    // What rounding leaves of a finger at rest is for neither side.
    if velocity > DetentModel.stillVelocity { forward += weight }
    if velocity < -DetentModel.stillVelocity { backward += weight }
  }

  /// The mean velocity; 0 when fewer than half of the hypotheses, by weight, agree with its sign.
  var velocity: Double {
    guard total > 0 else { return 0 }
    return (weighted > 0 ? forward : backward) * 2 < total ? 0 : weighted / total
  }
}
