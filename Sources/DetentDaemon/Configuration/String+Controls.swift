// SPDX-License-Identifier: Apache-2.0

extension String {
  /// The text with what a terminal would act upon, or show as nothing, written out: what is wrong with a file is told
  /// in one line, whatever stands in the file.
  var escapingControls: String {
    guard unicodeScalars.contains(where: \.isControl) else { return self }
    var text = ""
    for scalar in unicodeScalars {
      if scalar.isControl {
        text += scalar.escaped(asASCII: true)
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}

extension Unicode.Scalar {
  fileprivate var isControl: Bool {
    guard value < 0x20 || value >= 0x7F else { return false }
    return switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: true
    default: false
    }
  }
}
