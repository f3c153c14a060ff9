// SPDX-License-Identifier: Apache-2.0

/// A colour that a terminal of 16 million colours can show.
struct Colour {
  private let red: Int
  private let green: Int
  private let blue: Int

  /// The colour of `#rrggbb` or `#rgb`; nil for anything else.
  init?(hex text: String) {
    guard text.hasPrefix("#"), let value = Int(text.dropFirst(), radix: 16), value >= 0 else {
      return nil
    }
    switch text.utf8.count {
    case 7: (red, green, blue) = (value >> 16, value >> 8 & 255, value & 255)
    case 4: (red, green, blue) = ((value >> 8) * 17, (value >> 4 & 15) * 17, (value & 15) * 17)
    default: return nil
    }
  }

  /// A bright colour of a hue in degrees.
  init(hue: Double) {
    func part(_ shift: Double) -> Int {
      let angle = (hue + shift).truncatingRemainder(dividingBy: 360)
      let distance = abs((angle < 0 ? angle + 360 : angle) - 180) / 60
      return Int(80 + 160 * min(max(distance - 1, 0), 1))
    }
    (red, green, blue) = (part(0), part(240), part(120))
  }

  /// The numbers of the SGR sequence that writes in it.
  var foreground: String { "38;2;\(red);\(green);\(blue)" }
}
