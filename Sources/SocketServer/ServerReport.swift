// SPDX-License-Identifier: Apache-2.0

package import LinuxIO

/// What whoever runs the server should log.
///
/// Clients can cause some of these at will: whoever logs them counts those that are too many, as `Log` does.
package enum ServerReport: Sendable {
  /// A client connected.
  case connected(ClientID, PeerCredentials)
  /// A client is gone.
  case disconnected(ClientID, PeerCredentials)
  /// A client was turned away, because there are too many in all or of its user.
  case turnedAway(PeerCredentials)
  /// A client was closed because it took nothing for too long.
  case closedSlow(ClientID, PeerCredentials)
  /// A client was closed because of what it sent.
  case closedForOffences(ClientID, PeerCredentials)
  /// A client asked for something that it may not do; told once for each client.
  case refused(ClientID, PeerCredentials, method: String)
  /// No connection can be accepted for now.
  case acceptPaused(Errno)
  /// Connections are accepted again.
  case acceptResumed
}

/// What the server has counted since it began.
package struct ServerCounters: Sendable {
  /// Clients that are connected.
  package var clients = 0
  /// Connections accepted.
  package var accepted = 0
  /// Connections turned away.
  package var turnedAway = 0
  /// Requests answered, errors included.
  package var requests = 0
  /// Requests answered with an error.
  package var errors = 0
  /// Lines put into queues.
  package var lines = 0
  /// Bytes sent.
  package var bytesSent = 0
  /// Notifications that slow readers missed.
  package var missed = 0
  /// Resyncs sent.
  package var resyncs = 0
  /// Clients closed because they took nothing.
  package var closedSlow = 0
  /// Times that accepting had to pause.
  package var acceptPauses = 0
  /// How long lines waited from when they were made until the kernel had taken their last byte.
  package var sendDelay = DelayHistogram()
  /// How long it took to carry out the requests of a line.
  package var requestTime = DelayHistogram()

  /// Zeros.
  package init() {}
}
