// SPDX-License-Identifier: Apache-2.0

import LinuxIO
import Wire

extension SocketServer {
  func handle(_ piece: LineFramer.Piece, from client: Client) {
    switch piece {
    case .tooLong:
      refuse(
        RPCError(.overLimit, reason: "a line is longer than \(Limits.longestLine) bytes"), client)
    case .line(let line):
      if RequestLine.isBlank(line) { return }
      do throws(RPCError) {
        carryOut(try RequestLine(line), from: client)
      } catch {
        refuse(error, client)
      }
    }
  }

  /// Answers a line that is wrong as a whole.
  private func refuse(_ error: RPCError, _ client: Client) {
    counters.requests += 1
    counters.errors += 1
    var writer = JSONWriter()
    writer.reply(error, to: .null)
    send(&writer, to: client)
    client.offences = error.code == .overLimit ? client.offences + 1 : 0
    guard client.offences >= Limits.mostOffences else { return }
    client.reply(ServerLines.bye(.protocol, timeUs: loop.nowUs))
    client.isClosing = true
    delegate?.report(.closedForOffences(client.id, client.peer))
  }

  private func carryOut(_ line: RequestLine, from client: Client) {
    let beganUs = EventLoop.clockUs()
    client.offences = 0
    client.beginHandling()
    var writer = JSONWriter()
    if line.isBatch { writer.beginArray() }
    let empty = writer.count
    for call in line.calls { carryOut(call, from: client, into: &writer) }
    if writer.count > empty {
      if line.isBatch { writer.endArray() }
      send(&writer, to: client)
    }
    client.endHandling()
    counters.requestTime.add(EventLoop.clockUs() - beganUs)
  }

  private func carryOut(
    _ call: Result<Request, Request.Refusal>, from client: Client, into writer: inout JSONWriter
  ) {
    counters.requests += 1
    switch call {
    case .failure(let refusal):
      counters.errors += 1
      if let id = refusal.id { writer.reply(refusal.error, to: id) }
    case .success(let request):
      do throws(RPCError) {
        // A batch of small questions can have an answer of any size.
        if request.id != nil, writer.count > client.queue.limit {
          throw RPCError(
            .overLimit,
            reason: "the replies of this batch have \(writer.count) bytes already")
        }
        let result = try answer(request, from: client)
        if let id = request.id { writer.reply(result, to: id) }
      } catch {
        counters.errors += 1
        if let id = request.id { writer.reply(error, to: id) }
      }
    }
  }

  private func send(_ writer: inout JSONWriter, to client: Client) {
    writer.endLine()
    client.reply(SharedLine(writer, madeUs: EventLoop.clockUs()))
  }

  // MARK: Methods

  private func answer(_ request: Request, from client: Client) throws(RPCError) -> [UInt8] {
    guard let method = MethodName(rawValue: request.method) else {
      throw RPCError(
        .methodNotFound, field: "method", reason: "there is no method \"\(request.method)\"")
    }
    guard client.mayControl || !method.needsControl else { throw notPermitted(method, client) }
    var params = Params(request.params)
    switch method {
    case .subscribe:
      let subscription = try Subscription(&params)
      try params.finish()
      return subscribe(client, subscription)
    case .unsubscribe:
      try params.finish()
      unsubscribe(client)
      return Array("{}".utf8)
    case .describe:
      try params.finish()
      return ProtocolSchema.text
    default:
      guard let delegate else { throw RPCError(.internalError, reason: "shutting down") }
      return try delegate.answer(method, params, from: client.id)
    }
  }

  private func notPermitted(_ method: MethodName, _ client: Client) -> RPCError {
    if !client.wasRefused {
      client.wasRefused = true
      delegate?.report(.refused(client.id, client.peer, method: method.rawValue))
    }
    return RPCError(
      .notPermitted, field: "method", reason: "this user is not among those of allow_control")
  }

  private func subscribe(_ client: Client, _ subscription: Subscription) -> [UInt8] {
    unsubscribe(client)
    if !client.isOutputDone { client.subscription = subscription }
    client.thinner = MotionThinner(hertz: subscription.motionHertz)
    var writer = JSONWriter()
    writer.beginObject()
    delegate?.writeSnapshot(of: subscription.pickers, isResync: false, to: &writer)
    writer.endObject()
    client.queue.limit = max(Limits.smallestQueue, 2 * writer.count)
    updateMotion()
    return writer.bytes
  }

  private func unsubscribe(_ client: Client) {
    client.subscription = nil
    // What waits behind the reply was heard under the earlier subscription; a snapshot has it already.
    client.forgetHeld()
    counters.missed += client.queue.missed
    client.queue.forgive()
    updateMotion()
  }
}
