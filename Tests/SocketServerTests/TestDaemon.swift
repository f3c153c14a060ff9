// SPDX-License-Identifier: Apache-2.0

import LinuxIO
import Wire

@testable import SocketServer

/// What stands behind the server in tests: pickers that are a number each.
///
/// A `selection` follows every change, as from the real daemon, and carries the picker's revision: so a client can
/// tell whether it missed one.
final class TestDaemon: SocketServerDelegate {
  unowned let server: SocketServer
  var pickers: [String: Int] = [:]
  var revisions: [String: Int] = [:]
  // Pickers that go with the client that added them.
  var owners: [String: ClientID] = [:]
  /// Bytes that make each state longer.
  var padding = 0
  private(set) var reports: [ServerReport] = []
  private(set) var disconnected: [ClientID] = []
  private(set) var motionWishes: [Bool] = []
  // Whether the delegate is at work, in which it must not be called back.
  private var isBusy = false
  private(set) var reentries = 0

  init(_ server: SocketServer) {
    self.server = server
    server.delegate = self
  }

  // MARK: The pickers

  func select(_ picker: String, _ index: Int) {
    guard pickers[picker] != nil else { return }
    pickers[picker] = index
    revisions[picker, default: 0] += 1
    publish(.selection, picker: picker) { writer in
      writer.name("index")
      writer.integer(index)
      writer.name("revision")
      writer.integer(revisions[picker] ?? 0)
    }
  }

  func motion(_ picker: String, _ offset: Double) {
    publish(.motion, picker: picker) { writer in
      writer.name("offset")
      writer.number(offset)
    }
  }

  func publish(
    _ name: EventName, picker: String?, _ body: (inout JSONWriter) -> Void = { _ in }
  ) {
    let wasBusy = isBusy
    isBusy = true
    defer { isBusy = wasBusy }
    var writer = JSONWriter()
    writer.beginObject()
    writer.name("jsonrpc")
    writer.string("2.0")
    writer.name("method")
    writer.string(name.rawValue)
    writer.name("params")
    writer.beginObject()
    if let picker {
      writer.name("picker")
      writer.string(picker)
    }
    body(&writer)
    writer.endObject()
    writer.endObject()
    writer.endLine()
    server.publish(name, picker: picker, line: writer)
  }

  // MARK: SocketServerDelegate

  func answer(
    _ method: MethodName, _ params: Params, from client: ClientID
  ) throws(RPCError) -> [UInt8] {
    noteReentry()
    var params = params
    switch method {
    case .list:
      try params.finish()
      return json { writer in states(&writer, of: nil) }
    case .get:
      return try state(of: try known(&params), &params)
    case .select:
      let picker = try known(&params)
      let index = try params.integer("index")
      try params.finish()
      select(picker, index)
      return json { state(&$0, picker) }
    case .move:
      let picker = try known(&params)
      let steps = try params.integer("by")
      try params.finish()
      select(picker, (pickers[picker] ?? 0) + steps)
      return json { state(&$0, picker) }
    case .add:
      let picker = try params.string("picker")
      try params.finish()
      guard pickers[picker] == nil else {
        throw RPCError(.invalidParams, field: "picker", reason: "\"\(picker)\" exists already")
      }
      pickers[picker] = 0
      owners[picker] = client
      publish(.picker, picker: picker)
      return json { state(&$0, picker) }
    default:
      throw RPCError(.internalError, reason: "not in this test")
    }
  }

  func writeSnapshot(of wanted: Set<String>?, isResync: Bool, to writer: inout JSONWriter) {
    noteReentry()
    writer.name("pickers")
    states(&writer, of: wanted)
  }

  func clientDisconnected(_ client: ClientID) {
    noteReentry()
    disconnected.append(client)
    for (picker, owner) in owners where owner == client {
      pickers[picker] = nil
      owners[picker] = nil
      publish(.picker, picker: picker)
    }
  }

  func motionWanted(_ isWanted: Bool) {
    motionWishes.append(isWanted)
  }

  func report(_ report: ServerReport) {
    noteReentry()
    reports.append(report)
  }

  private func noteReentry() {
    if isBusy { reentries += 1 }
  }

  // MARK: Parts

  private func known(_ params: inout Params) throws(RPCError) -> String {
    let picker = try params.string("picker")
    guard pickers[picker] != nil else {
      throw RPCError(
        .unknownPicker, field: "picker", reason: "there is no picker \"\(picker)\"")
    }
    return picker
  }

  private func state(of picker: String, _ params: inout Params) throws(RPCError) -> [UInt8] {
    try params.finish()
    return json { state(&$0, picker) }
  }

  private func states(_ writer: inout JSONWriter, of wanted: Set<String>?) {
    writer.beginArray()
    for picker in pickers.keys.sorted() where wanted?.contains(picker) ?? true {
      state(&writer, picker)
    }
    writer.endArray()
  }

  private func state(_ writer: inout JSONWriter, _ picker: String) {
    writer.beginObject()
    writer.name("picker")
    writer.string(picker)
    writer.name("index")
    writer.integer(pickers[picker] ?? 0)
    writer.name("revision")
    writer.integer(revisions[picker] ?? 0)
    if padding > 0 {
      writer.name("padding")
      writer.string(String(repeating: "x", count: padding))
    }
    writer.endObject()
  }

  private func json(_ write: (inout JSONWriter) -> Void) -> [UInt8] {
    var writer = JSONWriter()
    write(&writer)
    return writer.bytes
  }
}
