// SPDX-License-Identifier: Apache-2.0

import FuzzTargets
import Glibc

/// What libFuzzer calls for each input.
///
/// The program's `main` is libFuzzer's: https://llvm.org/docs/LibFuzzer.html. The environment's `DETENT_FUZZ` names the target. scripts/fuzz builds and calls it.
@_cdecl("LLVMFuzzerTestOneInput")
func testOneInput(_ data: UnsafePointer<UInt8>, _ size: Int) -> CInt {
  do {
    try Fuzzer.target.run(Array(UnsafeBufferPointer(start: data, count: size)))
  } catch {
    fatalError("\(error)")
  }
  return 0
}

/// The target of this run.
enum Fuzzer {
  // libFuzzer calls from one thread.
  nonisolated(unsafe) static var target: any FuzzTarget = named(
    getenv("DETENT_FUZZ").map { String(cString: $0) } ?? "")

  private static func named(_ name: String) -> any FuzzTarget {
    guard let type = FuzzTargets.all.first(where: { $0.name == name }) else {
      let names = FuzzTargets.all.map { $0.name }.joined(separator: ", ")
      fatalError("expected one of \(names) in DETENT_FUZZ, found \"\(name)\"")
    }
    do {
      return try type.init()
    } catch {
      fatalError("\(error)")
    }
  }
}

/// What libFuzzer calls first: leaves the target's seeds and words where the fuzzer looks for them.
///
/// The environment's `DETENT_FUZZ_FOLDER` says where; without it there are none.
@_cdecl("LLVMFuzzerInitialize")
func initialize(
  _ count: UnsafePointer<CInt>, _ arguments: UnsafePointer<UnsafePointer<UnsafePointer<CChar>>>
) -> CInt {
  guard let folder = getenv("DETENT_FUZZ_FOLDER").map({ String(cString: $0) }) else { return 0 }
  let type = type(of: Fuzzer.target)
  for (index, seed) in type.seeds.enumerated() { write(seed, to: "\(folder)/seed-\(index)") }
  let words = type.words.map { word in
    "\""
      + word.utf8.map { "\\x" + String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
      + "\"\n"
  }
  write(Array(("# words\n" + words.joined()).utf8), to: "\(folder).words")
  return 0
}

private func write(_ bytes: [UInt8], to path: String) {
  guard let file = fopen(path, "w") else { fatalError("\(path) cannot be written") }
  fwrite(bytes, 1, bytes.count, file)
  fclose(file)
}
