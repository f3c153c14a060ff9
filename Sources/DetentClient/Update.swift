// SPDX-License-Identifier: Apache-2.0

public import Wire

/// What a stream of updates brings.
public enum Update: Hashable, Sendable {
  /// How everything stands: first of all, after a reconnect, and instead of what a slow reader missed.
  case state(PickerStore)
  /// Something happened.
  case notification(ServerNotification)
  /// The connection was lost, or there is none yet; the client goes on trying.
  ///
  /// What was under a finger is void: treat it as cancelled, never as chosen.
  case disconnected(ConnectionError)
  /// The daemon refused the subscription; nothing more comes.
  case refused(RPCFailure)
}
