// SPDX-License-Identifier: Apache-2.0

extension Int {
  /// So many of something: "1 device", "2 devices".
  func of(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}
