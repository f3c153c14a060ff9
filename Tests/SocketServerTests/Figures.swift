// SPDX-License-Identifier: Apache-2.0

import LinuxIO
import Testing
import Wire

@testable import SocketServer

/// A client that reads as it should while others do not, and tells how late it heard things.
final class Witness {
  private let bench: TestBench
  private let client: TestClient
  private let memoryBefore: Int
  private var delaysUs: [Int64] = []
  private var number = 0
  private var mostMemory = 0
  private var lastRevision: Int?

  init(_ bench: TestBench) throws {
    self.bench = bench
    bench.daemon.pickers["witness"] = 0
    client = try bench.client(subscribing: #"{"pickers":["witness"]}"#)
    memoryBefore = residentMemory()
    bench.forgetRounds()
  }

  /// Something happens, and the witness hears of it: in order, and none left out.
  func look() throws {
    number += 1
    let beganUs = EventLoop.clockUs()
    bench.daemon.select("witness", number)
    let line = try bench.line(for: client)
    delaysUs.append(EventLoop.clockUs() - beganUs)
    #expect(line["method"]?.text == "selection")
    let revision = line["params"]?["revision"]?.int
    if let lastRevision { #expect(revision == lastRevision + 1) }
    lastRevision = revision
    // What the others want has its turn too.
    for _ in 0..<10 where try bench.turn() {}
    mostMemory = max(mostMemory, residentMemory())
  }

  /// Prints a line of the table in docs/socket-performance.md, and holds it against the bounds.
  ///
  /// - Parameters:
  ///   - memory: The most bytes that the process may have grown by.
  ///   - delayUs: The longest delay. Far more than in an optimised build on a machine with nothing else to do.
  func tell(_ scenario: String, memory: Int, delayUs: Int64 = 500_000) {
    let sorted = delaysUs.sorted()
    func share(_ share: Double) -> Int64 {
      sorted.isEmpty ? 0 : sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]
    }
    let grown = max(0, mostMemory - memoryBefore)
    print(
      "| \(scenario) | \(sorted.count) | \(share(0.5)) | \(share(0.99)) | \(sorted.last ?? 0) | \(bench.longestRoundUs) | \(grown >> 10) |"
    )
    #expect(sorted.last ?? 0 < delayUs, "\(scenario)")
    #expect(grown < memory, "\(scenario)")
    #expect(bench.daemon.reentries == 0)
  }
}
