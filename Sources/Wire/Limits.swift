// SPDX-License-Identifier: Apache-2.0

/// What the protocol bounds, so that no client can hurt the others.
public enum Limits {
  /// The version of the protocol that `hello` tells.
  public static let protocolVersion = 1
  /// The most bytes of a client's line, its newline not counted.
  public static let longestLine = 65_536
  /// The most calls in a batch.
  public static let largestBatch = 64
  /// How many lines over a limit, in a row, end a connection.
  public static let mostOffences = 8
  /// The most clients.
  public static let mostClients = 256
  /// The most clients of one user.
  public static let mostClientsPerUser = 64
  /// The least that a client's queue holds, in bytes.
  public static let smallestQueue = 1 << 20
  /// How long a reader may take nothing while something waits for it, in microseconds.
  public static let patienceUs: Int64 = 10_000_000
}
