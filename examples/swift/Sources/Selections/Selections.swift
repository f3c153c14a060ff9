// SPDX-License-Identifier: Apache-2.0

import DetentClient

/// Prints what is chosen, and comes back when the daemon does.
@main
struct Selections {
  static func main() async throws {
    let client = try Client(path: CommandLine.arguments.dropFirst().first ?? Connection.defaultPath)
    for await update in client.updates() {
      switch update {
      case .state(let store):
        for picker in store.pickers { print(picker.id, picker.state.title ?? "nothing") }
      case .notification(.selection(let change)):
        print(change.picker, change.title ?? "nothing")
      case .disconnected(let error):
        print(error)
      case .notification, .refused:
        break
      }
    }
  }
}
