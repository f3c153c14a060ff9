// SPDX-License-Identifier: Apache-2.0

import LinuxIO
import Wire

extension SocketServer {
  /// How many lines of a client are handled, and for how long, before others have their turn.
  private static let linesPerTurn = 16
  private static let turnUs: Int64 = 500
  /// How many lines go to the kernel in one call.
  private static let linesPerSend = 64

  // MARK: Reading

  func ready(_ client: Client, _ state: Interest) {
    if !state.isDisjoint(with: [.hangup, .error]) {
      // What it sent before it went is still carried out.
      client.endOutput()
      updateMotion()
    } else if state.contains(.writable) {
      flush(client)
    }
    guard clients[client.id] != nil else { return }
    if client.wantsInput, !state.isDisjoint(with: [.readable, .hangup, .error]) { read(client) }
    update(client)
  }

  private func read(_ client: Client) {
    do throws(Errno) {
      let count = try UnixSocket.receive(client.socket.rawValue, into: chunk)
      guard count > 0 else {
        client.isInputDone = true
        return
      }
      client.framer.append(UnsafeRawBufferPointer(rebasing: chunk[..<count]))
      client.hasLines = true
      work(client)
    } catch {
      if error == .wouldBlock { return }
      client.isInputDone = true
      client.endOutput()
    }
  }

  /// Handles some lines of a client.
  private func work(_ client: Client) {
    let endUs = EventLoop.clockUs() + Self.turnUs
    var lines = 0
    while client.takesLines, lines < Self.linesPerTurn {
      guard let piece = client.framer.next() else {
        client.hasLines = false
        break
      }
      handle(piece, from: client)
      lines += 1
      if EventLoop.clockUs() >= endUs { break }
    }
    wake(client)
    line(up: client)
  }

  private func line(up client: Client) {
    guard client.takesLines, !client.isWaiting else { return }
    client.isWaiting = true
    waiting.append(client)
    workSource?.schedule()
  }

  /// Gives the next client that has lines left its turn.
  func workOff() {
    guard !waiting.isEmpty else { return }
    let client = waiting.removeFirst()
    client.isWaiting = false
    if clients[client.id] != nil {
      work(client)
      update(client)
    }
    if !waiting.isEmpty { workSource?.schedule() }
  }

  // MARK: Writing

  /// Sends what waits for a client in the next round of the loop, or at the end of a `sendingAtOnce`.
  func wake(_ client: Client) {
    guard !client.isDirty else { return }
    client.isDirty = true
    dirty.append(client)
    if !isSendingAtOnce { flushSource?.schedule() }
  }

  /// Sends what is published meanwhile when `body` returns, which saves a round of the loop.
  ///
  /// Only for a handler of the loop: the delegate must not be at work.
  package func sendingAtOnce(_ body: () -> Void) {
    isSendingAtOnce = true
    body()
    isSendingAtOnce = false
    flushDirty()
  }

  func flushDirty() {
    swap(&dirty, &flushing)
    for client in flushing {
      client.isDirty = false
      flush(client)
    }
    flushing.removeAll(keepingCapacity: true)
  }

  /// Sends what the socket takes.
  func flush(_ client: Client) {
    guard clients[client.id] != nil else { return }
    do throws(Errno) {
      while true {
        if client.queue.needsResync, client.isListening { appendResync(to: client) }
        if client.queue.isEmpty { break }
        let count = try send(from: client.queue, to: client.socket.rawValue)
        let nowUs = EventLoop.clockUs()
        client.queue.advance(by: count) { counters.sendDelay.add(nowUs - $0.madeUs) }
        counters.bytesSent += count
        client.stalledSinceUs = nil
      }
    } catch {
      if error == .wouldBlock {
        noteStall(of: client)
      } else {
        client.endOutput()
        updateMotion()
      }
    }
    line(up: client)
    update(client)
  }

  private func noteStall(of client: Client) {
    guard client.stalledSinceUs == nil else { return }
    let nowUs = loop.nowUs
    client.stalledSinceUs = nowUs
    if stallTimer?.armedForUs == nil { stallTimer?.arm(atUs: nowUs + patienceUs) }
  }

  private func send(from queue: OutputQueue, to socket: CInt) throws(Errno) -> Int {
    let most = Self.linesPerSend
    return try withUnsafeTemporaryAllocation(
      of: UnsafeRawBufferPointer.self, capacity: most
    ) { parts in
      var count = 0
      queue.pieces(most) { line, from in
        parts.initializeElement(
          at: count, to: UnsafeRawBufferPointer(rebasing: line.bytes[from...]))
        count += 1
      }
      // The queue holds the lines.
      return withExtendedLifetime(queue) {
        Result { () throws(Errno) in
          // The common case, for which gathering costs more.
          if count == 1 { return try UnixSocket.send(socket, parts[0]) }
          return try UnixSocket.send(
            socket, gathering: UnsafeBufferPointer(rebasing: UnsafeBufferPointer(parts)[..<count]))
        }
      }
    }.get()
  }

  private func appendResync(to client: Client) {
    let line = ServerLines.resync(dropped: client.queue.missed, timeUs: loop.nowUs) { writer in
      delegate?.writeSnapshot(of: client.subscription?.pickers, isResync: true, to: &writer)
    }
    counters.resyncs += 1
    counters.missed += client.queue.missed
    client.queue.limit = max(Limits.smallestQueue, 2 * line.bytes.count)
    client.queue.appendResync(line)
  }

  // MARK: Waiting and closing

  /// Waits for what a client is to do next, or lets it go.
  func update(_ client: Client) {
    guard clients[client.id] != nil else { return }
    if client.isFinished { return close(client) }
    client.source?.interest = Interest(
      readable: client.wantsInput, writable: client.stalledSinceUs != nil)
  }

  func closeStalled() {
    let nowUs = loop.nowUs
    var nextUs: Int64?
    for client in Array(clients.values) {
      guard let since = client.stalledSinceUs else { continue }
      let dueUs = since + patienceUs
      if dueUs <= nowUs {
        giveLastChance(to: client)
      } else {
        nextUs = min(nextUs ?? dueUs, dueUs)
      }
    }
    if let nextUs { stallTimer?.arm(atUs: nextUs) }
  }

  /// Closes a client, unless it has taken something by now.
  ///
  /// The kernel says that a Unix socket is writable only once three quarters of its buffer are free. Who reads, but
  /// so slowly that this takes longer, may stay.
  private func giveLastChance(to client: Client) {
    client.stalledSinceUs = nil
    let sent = counters.bytesSent
    flush(client)
    if clients[client.id] != nil, client.stalledSinceUs != nil, counters.bytesSent == sent {
      closeSlow(client)
    }
  }

  private func closeSlow(_ client: Client) {
    counters.closedSlow += 1
    counters.missed += client.queue.missed
    // Should it ever read on, it finds whole lines and then the reason: the buffer grows for those few bytes.
    client.queue.abandon()
    client.queue.appendReply(ServerLines.bye(.slow, timeUs: loop.nowUs))
    UnixSocket.doubleSendBuffer(client.socket.rawValue)
    _ = try? send(from: client.queue, to: client.socket.rawValue)
    delegate?.report(.closedSlow(client.id, client.peer))
    close(client)
  }
}
