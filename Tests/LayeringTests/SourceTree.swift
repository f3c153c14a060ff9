// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The Swift files of this source tree.
enum SourceTree {
  /// One Swift file.
  struct File: CustomStringConvertible {
    /// Below the root, as "Sources/Wire/Cue.swift".
    let path: String
    /// Without their line ends.
    let lines: [Substring]

    var description: String { path }

    /// The modules that it imports.
    var imports: [String] { lines.compactMap(SourceTree.importedModule) }
  }

  /// A file that should be there cannot be read.
  struct Unreadable: Error {
    let path: String
  }

  static let root: String = {
    var parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
    parts.removeLast(3)
    return parts.joined(separator: "/")
  }()

  /// All Swift files at or below a folder of the tree, sorted by path.
  static func files(in folder: String) throws -> [File] {
    let isBelow = { (file: File) in file.path.hasPrefix(folder + "/") }
    return try everything.get().filter(isBelow)
  }

  // Read once: many tests look at the same files.
  private static let everything = Result { try read("Sources") + read("Tests") }

  private static func read(_ folder: String) throws -> [File] {
    try names(in: folder).flatMap { name -> [File] in
      let path = "\(folder)/\(name)"
      if isDirectory(path) { return try read(path) }
      guard name.hasSuffix(".swift") else { return [] }
      return [File(path: path, lines: try lines(of: path))]
    }
  }

  /// The names of a folder's entries, sorted, without hidden ones.
  static func names(in folder: String) throws -> [String] {
    guard let stream = opendir("\(root)/\(folder)") else { throw Unreadable(path: folder) }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
  }

  /// The module that a line imports, if it is an import.
  static func importedModule(_ line: Substring) -> String? {
    var words = line.split { $0 == " " || $0 == "\t" }[...]
    let before = ["public", "package", "internal", "fileprivate", "private"]
    while let word = words.first, word.hasPrefix("@") || before.contains(String(word)) {
      words.removeFirst()
    }
    guard words.popFirst() == "import" else { return nil }
    let kinds = ["struct", "class", "enum", "protocol", "typealias", "func", "var", "let"]
    if let word = words.first, kinds.contains(String(word)) { words.removeFirst() }
    // "import Glibc.errno" opens a part of a module.
    return words.first?.split(separator: ".").first.map(String.init)
  }

  private static func isDirectory(_ path: String) -> Bool {
    var status = stat()
    return stat("\(root)/\(path)", &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// The lines of a file of the tree, without their ends.
  static func lines(of path: String) throws -> [Substring] {
    guard let file = fopen("\(root)/\(path)", "re") else { throw Unreadable(path: path) }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    while case let count = fread(&buffer, 1, buffer.count, file), count > 0 {
      bytes += buffer[..<count]
    }
    return String(decoding: bytes, as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false)
  }
}
