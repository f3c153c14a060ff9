// SPDX-License-Identifier: Apache-2.0

/// The velocity of one finger along one axis, by the estimator that the configuration names.
package struct VelocityTracker: Sendable {
  /// Which estimator is used.
  package enum Method: String, Sendable, CaseIterable {
    /// SwiftUI's sampler, exactly.
    case swiftui
    /// Detent's own.
    case detent
  }

  private let method: Method
  private let stopAfterUs: Int64
  private var sampler = SwiftUISampler()
  private var estimator = DetentEstimator()
  private var running = RunningVelocity()
  private var last: (timeUs: Int64, position: Double)?
  private var changedUs: Int64 = 0

  /// A tracker without samples.
  ///
  /// - Parameters:
  ///   - method: The estimator.
  ///   - stopAfterUs: How long a position may stay unchanged before the finger counts as stopped, in microseconds.
  package init(method: Method, stopAfterUs: Int64) {
    self.method = method
    self.stopAfterUs = stopAfterUs
  }

  /// Forgets all samples.
  package mutating func reset() {
    sampler = SwiftUISampler()
    estimator.reset()
    running = RunningVelocity()
    last = nil
  }

  /// Takes the position along the axis at a time.
  package mutating func add(timeUs: Int64, position: Double) {
    if last?.position != position { changedUs = timeUs }
    last = (timeUs, position)
    switch method {
    case .swiftui: sampler.add(timeUs: timeUs, position: position)
    case .detent:
      estimator.add(timeUs: timeUs, position: position)
      running.add(timeUs: timeUs, position: position)
    }
  }

  /// The velocity of a finger that goes on moving, per second, cheap enough for every frame; always finite.
  ///
  /// - Parameter timeUs: That of the newest sample.
  package func runningVelocity(atUs timeUs: Int64) -> Double {
    switch method {
    case .swiftui: return velocity(liftUs: timeUs)
    case .detent:
      let velocity = running.velocity
      return velocity.isFinite ? velocity : 0
    }
  }

  /// The velocity of a finger that lifts at `liftUs`, per second; always finite.
  package func velocity(liftUs: Int64) -> Double {
    guard let last else { return 0 }
    let velocity: Double
    switch method {
    case .swiftui:
      if liftUs - changedUs > stopAfterUs { return 0 }
      var sampler = sampler
      sampler.add(timeUs: liftUs, position: last.position)
      velocity = sampler.velocity
    case .detent:
      velocity = estimator.velocity(liftUs: liftUs, stopAfterUs: stopAfterUs)
    }
    return velocity.isFinite ? velocity : 0
  }
}
