// SPDX-License-Identifier: Apache-2.0

import Gestures
import Haptics
import LinuxIO
import Scene
package import SocketServer
import Wire

extension Service {
  package func report(_ report: ServerReport) {
    switch report {
    case .connected(let client, let peer):
      log.debug("client \(client.number) connected: \(Self.name(peer))", Self.fields(client, peer))
    case .disconnected(let client, let peer):
      log.debug("client \(client.number) is gone: \(Self.name(peer))", Self.fields(client, peer))
    case .turnedAway(let peer):
      log.warning(
        "a client was turned away: \(Self.name(peer)); at most \(Limits.mostClients) are served, \(Limits.mostClientsPerUser) of one user",
        Self.fields(nil, peer))
    case .closedSlow(let client, let peer):
      log.warning(
        "client \(client.number) took nothing for 10 s and was closed: \(Self.name(peer))",
        Self.fields(client, peer))
    case .closedForOffences(let client, let peer):
      log.warning(
        "client \(client.number) sent \(Limits.mostOffences) lines over a limit and was closed: \(Self.name(peer))",
        Self.fields(client, peer))
    case .refused(let client, let peer, let method):
      log.warning(
        "client \(client.number) may not call \(method): \(Self.name(peer)) is not in allow_control",
        Self.fields(client, peer))
    case .acceptPaused(let error):
      log.error("no clients can be accepted for now: \(error)")
    case .acceptResumed:
      log.notice("clients are accepted again")
    }
  }

  /// Who it is about, for `journalctl CLIENT_PID=…`.
  private static func fields(
    _ client: ClientID?, _ peer: PeerCredentials
  ) -> KeyValuePairs<String, String> {
    guard let client else { return ["CLIENT_PID": "\(peer.pid)", "CLIENT_UID": "\(peer.uid)"] }
    return [
      "CLIENT": "\(client.number)", "CLIENT_PID": "\(peer.pid)", "CLIENT_UID": "\(peer.uid)",
    ]
  }

  private static func name(_ peer: PeerCredentials) -> String {
    "\(peer.command ?? "process") \(peer.pid) of user \(peer.uid)"
  }
}

extension JSONWriter {
  /// Writes all input devices, knobs and motors.
  mutating func deviceList(_ service: Service) {
    beginArray()
    for device in service.devices {
      self.device(device, display: service.scene.display(of: device.number)?.id)
    }
    for motor in service.haptics?.devices ?? [] { self.motor(motor) }
    endArray()
  }

  /// Writes what has been counted.
  mutating func statistics(_ service: Service) {
    let server = service.server?.counters ?? ServerCounters()
    let haptics = service.hapticsFigures
    let figures: [(StaticString, Int)] = [
      ("events", service.statistics.events),
      ("devices", service.devices.count),
      ("devices_added", service.statistics.devicesAdded),
      ("devices_removed", service.statistics.devicesRemoved),
      ("pickers", service.scene.ids.count),
      ("reloads", service.statistics.reloads),
      ("reloads_refused", service.statistics.refusedReloads),
      ("sleeps", service.statistics.sleeps),
      ("memory_writes", service.statistics.memoryWrites),
      ("memory_failures", service.statistics.memoryFailures),
      ("clients", server.clients),
      ("clients_accepted", server.accepted),
      ("clients_turned_away", server.turnedAway),
      ("clients_closed_slow", server.closedSlow),
      ("requests", server.requests),
      ("requests_refused", server.errors),
      ("lines", server.lines),
      ("bytes_sent", server.bytesSent),
      ("notifications_missed", server.missed),
      ("resyncs", server.resyncs),
      ("accept_pauses", server.acceptPauses),
      ("haptics_asked", haptics.asked),
      ("haptics_played", haptics.played),
    ]
    beginObject()
    for (name, figure) in figures {
      self.name(name)
      integer(figure)
    }
    name("send_delay")
    histogram(server.sendDelay)
    name("request_time")
    histogram(server.requestTime)
    name("connections")
    beginArray()
    for client in service.server?.clientDescriptions ?? [] { connection(client) }
    endArray()
    name("now_us")
    integer(EventLoop.clockUs())
    endObject()
  }

  private mutating func histogram(_ histogram: DelayHistogram) {
    beginObject()
    name("count")
    integer(histogram.count)
    name("sum_us")
    integer(histogram.sumUs)
    name("half_us")
    integer(histogram.within(0.5))
    name("most_us")
    integer(histogram.within(0.99))
    name("longest_us")
    integer(histogram.longestUs)
    name("buckets")
    beginArray()
    for bucket in histogram.cumulative {
      beginObject()
      name("below_us")
      integer(bucket.belowUs)
      name("count")
      integer(bucket.count)
      endObject()
    }
    endArray()
    endObject()
  }

  private mutating func connection(_ client: ClientDescription) {
    beginObject()
    name("client")
    integer(Int(client.id.number))
    name("pid")
    integer(Int(client.peer.pid))
    name("uid")
    integer(Int(client.peer.uid))
    name("command")
    if let command = client.peer.command { string(command) } else { null() }
    name("connected_us")
    integer(client.connectedUs)
    name("controls")
    bool(client.mayControl)
    name("subscribed")
    bool(client.subscription != nil)
    name("queued_bytes")
    integer(client.queuedBytes)
    endObject()
  }
}
