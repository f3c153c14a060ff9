// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import TestSupport
import Testing
import Wire

/// A service of the built program with all devices of the seat, and a subscriber.
final class ServiceBench {
  let daemon: DaemonProcess
  var client: LineConnection { daemon.client }

  /// A ruler of 0…100 over a display of 1000 by 1000 points, 64 points a value, on 50.
  static let ruler = """
    [[display]]
    id = "main"
    width = 1000
    height = 1000
    [[picker]]
    id = "ruler"
    type = "ruler"
    region = { x = 0, y = 0, width = 1000, height = 1000 }
    values = { from = 0, through = 100, step = 1 }
    selection = 50

    """

  init(_ configuration: String = ruler) throws {
    daemon = try DaemonProcess(configuration: configuration)
    try daemon.client.request("subscribe")
  }

  /// Waits until the service reads a node.
  func use(_ node: String) throws {
    try Waiting.until("\(node) in use; the log: \(daemon.log)", seconds: 20) {
      "\(try client.request("devices"))".contains("\"\(node)\"")
    }
  }

  /// Waits until the service has acted on all that was sent before: input comes before clients.
  func settle() throws {
    for _ in 0..<2 { try client.request("devices") }
  }

  func state(_ picker: String = "ruler") throws -> JSONValue {
    try client.request("get", #"{"picker":"\#(picker)"}"#)["result"] ?? .null
  }

  /// Waits until a picker rests, and gives its value.
  func rested(_ picker: String = "ruler") throws -> JSONValue {
    try settle()
    return try Waiting.value("\(picker) to rest; \(client.lines.suffix(8))") {
      let state = try state(picker)
      guard state["phase"] == .string("idle") else { return nil }
      return state["value"] ?? .null
    }
  }

  /// The values that were selected so far, with their causes, of one picker.
  func selections(_ picker: String = "ruler") throws -> [String] {
    try settle()
    return client.notifications("selection").filter { $0["picker"] == .string(picker) }.map {
      "\(Self.word($0["value"])) \(Self.word($0["cause"]))"
    }
  }

  static func word(_ value: JSONValue?) -> String {
    switch value {
    case .string(let text)?: text
    case .integer(let number)?: "\(number)"
    default: "null"
    }
  }

  /// Stops the service for a while, as a machine that is too busy does.
  func whileStopped(_ body: () throws -> Void) throws {
    daemon.signal(SIGSTOP)
    defer { daemon.signal(SIGCONT) }
    try body()
  }
}
