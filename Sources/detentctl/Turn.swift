// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Angles in degrees.
enum Turn {
  /// The sine and the cosine of an angle.
  static func sineAndCosine(degrees: Double) -> (sine: Double, cosine: Double) {
    // Few degrees first: a large number of radians is infinite.
    let radians = degrees.truncatingRemainder(dividingBy: 360) * .pi / 180
    return (sin(radians), cos(radians))
  }
}
