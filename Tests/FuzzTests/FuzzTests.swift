// SPDX-License-Identifier: Apache-2.0

import Foundation
import FuzzTargets
import Testing

/// A short run of each fuzz target, and everything that a long one ever found.
@Suite struct FuzzTests {
  private static let corpus = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Corpus")
  private static let runs = 1500

  private static func found(for target: any FuzzTarget.Type) throws -> [(
    name: String, bytes: [UInt8]
  )] {
    let folder = corpus.appending(path: target.name)
    guard FileManager.default.fileExists(atPath: folder.path) else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map {
      ($0, Array(try Data(contentsOf: folder.appending(path: $0))))
    }
  }

  @Test(arguments: FuzzTargets.all.indices)
  func `seeds and what was found once hold`(index: Int) throws {
    let type = FuzzTargets.all[index]
    var target = try type.init()
    for seed in type.seeds { try target.run(seed) }
    for input in try Self.found(for: type) {
      do { try target.run(input.bytes) } catch {
        Issue.record("\(type.name)/\(input.name): \(error)")
      }
    }
  }

  @Test(arguments: FuzzTargets.all.indices)
  func `random inputs hold`(index: Int) throws {
    let type = FuzzTargets.all[index]
    let seed = UInt64.random(in: .min ... .max)
    print("\(type.name): seed \(seed)")
    var generator = InputGenerator(
      seed: seed, target: type, known: try Self.found(for: type).map(\.bytes))
    var target = try type.init()
    for run in 0..<Self.runs {
      let input = generator.input()
      do {
        try target.run(input)
      } catch {
        Issue.record("seed \(seed), run \(run): \(error)\n\(Data(input).base64EncodedString())")
        return
      }
    }
  }

  @Test(arguments: FuzzTargets.all.indices)
  func `a target is reached beyond its first refusal`(index: Int) {
    // A generator that only makes what is refused at once would prove nothing.
    let type = FuzzTargets.all[index]
    #expect(!type.seeds.isEmpty && type.seeds.allSatisfy { !$0.isEmpty })
    var one = InputGenerator(seed: 1, target: type)
    var same = InputGenerator(seed: 1, target: type)
    let inputs = (0..<50).map { _ in one.input() }
    #expect(inputs == (0..<50).map { _ in same.input() })
    #expect(Set(inputs).count > 40)
  }
}
