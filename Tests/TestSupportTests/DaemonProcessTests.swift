// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Testing
import Wire

/// A daemon beside the test: it starts, speaks, and ends as it is told.
@Suite(.enabled(if: DaemonProcess.isBuilt, Comment(rawValue: DaemonProcess.needsBinary)))
struct DaemonProcessTests {
  @Test func itSaysHelloAnswersAndSaysGoodbye() throws {
    let daemon = try DaemonProcess(configuration: DaemonProcess.oneRuler)
    #expect(daemon.hello["server"] == .string("detentd") && daemon.hello["protocol"] == .integer(1))
    let state = try daemon.client.request("get", #"{"picker":"weight"}"#)
    #expect(state["result"]?["value"] == .integer(72), "\(state)")
    let second = try daemon.connect()
    try second.waitFor("hello")
    let wrong = try second.request("get", #"{"picker":"height"}"#)
    #expect(wrong["error"]?["code"] == .integer(-32000), "\(wrong)")
    #expect(try daemon.stop() == .exited(0))
    try second.waitFor("bye") { $0["reason"] == .string("shutdown") }
  }

  @Test func itsEndIsKnownForWhatItIs() throws {
    let daemon = try DaemonProcess(configuration: DaemonProcess.oneRuler)
    daemon.signal(SIGKILL)
    #expect(try daemon.waitForEnd() == .killed(signal: SIGKILL))
    try Waiting.until("the client to notice") {
      try daemon.client.receive(milliseconds: 10)
      return daemon.client.isClosed
    }
  }

  @Test func aDaemonThatDoesNotStartIsToldWithItsWords() {
    #expect {
      try DaemonProcess(configuration: "nonsense = 1")
    } throws: {
      "\($0)".contains("nonsense")
    }
  }
}
