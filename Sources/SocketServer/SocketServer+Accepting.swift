// SPDX-License-Identifier: Apache-2.0

import LinuxIO
import Wire

extension SocketServer {
  /// How many connections are accepted before others have their turn.
  private static let acceptsPerRound = 32
  private static let acceptPauseUs: Int64 = 1_000_000

  func accept(from listener: UnixListener) {
    for _ in 0..<Self.acceptsPerRound {
      do throws(Errno) {
        guard let socket = try listener.accept() else { return }
        if isStarved {
          isStarved = false
          delegate?.report(.acceptResumed)
        }
        admit(socket)
      } catch {
        return pauseAccepting(error)
      }
    }
  }

  private func admit(_ socket: consuming OwnedDescriptor) {
    let number = socket.rawValue
    guard let peer = try? PeerCredentials(of: number) else { return }
    let ofUser = clients.values.count { $0.peer.uid == peer.uid }
    guard clients.count < Limits.mostClients, ofUser < Limits.mostClientsPerUser else {
      counters.turnedAway += 1
      let bye = ServerLines.bye(.limit, timeUs: loop.nowUs)
      // Its buffer is empty, so the line fits; whether it reads it is its own business.
      _ = try? UnixSocket.send(number, bye.bytes)
      delegate?.report(.turnedAway(peer))
      return
    }
    lastID += 1
    let client = Client(
      id: ClientID(lastID), peer: peer, socket: socket,
      mayControl: control.permits(peer, socket: number), connectedUs: loop.nowUs)
    do throws(Errno) {
      client.source = try loop.watch(number, for: .readable, priority: Self.priority) {
        [unowned self, unowned client] state in ready(client, state)
      }
    } catch {
      return pauseAccepting(error)
    }
    clients[client.id] = client
    counters.accepted += 1
    counters.clients = clients.count
    delegate?.report(.connected(client.id, peer))
    client.reply(ServerLines.hello(identity, nowUs: EventLoop.clockUs()))
    wake(client)
  }

  /// Leaves connections waiting for a second, or until a client goes.
  private func pauseAccepting(_ error: Errno) {
    for source in acceptSources { source.interest = [] }
    acceptTimer?.arm(atUs: loop.nowUs + Self.acceptPauseUs)
    guard !isStarved else { return }
    isStarved = true
    counters.acceptPauses += 1
    delegate?.report(.acceptPaused(error))
  }

  func watchListeners() {
    for source in acceptSources { source.interest = .readable }
  }

  func close(_ client: Client) {
    guard clients.removeValue(forKey: client.id) != nil else { return }
    client.source?.cancel()
    client.source = nil
    counters.clients = clients.count
    updateMotion()
    delegate?.clientDisconnected(client.id)
    delegate?.report(.disconnected(client.id, client.peer))
    // A descriptor will be free.
    if isStarved { watchListeners() }
  }
}
