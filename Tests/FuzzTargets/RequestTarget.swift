// SPDX-License-Identifier: Apache-2.0

import DetentDaemon
import Pickers
import Scene
import Wire

/// A client's line: read by the letter, the same again when written, and pickers in it open or are refused.
package struct RequestTarget: FuzzTarget {
  package static let name = "requests"
  package static let seeds = [
    #"{"jsonrpc":"2.0","id":1,"method":"subscribe","params":{"events":["tick"],"motion_hz":30}}"#,
    #"[{"jsonrpc":"2.0","id":18446744073709551616,"method":"list"},{"jsonrpc":"2.0","method":"x"}]"#,
    #"{"jsonrpc":"2.0","id":"a","method":"add","params":{"id":"p","type":"ruler","region":{"x":0,"y":0,"width":9,"height":9},"values":{"from":1,"through":2,"step":0.1},"title":"{} kg"}}"#,
    #"{"jsonrpc":"2.0","id":null,"method":"add","params":{"id":"p","type":"radial","mode":"rotate","region":{"x":0,"y":0,"width":9,"height":9},"values":["a",{"value":"b","title":"B"},3.5]}}"#,
    #"{"jsonrpc":"2.0","id":-0.5e3,"method":"add","params":{"id":"c","type":"carousel","items":["a"],"limit":"few","padding":1e2,"region":{"x":0,"y":0,"width":900,"height":9}}}"#,
    #"{"jsonrpc":"2.0","id":7,"method":"add","params":{"id":"s","type":"swatches","colors":["red","\ud83d\ude00"],"columns":1,"region":{"x":0,"y":0,"width":90,"height":9}}}"#,
    #"{"jsonrpc":"2.0","id":8,"method":"add","params":{"id":"t","type":"ruler","values":["a"],"region":{"x":100,"y":9,"width":1e-15,"height":5e-324}}}"#,
    #"{"jsonrpc":"2.0","id":9,"method":"add","params":{"id":"u","type":"carousel","items":["a","b"],"padding":0,"region":{"x":999.999,"y":0.0001,"width":0.001,"height":0.001}}}"#,
  ].map { Array($0.utf8) }
  package static let words = [
    "\"jsonrpc\":\"2.0\"", "\"method\"", "\"params\"", "\"id\"", "null", "true", "false", "1e308",
    "-0", "9223372036854775808", "-4611686018427387904", "1e-9223372036854775808", "\\u0000",
    "\\ud800", "5e-324", "1e-15", "0.001", "\"region\":{\"x\":100,\"y\":0,\"width\":",
    "\"selection\":", "\"item_width\":",
    "\"axis\":\"vertical\"", "\"spacing\":", "\"degree\":", "\"swipe_threshold\":",
    "\"tracks_selection\":false", "\"haptic\":\"none\"", "\"enabled\":false", "2147483647",
    "\"values\":{\"from\":0,\"through\":1,\"step\":", "[", "]", "{", "}", ",", ":",
  ]

  private let displays = [Display(id: "main", width: 1000, height: 1000)]

  package init() {}

  package mutating func run(_ bytes: [UInt8]) throws(BrokenInvariant) {
    let value: JSONValue
    do throws(JSONParser.Failure) {
      value = try JSONParser.value(of: bytes)
    } catch {
      let line = try? RequestLine(bytes)
      try require(line == nil, "no JSON (\(error)), yet a request")
      return
    }
    var json = JSONWriter()
    json.json(value)
    let again = try? JSONParser.value(of: json.bytes)
    try require(again == value, "\(String(decoding: json.bytes, as: UTF8.self)) reads otherwise")
    guard let line = try? RequestLine(bytes) else { return }
    for case .success(let request) in line.calls where request.method == "add" {
      try open(request.params)
    }
  }

  private func open(_ params: [String: JSONValue]) throws(BrokenInvariant) {
    let picker: PickerSettings
    do throws(RPCError) {
      picker = try PickerParams.picker(params, displays: displays)
    } catch {
      try require(error.code == RPCError.Code.invalidParams, "a picker is refused by \(error)")
      return
    }
    var settings = SceneSettings()
    settings.displays = displays
    var scene = Scene(settings: settings, timeUs: 0)
    scene.open([picker], timeUs: 0)
    try SceneInvariants.check(scene, timeUs: 0)
    try PickerProbe.run(&scene)
  }
}
