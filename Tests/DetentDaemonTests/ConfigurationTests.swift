// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import DetentDaemon

@Suite struct ConfigurationTests {
  /// A file in Configurations/ is a configuration; its comment lines that begin with `#!` are the problems expected.
  @Test(arguments: Fixtures.names(in: Fixtures.here + "/Configurations"))
  func `a file has the problems that it says`(name: String) throws {
    let path = "\(Fixtures.here)/Configurations/\(name)"
    let expected = try Fixtures.text(path).split(separator: "\n").filter { $0.hasPrefix("#!") }
      .map { $0.dropFirst(2).trimmingPrefix(" ") }.map(String.init)
    var found: [String]
    do throws(ConfigurationError) {
      let configuration = try Configuration(file: path)
      found = configuration.warnings.map { ConfigurationError.line($0, file: name) }
    } catch {
      found = error.problems.map { ConfigurationError.line($0, file: name) }
    }
    #expect(found == expected, "\(name):\n\(found.joined(separator: "\n"))")
  }

  @Test func `there are files`() {
    #expect(Fixtures.names(in: Fixtures.here + "/Configurations").count >= 5)
  }

  @Test(arguments: Fixtures.names(in: Fixtures.tree + "/examples").filter { $0.hasSuffix(".toml") })
  func `examples are fine`(name: String) throws {
    let configuration = try Configuration(file: "\(Fixtures.tree)/examples/\(name)")
    #expect(configuration.warnings.isEmpty)
    #expect(!configuration.pickers.isEmpty)
  }

  @Test func `a file that is not there, is a folder or is no text says so`() throws {
    func message(_ path: String) -> String {
      do throws(ConfigurationError) {
        _ = try Configuration(file: path)
        return "fine"
      } catch {
        return error.description
      }
    }
    #expect(message("/nowhere/detent.toml").contains("does not exist"))
    #expect(message("/tmp").contains("is a folder"))
    try Fixtures.withFile([0xFF, 0xFE, 0x00]) { #expect(message($0).contains("not UTF-8")) }
    try Fixtures.withFile("") { #expect(message($0).contains("display")) }
    try Fixtures.withFile([UInt8](repeating: 0x20, count: 2 << 20)) {
      #expect(message($0).contains("larger than"))
    }
  }

  @Test func `checking says by its status whether a file can be used`() {
    #expect(ConfigurationCheck.run("\(Fixtures.tree)/examples/demo.toml") == 0)
    #expect(ConfigurationCheck.run("\(Fixtures.here)/Configurations/warnings.toml") == 0)
    #expect(ConfigurationCheck.run("\(Fixtures.here)/Configurations/syntax.toml") == 1)
    #expect(ConfigurationCheck.run("/nowhere/detent.toml") == 1)
  }

  @Test func `no bytes crash the reader`() throws {
    let seed = UInt64.random(in: .min ... .max)
    print("seed \(seed)")
    var random = SeededRandom(state: seed | 1)
    let valid = Array(try Fixtures.text("\(Fixtures.tree)/examples/demo.toml").utf8)
    for _ in 0..<400 {
      var bytes = valid
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[place] = .random(in: .min ... .max, using: &random)
        case 1: bytes.remove(at: place)
        default: bytes.insert(UInt8.random(in: 0x20...0x7E, using: &random), at: place)
        }
      }
      try Fixtures.withFile(bytes) { path in
        do throws(ConfigurationError) {
          _ = try Configuration(file: path)
        } catch {
          #expect(!error.problems.isEmpty, "seed \(seed)")
        }
      }
    }
  }

  @Test(arguments: Fixtures.names(in: Fixtures.shared + "/cases").filter { $0.first == "0" })
  func `published configurations are fine`(name: String) throws {
    let configuration = try Configuration(file: "\(Fixtures.shared)/cases/\(name)/config.toml")
    #expect(configuration.warnings.isEmpty)
  }
}

/// Random numbers that a seed brings back.
struct SeededRandom: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state
  }
}
