// SPDX-License-Identifier: Apache-2.0

import Testing
import Wire
import WireTestSupport

@Suite struct ServerNotificationTests {
  /// One of each, as the daemon writes them.
  static let lines = [
    #"{"method":"hello","params":{"server":"detentd","version":"1","protocol":1,"instance":"a","now_us":5}}"#,
    #"{"method":"selection","params":{"picker":"a","index":3,"value":0.3,"title":"0.3","previous":"x","cause":"drag","revision":7,"time_us":5}}"#,
    #"{"method":"selection","params":{"picker":"a","index":null,"value":null,"title":null,"previous":null,"cause":"select","revision":8,"time_us":5}}"#,
    #"{"method":"tick","params":{"picker":"a","index":3,"value":72,"time_us":5}}"#,
    #"{"method":"motion","params":{"picker":"a","index":1,"phase":"glide","offset":-1.5,"translation":0,"velocity":2,"predicted_end_translation":0,"time_us":5}}"#,
    #"{"method":"settle","params":{"picker":"a","index":1,"value":"x","offset_from":1,"offset_to":2.5,"velocity":-3,"spring":{"duration":0.5,"bounce":0},"duration_ms":300.5,"time_us":5}}"#,
    #"{"method":"rest","params":{"picker":"a","index":1,"time_us":5}}"#,
    #"{"method":"press","params":{"picker":"a","index":1,"pressed":true,"time_us":5}}"#,
    #"{"method":"direction","params":{"picker":"a","direction":"left","degree":-30,"time_us":5}}"#,
    #"{"method":"focus","params":{"picker":null,"time_us":5}}"#,
    #"{"method":"activity","params":{"active":false,"resets_in_ms":null,"time_us":5}}"#,
    #"{"method":"inhibit","params":{"on":true,"time_us":5}}"#,
    #"{"method":"picker","params":{"change":"updated","state":\#(state),"time_us":5}}"#,
    #"{"method":"device","params":{"change":"removed","device":{"id":"event3","kind":"touchscreen","name":"n","node":"/dev/input/event3","path":"p","display":"main","width_mm":100.5,"height_mm":null},"time_us":5}}"#,
    #"{"method":"display","params":{"display":{"display":"main","width":1080,"height":1920,"rotation":90},"time_us":5}}"#,
    #"{"method":"haptic","params":{"picker":"a","cue":"tick_soft","played":true,"time_us":5}}"#,
    #"{"method":"resync","params":{"dropped":9,"pickers":[\#(state)],"focus":"a","inhibited":false,"active":true,"time_us":5}}"#,
    #"{"method":"bye","params":{"reason":"protocol","time_us":5}}"#,
  ]

  private static let state =
    #"{"picker":"a","type":"ruler","display":"main","region":{"x":0,"y":1,"width":2,"height":3},"enabled":true,"count":9,"index":3,"value":72,"title":"72 kg","live_index":4,"offset":-1.5,"axis":"horizontal","pitch":64,"phase":"glide","glide":{"offset_from":1,"offset_to":2,"velocity":3,"started_us":4,"duration_ms":5},"revision":6}"#

  private func value(_ text: String) throws -> JSONValue {
    try JSONParser.value(of: Array(text.utf8))
  }

  @Test(arguments: lines)
  func `each has its typed value`(line: String) throws {
    var value = try value(line)
    if case .object(var members) = value {
      members["jsonrpc"] = .string("2.0")
      value = .object(members)
    }
    #expect(SchemaValidator().problems(ofLine: value) == [])
    let notification = try #require(ServerNotification(value))
    if case .unknown = notification { Issue.record("not known") }
  }

  @Test(arguments: lines)
  func `members that are new change nothing`(line: String) throws {
    let value = try value(line)
    let known = try #require(ServerNotification(value))
    // A device keeps all that was said of it, so it alone is another with more.
    if case .device = known { return }
    #expect(ServerNotification(Self.extended(value)) == known)
  }

  @Test(arguments: lines)
  func `words that are new become nil, and nothing breaks`(line: String) throws {
    for word in ["drag", "select", "glide", "left", "updated", "removed", "tick_soft", "protocol"] {
      let text = line.replacing(":\"\(word)\"", with: ":\"new word\"")
      if text == line { continue }
      let notification = try #require(ServerNotification(try value(text)))
      if case .unknown = notification { Issue.record("\(word): not known any more: \(text)") }
    }
  }

  @Test(arguments: lines)
  func `members that are missing or of another kind make it unknown`(line: String) throws {
    guard case .object(let members)? = try value(line)["params"],
      case .string(let method)? = try value(line)["method"]
    else { return }
    for name in members.keys {
      var changed = members
      changed[name] = .array([])
      let line = JSONValue.object(["method": .string(method), "params": .object(changed)])
      guard case .unknown(let unknown, let params)? = ServerNotification(line) else {
        // The spring is always the same, so it is not read; a list of pickers may be empty.
        #expect(["settle spring", "resync pickers"].contains("\(method) \(name)"))
        continue
      }
      #expect(unknown == method)
      #expect(params == .object(changed))
    }
  }

  @Test func `what is new is handed on as it came`() throws {
    let line = try value(#"{"jsonrpc":"2.0","method":"weather","params":{"sun":true}}"#)
    #expect(
      ServerNotification(line)
        == .unknown(method: "weather", params: .object(["sun": .bool(true)])))
    #expect(ServerNotification(try value(#"{"jsonrpc":"2.0","result":1,"id":1}"#)) == nil)
    #expect(ServerNotification(try value(#"[1]"#)) == nil)
  }

  @Test func `values are read exactly`() throws {
    let line = try value(Self.lines[1])
    guard case .selection(let change)? = ServerNotification(line) else {
      Issue.record("no selection")
      return
    }
    #expect(change.value == .number(try #require(DecimalNumber("0.3"))))
    #expect(change.previous == .text("x"))
    #expect(change.cause == .drag)
    #expect(change.index == 3)
  }

  @Test func `a state says how its values lie`() throws {
    let swatches = Self.state.replacing(
      "\"offset\":-1.5,\"axis\":\"horizontal\",\"pitch\":64",
      with: #""pressed":3,"columns":6,"size":44.5,"spacing":12"#)
    let state = try PickerState(value(swatches))
    #expect(state.pressed == 3 && state.columns == 6 && state.size == 44.5 && state.spacing == 12)
    #expect(state.axis == nil && state.pitch == nil && state.mode == nil)
    let ruler = try PickerState(value(Self.state))
    #expect(ruler.axis == .horizontal && ruler.pitch == 64 && ruler.pressed == nil)
    // A direction that is new says nothing.
    let slanted = try PickerState(value(Self.state.replacing("horizontal", with: "slanted")))
    #expect(slanted.axis == nil)
  }

  @Test func `a mismatch names the member`() throws {
    let json = try value(
      #"{"picker":"a","index":0,"value":1,"offset_from":1,"offset_to":"far","velocity":0,"duration_ms":1,"time_us":1}"#
    )
    let error = try #require(throws: JSONMismatch.self) { try PickerSettle(json) }
    #expect(error.description == "offset_to: expected a number")
    let state = try value(Self.state.replacing("\"x\":0", with: "\"x\":null"))
    let inner = try #require(throws: JSONMismatch.self) { try PickerState(state) }
    #expect(inner.member == "region.x")
  }

  /// The same with a new member in every object.
  private static func extended(_ value: JSONValue) -> JSONValue {
    switch value {
    case .object(let members):
      var more = members.mapValues(extended)
      more["x_new"] = .object(["of": .array([.integer(1)])])
      return .object(more)
    case .array(let elements): return .array(elements.map(extended))
    default: return value
    }
  }
}

extension String {
  fileprivate func replacing(_ old: String, with new: String) -> String {
    split(separator: old, omittingEmptySubsequences: false).joined(separator: new)
  }
}
