// SPDX-License-Identifier: Apache-2.0

/// Something that takes bytes from outside, and what must hold whatever they are.
package protocol FuzzTarget: SendableMetatype {
  /// The name, by which it is asked for and its corpus is found.
  static var name: String { get }
  /// Inputs to begin with, which reach far.
  static var seeds: [[UInt8]] { get }
  /// Words that random bytes would never make.
  static var words: [String] { get }

  /// Makes a target; its memory is used again by each run.
  init() throws(BrokenInvariant)

  /// Takes an input.
  ///
  /// - Throws: What did not hold.
  mutating func run(_ bytes: [UInt8]) throws(BrokenInvariant)
}

/// What must hold and did not.
package struct BrokenInvariant: Error, CustomStringConvertible {
  /// What did not hold.
  package var description: String

  /// Something that did not hold.
  package init(_ description: String) { self.description = description }
}

/// Throws where a condition does not hold.
func require(
  _ condition: Bool, _ words: @autoclosure () -> String
) throws(BrokenInvariant) {
  guard condition else { throw BrokenInvariant(words()) }
}

/// The targets that there are.
package enum FuzzTargets {
  /// All of them.
  package static let all: [any FuzzTarget.Type] = [
    LineTarget.self, RequestTarget.self, ConfigurationTarget.self, RecordingTarget.self,
    SceneTarget.self,
  ]
}
