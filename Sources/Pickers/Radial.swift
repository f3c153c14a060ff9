// SPDX-License-Identifier: Apache-2.0

import Wire

/// The radial picker: which of its two ways to turn is a matter of configuration.
package enum Radial {
  /// Reads the options of a radial picker.
  static func make(options: inout OptionReader, base: PickerBase) -> (any PickerModel)? {
    let mode = options.choice("mode", default: WheelMode.swipe)
    let threshold = options.number("swipe_threshold", default: 10, in: 0...1e6)
    let tapToSelect = options.bool("tap_to_select", default: true)
    guard let mode, let threshold, let tapToSelect else { return nil }
    switch mode {
    case .swipe:
      return SwipeWheel(base: base, threshold: threshold, tapToSelect: tapToSelect)
    case .rotate:
      return RotaryWheel(base: base, tapToSelect: tapToSelect)
    }
  }
}
