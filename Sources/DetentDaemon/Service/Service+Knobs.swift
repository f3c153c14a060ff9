// SPDX-License-Identifier: Apache-2.0

package import InputDevices

extension Configuration {
  /// The knobs as their reader takes them.
  package var knobOptions: [KnobOptions] {
    knobs.map {
      KnobOptions(
        device: $0.device, axis: KnobOptions.Axis(rawValue: $0.axis.rawValue) ?? .auto,
        countsPerStep: $0.countsPerStep, isReversed: $0.isReversed,
        acceleration: KnobOptions.Acceleration(rawValue: $0.acceleration.rawValue) ?? .off)
    }
  }
}
