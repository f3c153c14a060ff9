// SPDX-License-Identifier: Apache-2.0

package import Wire

/// Who answers what the server cannot answer by itself.
package protocol SocketServerDelegate: AnyObject {
  /// Carries out a request and returns its result as JSON.
  ///
  /// What it publishes meanwhile reaches the client behind the reply, and all others at once.
  ///
  /// - Parameters:
  ///   - method: What is asked for; `subscribe`, `unsubscribe` and `describe` never are: the server answers them.
  ///   - params: With what.
  ///   - client: By whom.
  func answer(
    _ method: MethodName, _ params: Params, from client: ClientID
  ) throws(RPCError) -> [UInt8]
  /// Writes the members that tell how things stand: pickers, focus and so on, into an object that is open.
  ///
  /// - Parameters:
  ///   - pickers: The pickers that are wanted, or nil for all.
  ///   - isResync: Whether it is for a `resync`, which leaves out what does not change.
  ///   - writer: Takes the members.
  func writeSnapshot(of pickers: Set<String>?, isResync: Bool, to writer: inout JSONWriter)
  /// A client is gone, and with it what it held.
  func clientDisconnected(_ client: ClientID)
  /// Somebody wants every movement now, or nobody any more.
  func motionWanted(_ isWanted: Bool)
  /// Something that should be logged.
  func report(_ report: ServerReport)
}
