// SPDX-License-Identifier: Apache-2.0

import LinuxIO
import Wire
import WireJSON

extension SocketServer {
  /// The methods that change nothing, which everybody who can open the socket may call.
  private static let readingMethods: Set<String> = [
    "subscribe", "unsubscribe", "list", "get", "values", "devices", "stats", "describe",
  ]

  /// A reply, or nil for a notification.
  private typealias Reply = (id: RequestID, outcome: Result<[UInt8], RPCError>)

  func handle(_ piece: LineFramer.Piece, from client: Client) {
    switch piece {
    case .tooLong:
      offend(client, "a line is longer than \(Limits.longestLine) bytes")
    case .line(let line):
      handle(line, from: client)
    }
  }

  private func handle(_ line: [UInt8], from client: Client) {
    let value: JSONValue
    do throws(JSONTextError) {
      value = try json.value(line)
    } catch {
      if error == .tooDeep {
        return offend(client, "nests deeper than \(JSONText.deepestNesting)")
      }
      let reason = error == .invalidUTF8 ? "not UTF-8" : "not JSON"
      return reply([(.null, .failure(RPCError(.parseError, reason: reason)))], to: client)
    }
    guard case .array(let calls) = value else {
      client.offences = 0
      client.isHandling = true
      return reply([carryOut(value, from: client)].compactMap { $0 }, to: client)
    }
    guard calls.count <= Limits.largestBatch else {
      return offend(client, "a batch of \(calls.count); at most \(Limits.largestBatch) are taken")
    }
    client.offences = 0
    guard !calls.isEmpty else {
      let error = RPCError(.invalidRequest, reason: "an empty batch")
      return reply([(.null, .failure(error))], to: client)
    }
    client.isHandling = true
    reply(calls.compactMap { carryOut($0, from: client) }, isBatch: true, to: client)
  }

  private func offend(_ client: Client, _ reason: String) {
    client.offences += 1
    reply([(.null, .failure(RPCError(.overLimit, reason: reason)))], to: client)
    guard client.offences >= Limits.mostOffences else { return }
    client.queue.appendReply(bye(.protocol))
    client.isClosing = true
    delegate?.report(.closedForOffences(client.id, client.peer))
  }

  private func carryOut(_ value: JSONValue, from client: Client) -> Reply? {
    let request: Request
    do throws(Request.Refusal) {
      request = try Request(value)
    } catch {
      guard let id = error.id else { return nil }
      counters.errors += 1
      return (id, .failure(error.error))
    }
    counters.requests += 1
    let outcome = Result { () throws(RPCError) in try self.answer(request, from: client) }
    if case .failure = outcome { counters.errors += 1 }
    return request.id.map { ($0, outcome) }
  }

  private func answer(_ request: Request, from client: Client) throws(RPCError) -> [UInt8] {
    if !client.mayControl, !Self.readingMethods.contains(request.method) {
      if !client.wasRefused {
        client.wasRefused = true
        delegate?.report(.refused(client.id, client.peer, method: request.method))
      }
      throw RPCError(
        .notPermitted, reason: "this user is not among those of allow_control")
    }
    var params = Params(request.params)
    switch request.method {
    case "subscribe":
      let subscription = try Subscription(&params)
      try params.finish()
      return subscribe(client, subscription)
    case "unsubscribe":
      try params.finish()
      client.subscription = nil
      updateMotion()
      return Array("{}".utf8)
    default:
      guard let delegate else { throw RPCError(.internalError, reason: "shutting down") }
      return try delegate.answer(request, from: client.id)
    }
  }

  private func subscribe(_ client: Client, _ subscription: Subscription) -> [UInt8] {
    client.subscription = subscription
    // What waits behind the reply was heard under an earlier subscription; the snapshot has it already.
    client.held.removeAll()
    var writer = JSONWriter()
    writer.beginObject()
    delegate?.writeSnapshot(of: subscription.pickers, isResync: false, to: &writer)
    writer.endObject()
    client.queue.limit = max(Limits.smallestQueue, 2 * writer.bytes.count)
    updateMotion()
    return writer.bytes
  }

  private func reply(_ replies: [Reply], isBatch: Bool = false, to client: Client) {
    guard !replies.isEmpty else {
      client.releaseHeld()
      return
    }
    var writer = JSONWriter()
    if isBatch { writer.beginArray() }
    for reply in replies {
      switch reply.outcome {
      case .success(let result): writer.reply(result, to: reply.id)
      case .failure(let error): writer.reply(error, to: reply.id)
      }
    }
    if isBatch { writer.endArray() }
    writer.endLine()
    client.reply(SharedLine(writer.bytes))
  }
}
