// SPDX-License-Identifier: Apache-2.0

import Haptics

extension Service {
  /// How many cues were asked for and how many a motor played.
  var hapticsFigures: (asked: Int, played: Int) {
    guard let counters = haptics?.counters else { return (0, 0) }
    return (counters.asked, counters.motors.played)
  }
}
