// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import LinuxIO
import Synchronization

/// A server that says what a script has it say, for what a real daemon never does.
package final class ScriptedServer: Sendable {
  /// A step of a connection.
  package enum Step: Sendable {
    /// Says a line; the newline is added, and `ID` becomes the id of the last request that was heard.
    case say(String)
    /// Says bytes as they are.
    case sayRaw(String)
    /// Waits for a line that holds this text.
    case hear(String)
    /// Waits until the client is gone.
    case waitForEnd
  }

  /// The greeting of a daemon.
  package static func hello(instance: String = "1", more: String = "") -> Step {
    .say(
      #"{"jsonrpc":"2.0","method":"hello","params":{"server":"detentd","version":"9","protocol":1,"instance":"\#(instance)","now_us":1\#(more)}}"#
    )
  }

  /// Where it listens.
  package let socket: String

  private struct State {
    var heard: [String] = []
    var connections = 0
    var isStopped = false
  }

  private let listener: OwnedDescriptor
  private let state = Mutex(State())
  private let thread = Mutex<BackgroundThread?>(nil)

  /// Listens, and has the connections go by their scripts, one after the other; each ends with its script.
  package init(_ scripts: [[Step]]) throws {
    var template = Array("/tmp/detent-test.XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw Errno.current }
    socket =
      String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self) + "/s"
    listener = OwnedDescriptor(
      owning: Glibc.socket(
        AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0))
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(socket.utf8)) }
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener.rawValue, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard result == 0, listen(listener.rawValue, 16) == 0 else { throw Errno.current }
    let thread = try BackgroundThread { [self] in scripts.forEach(serve) }
    self.thread.withLock { $0 = thread }
  }

  /// Ends it; its scripts need not have come to their ends.
  package func stop() {
    state.withLock { $0.isStopped = true }
    shutdown(listener.rawValue, CInt(SHUT_RDWR))
    let thread = thread.withLock { thread in
      defer { thread = nil }
      return thread
    }
    thread?.join()
    unlink(socket)
    rmdir(String(socket.dropLast(2)))
  }

  /// The lines that clients said.
  package var heard: [String] { state.withLock { $0.heard } }

  /// How many connections there have been.
  package var connections: Int { state.withLock { $0.connections } }

  private func serve(_ script: [Step]) {
    guard !isStopped else { return }
    // Close-on-exec from the first moment: a program that another test starts meanwhile would keep the connection open.
    let client = detent_accept(listener.rawValue)
    guard client >= 0 else { return }
    defer { close(client) }
    _ = fcntl(client, F_SETFL, O_RDWR)
    state.withLock { $0.connections += 1 }
    var pending = ""
    var id: Substring = "null"
    for step in script {
      switch step {
      case .say(let line):
        let words = line.split(separator: "ID", omittingEmptySubsequences: false)
        say(words.joined(separator: id) + "\n", to: client)
      case .sayRaw(let text): say(text, to: client)
      case .hear(let text):
        while let line = nextLine(&pending, from: client) {
          guard line.contains(text) else { continue }
          id = line.firstMatch(of: /"id":([0-9]+)/)?.1 ?? "null"
          break
        }
      case .waitForEnd:
        while nextLine(&pending, from: client) != nil {}
      }
    }
  }

  private var isStopped: Bool { state.withLock { $0.isStopped } }

  private func say(_ text: String, to client: CInt) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        send(client, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  private func nextLine(_ pending: inout String, from client: CInt) -> String? {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      if let end = pending.firstIndex(of: "\n") {
        let line = String(pending[..<end])
        pending = String(pending[pending.index(after: end)...])
        state.withLock { $0.heard.append(line) }
        return line
      }
      var wait = pollfd(fd: client, events: Int16(POLLIN), revents: 0)
      while poll(&wait, 1, 20) <= 0 {
        if isStopped { return nil }
      }
      let count = recv(client, &buffer, buffer.count, 0)
      guard count > 0 else { return nil }
      pending += String(decoding: buffer.prefix(count), as: UTF8.self)
    }
  }
}
