// SPDX-License-Identifier: Apache-2.0

import Testing

/// The rules of who may import what.
///
/// The build refuses an import of a target that the manifest does not
/// list for a module; what it does not see, and which arrows the manifest may hold at all, is held here.
struct LayeringTests {
  /// The modules from the bottom up: each may import those of lower rows alone.
  static let layers: [[String]] = [
    ["CLibevdev", "CLibinput", "CLibsystemd", "CLinux", "CMath", "CToml"],
    ["Gestures", "LinuxIO", "Wire"],
    ["Haptics", "InputDevices", "Pickers"],
    ["DetentClient", "Scene", "SocketServer"],
    ["DetentDaemon"],
    ["Doctor"],
    ["detentctl", "detentd"],
  ]

  /// Modules that know no clock, no file and no log: what they may import besides each other.
  static let pure: [String: Set<String>] = [
    "Wire": [], "Gestures": ["CMath"], "Pickers": ["CMath"], "Scene": [],
  ]

  /// Doors to the outside, and who may open them.
  static let doors: [String: Set<String>] = [
    "CLibsystemd": ["LinuxIO", "DetentDaemon"],
    "CLibinput": ["InputDevices", "Haptics"],
    "CLibevdev": ["InputDevices"],
    "CLinux": ["LinuxIO", "InputDevices", "Haptics", "detentctl"],
    "CMath": ["Gestures", "Pickers"],
    "CToml": ["DetentDaemon"],
    "FoundationEssentials": [],
    "Foundation": [],
    "Dispatch": [],
  ]

  @Test func everyModuleHasItsPlaceInTheLayers() throws {
    let folders = try SourceTree.names(in: "Sources")
    #expect(folders == Self.layers.joined().sorted())
  }

  @Test(arguments: layers.dropFirst().joined())
  func arrowsRunDownward(module: String) throws {
    let rank = try #require(Self.rank(of: module))
    let files = try SourceTree.files(in: "Sources/\(module)")
    #expect(!files.isEmpty, "there is no Swift file in \(module)")
    for file in files {
      for name in file.imports where name != module {
        guard let other = Self.rank(of: name) else { continue }
        #expect(other < rank, "\(file) imports \(name), which is not below \(module)")
      }
    }
  }

  @Test(arguments: pure.keys.sorted())
  func pureModulesImportNothingOfTheSystem(module: String) throws {
    let allowed = try #require(Self.pure[module]).union(Self.pure.keys)
    let files = try SourceTree.files(in: "Sources/\(module)")
    #expect(!files.isEmpty)
    for file in files {
      for name in file.imports {
        #expect(allowed.contains(name), "\(file) imports \(name)")
      }
    }
  }

  @Test(arguments: pure.keys.sorted())
  func pureModulesReadNoClockAndSayNothing(module: String) throws {
    let words = ["ContinuousClock", "SuspendingClock", "print(", "debugPrint(", "dump("]
    for file in try SourceTree.files(in: "Sources/\(module)") {
      for (index, line) in file.lines.enumerated() where !Self.isComment(line) {
        for word in words {
          #expect(!Self.uses(word, in: line), "\(file):\(index + 1) uses \(word)")
        }
      }
    }
  }

  @Test(arguments: doors.keys.sorted())
  func doorsAreOpenedByTheirOwnersAlone(door: String) throws {
    let owners = try #require(Self.doors[door])
    let files = try SourceTree.files(in: "Sources")
    #expect(!files.isEmpty)
    for file in files where file.imports.contains(door) {
      let module = String(file.path.split(separator: "/")[1])
      #expect(owners.contains(module), "\(file) imports \(door)")
    }
  }

  @Test func onlyTheClientsModulesArePublic() throws {
    let libraries: Set = ["Wire", "DetentClient"]
    for file in try SourceTree.files(in: "Sources") {
      guard !libraries.contains(String(file.path.split(separator: "/")[1])) else { continue }
      for (index, line) in file.lines.enumerated() where !Self.isComment(line) {
        #expect(
          !line.split(separator: " ").contains("public"), "\(file):\(index + 1) is public")
      }
    }
  }

  @Test(arguments: ["Sources", "Tests"])
  func filesAreShortAndSayTheirLicence(folder: String) throws {
    let files = try SourceTree.files(in: folder)
    #expect(files.count > 10)
    for file in files {
      #expect(file.lines.count <= 600, "\(file) has \(file.lines.count) lines")
      #expect(file.lines.first == "// SPDX-License-Identifier: Apache-2.0", "\(file)")
    }
  }

  @Test(arguments: [
    ("import Glibc", "Glibc"), ("  package import Wire", "Wire"), ("import Glibc.errno", "Glibc"),
    ("@testable import Scene", "Scene"), ("internal import struct Wire.Cue", "Wire"),
    ("@preconcurrency public import func Glibc.exp", "Glibc"), ("// import Glibc", nil),
    ("important = 1", nil), ("let text = \"import Glibc\"", nil), ("import", nil), ("", nil),
  ])
  func importsAreRecognised(line: String, module: String?) {
    #expect(SourceTree.importedModule(line[...]) == module)
  }

  private static func rank(of module: String) -> Int? {
    layers.firstIndex { $0.contains(module) }
  }

  private static func isComment(_ line: Substring) -> Bool {
    line.drop { $0 == " " }.hasPrefix("//")
  }

  /// Whether the word stands in the line on its own, not as the end of a longer one.
  private static func uses(_ word: String, in line: Substring) -> Bool {
    line.ranges(of: word).contains { range in
      guard range.lowerBound > line.startIndex else { return true }
      let before = line[line.index(before: range.lowerBound)]
      return !(before.isLetter || before.isNumber || before == "_" || before == ".")
    }
  }
}
