// SPDX-License-Identifier: Apache-2.0

/// The contacts that are down, and where they go: so few that looking them through is faster than hashing.
struct ContactList: Sendable {
  private var entries: [(key: ContactKey, route: ContactRoute)] = []

  var isEmpty: Bool { entries.isEmpty }

  /// In order of device and slot.
  var keys: [ContactKey] { entries.map(\.key).sorted() }

  subscript(key: ContactKey) -> ContactRoute? {
    for entry in entries where entry.key == key { return entry.route }
    return nil
  }

  /// A contact goes this way from now on.
  mutating func set(_ route: ContactRoute, for key: ContactKey) {
    if let place = entries.firstIndex(where: { $0.key == key }) {
      entries[place].route = route
    } else {
      entries.append((key, route))
    }
  }

  /// A contact ended; where it went.
  mutating func remove(_ key: ContactKey) -> ContactRoute? {
    guard let place = entries.firstIndex(where: { $0.key == key }) else { return nil }
    return entries.remove(at: place).route
  }

  /// Those that go to a picker go to nobody from now on.
  mutating func swallow(slot: Int) {
    for place in entries.indices {
      if case .picker(slot, _, _) = entries[place].route { entries[place].route = .swallowed }
    }
  }
}
