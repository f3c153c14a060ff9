// SPDX-License-Identifier: Apache-2.0

/// What a picker offers: an exact decimal number or a text.
///
/// 72 and 72.0 are equal; "72" is a text and equals neither.
public enum Value: Hashable, Sendable {
  /// An exact decimal number.
  case number(DecimalNumber)
  /// A text, an item's id or a colour.
  case text(String)
}

extension Value: CustomStringConvertible {
  /// The number written out, or the text itself.
  public var description: String {
    switch self {
    case .number(let number): number.description
    case .text(let text): text
    }
  }
}
