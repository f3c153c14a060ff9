// SPDX-License-Identifier: Apache-2.0

import Gestures
import InputDevices
import LinuxIO
import SocketServer
import Testing
import Wire

@testable import DetentDaemon

/// Requests to a service that has neither sockets nor devices.
@Suite struct ServiceRequestTests {
  private static let configuration = """
    [[display]]
    width = 1000
    height = 1000
    [[picker]]
    id = "weight"
    type = "ruler"
    region = { x = 0, y = 0, width = 1000, height = 100 }
    values = { from = 0, through = 5000, step = 1 }
    """

  private let service: Service

  init() throws {
    service = try Fixtures.withFile(Self.configuration) { path in
      var options = ServiceOptions()
      options.configuration = path
      return try Service(options: options)
    }
  }

  /// The result of a request, or its error.
  private func ask(_ method: String, _ params: String, client: Int = 1) throws -> JSONValue {
    let line = #"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":\#(params)}"#
    let request = try #require(RequestLine(Array(line.utf8)).calls.first).get()
    let name = try #require(MethodName(rawValue: request.method))
    return try JSONParser.value(
      of: service.answer(name, Params(request.params), from: ClientID(client)))
  }

  private func ruler(_ id: String, x: Int = 0, y: Int = 200) -> String {
    #"{"id":"\#(id)","type":"ruler","values":["a","b"],"region":{"x":\#(x),"y":\#(y),"width":500,"height":100}}"#
  }

  @Test func `pickers are held against the size that the application said last`() throws {
    _ = try ask("display", #"{"display":"main","width":3000,"height":1000}"#)
    #expect(try ask("add", ruler("far", x: 1500))["picker"] == "far")
    #expect(try ask("update", ruler("far", x: 2500))["picker"] == "far")
    #expect(try ask("replace", #"{"pickers":[\#(ruler("far", x: 2000))]}"#) != [])
    let refusal = #expect(throws: RPCError.self) { try ask("add", ruler("farther", x: 2600)) }
    #expect(refusal?.reason.contains("3000 × 1000") == true)
    _ = try ask("display", #"{"display":"main","width":400,"height":1000}"#)
    #expect(throws: RPCError.self) { try ask("add", ruler("wide")) }
  }

  @Test(arguments: [
    #""from":0.5"#, #""from":-1"#, #""from":"1""#, #""from":1e300"#, #""count":1.9"#,
    #""count":1001"#, #""count":null"#, #""from":9223372036854775807"#,
  ])
  func `a page of values begins at an index, and has so many`(param: String) throws {
    let refusal = #expect(throws: RPCError.self) {
      try ask("values", #"{"picker":"weight",\#(param)}"#)
    }
    #expect(refusal?.code == .invalidParams && param.contains("\"\(refusal?.field ?? "?")\""))
  }

  @Test func `a page of values ends where they do`() throws {
    #expect(
      try ask("values", #"{"picker":"weight","from":5000,"count":2.0}"#)
        == [["index": 5000, "value": 5000, "title": "5000"]])
    #expect(try ask("values", #"{"picker":"weight","from":2147483647}"#) == [])
  }

  @Test func `nothing is kept of a picker that is gone, whoever takes it away`() throws {
    let device = InputDevice(
      number: 0, id: "event0", kind: .touchscreen, name: "panel", node: "/dev/input/event0")
    service.inputChanged(.added(device), timeUs: 0)
    var timeUs = service.loop.nowUs
    func touch(_ id: String) throws {
      _ = try ask("add", ruler(id), client: 7)
      for kind: InputEvent.Kind in [
        .down(slot: 0, x: 0.25, y: 0.25), .move(slot: 0, x: 0.15, y: 0.25),
        .move(slot: 0, x: 0.05, y: 0.25), .up(slot: 0),
      ] {
        timeUs += 100_000
        service.inputChanged(
          .event(InputEvent(timeUs: timeUs, device: 0, kind: kind)), timeUs: timeUs)
      }
      #expect(service.pickerNodes[id] != nil && service.owners[id] != nil)
    }
    for id in ["removed", "replaced", "left", "updated"] {
      try touch(id)
      switch id {
      case "removed": _ = try ask("remove", #"{"picker":"removed"}"#)
      case "replaced": _ = try ask("replace", #"{"pickers":[]}"#, client: 7)
      case "left": service.clientDisconnected(ClientID(7))
      default:
        _ = try ask("replace", #"{"pickers":[\#(ruler(id, y: 300))]}"#, client: 7)
        #expect(service.owners[id] == ClientID(7))
        continue
      }
      #expect(service.pickerNodes[id] == nil && service.owners[id] == nil, "\(id)")
    }
  }
}
