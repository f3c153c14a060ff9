// SPDX-License-Identifier: Apache-2.0

import Glibc
import Testing

@testable import DetentDaemon

/// Files beside the tests, and files that a test writes.
enum Fixtures {
  /// The folder of these tests.
  static let here = String(#filePath.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" })
  /// The root of the source tree.
  static let tree = here + "/../.."
  /// The folder of published recordings and cases beside the source tree, which not everybody has.
  static let shared = tree + "/../shared"

  /// The names of what lies in a folder, in order; empty where there is none.
  static func names(in folder: String) -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
  }

  /// The text of a file.
  static func text(_ path: String) throws -> String {
    let file = try #require(fopen(path, "r"), "\(path)")
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = fread(&buffer, 1, buffer.count, file)
      if count == 0 { break }
      bytes += buffer[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Calls `body` with the path of a file of this content, which is gone afterwards.
  static func withFile<Result>(
    _ content: some Collection<UInt8>, _ body: (String) throws -> Result
  ) throws -> Result {
    var template = Array("/tmp/detent-test-XXXXXX".utf8CString)
    let number = mkstemp(&template)
    try #require(number >= 0)
    let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    defer { unlink(path) }
    let bytes = Array(content)
    try #require(write(number, bytes, bytes.count) == bytes.count)
    close(number)
    return try body(path)
  }

  /// Calls `body` with the path of a file of this text.
  static func withFile<Result>(_ text: String, _ body: (String) throws -> Result) throws -> Result {
    try withFile(Array(text.utf8), body)
  }
}
