// SPDX-License-Identifier: Apache-2.0

extension ScriptedServer {
  /// A state as a newer daemon may write it.
  private static let state =
    #"{"picker":"weight","type":"ruler","display":"main","region":{"x":0,"y":0,"width":800,"height":160},"enabled":true,"count":81,"index":32,"value":72,"title":"72 kg","live_index":32,"offset":512,"axis":"horizontal","pitch":64,"phase":"idle","glide":null,"revision":0,"mood":{"good":[true]}}"#

  private static func notification(_ method: String, _ params: String) -> Step {
    .say(#"{"jsonrpc":"2.0","method":"\#(method)","params":\#(params),"trace":"7"}"#)
  }

  private static func selection(_ title: String, cause: String, revision: Int) -> Step {
    notification(
      "selection",
      #"{"picker":"weight","index":33,"value":73,"title":"\#(title)","previous":72,"cause":"\#(cause)","revision":\#(revision),"time_us":5,"why":null}"#
    )
  }

  /// Connections of a daemon from the future, with a selection `first`, which ends in the middle of a line; then of
  /// one that ends after `hello`; then of one with a selection `second`.
  package static let fromTheFuture: [[Step]] = [
    [
      hello(more: #","mood":"good""#), .hear("\"subscribe\""),
      notification("weather", #"{"sunny":true,"time_us":1}"#),
      .say(#"{"jsonrpc":"2.0","method":"nothing"}"#),
      .say(#"{"jsonrpc":"2.0","id":999,"result":{}}"#),
      .say(
        #"{"jsonrpc":"2.0","id":ID,"result":{"pickers":[\#(state)],"displays":[],"devices":[{"id":"x","kind":"lamp","name":"","node":""}],"focus":null,"inhibited":false,"active":true,"now_us":1,"mood":1}}"#
      ),
      notification("weather", #"["not","an","object"]"#),
      notification("selection", #"{"picker":7}"#),
      notification(
        "selection",
        #"{"picker":"nobody","index":null,"value":null,"title":null,"previous":null,"cause":"wind","revision":1,"time_us":4}"#
      ),
      notification("press", #"{"picker":"weight","index":1,"pressed":true,"time_us":5}"#),
      selection("first", cause: "a wish", revision: 1),
      .sayRaw(#"{"jsonrpc":"2.0","method":"selection","params":{"picker":"weight","index":34,"#),
      .sayRaw(#""value":74,"title":"half a line","#),
    ],
    [hello(instance: "2")],
    [
      hello(instance: "3"), .hear("\"subscribe\""),
      .say(
        #"{"jsonrpc":"2.0","id":ID,"result":{"pickers":[\#(state)],"displays":[],"devices":[],"focus":null,"inhibited":false,"active":true,"now_us":1}}"#
      ),
      selection("second", cause: "drag", revision: 1), .waitForEnd,
    ],
  ]
}
