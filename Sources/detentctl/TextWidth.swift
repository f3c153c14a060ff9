// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// How many columns text takes in a terminal.
enum TextWidth {
  // wcwidth knows nothing but ASCII until a locale is set.
  private static let hasLocale = setlocale(LC_CTYPE, "C.UTF-8") != nil

  /// The columns of a text.
  static func columns(of text: String) -> Int { text.reduce(0) { $0 + columns(of: $1) } }

  /// The columns of a letter: 1, 2, or 0 for what a terminal would act upon instead of showing it.
  static func columns(of letter: Character) -> Int {
    if let ascii = letter.asciiValue { return ascii < 0x20 || ascii == 0x7F ? 0 : 1 }
    // A terminal puts marks on the letter before them; of joined pictures it shows the first one's width.
    guard let first = letter.unicodeScalars.first else { return 0 }
    guard hasLocale else { return first.properties.generalCategory == .control ? 0 : 1 }
    let isShown = letter.unicodeScalars.allSatisfy {
      detent_columns($0.value) >= 0
    }
    return isShown ? min(2, Int(detent_columns(first.value))) : 0
  }

  /// A text cut to a width in columns, with `…` where something is missing.
  static func cut(_ text: String, to most: Int) -> String {
    guard columns(of: text) > most else { return text }
    var kept = ""
    var width = 0
    for letter in text {
      width += columns(of: letter)
      guard width < most else { break }
      kept.append(letter)
    }
    return most > 0 ? kept + "…" : ""
  }
}
