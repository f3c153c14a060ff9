// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxIO
import TestSupport
import Testing
import Wire

/// Disks that are full, or that may only be read, under a real daemon.
///
/// It needs a system of its own to mount them.
@Suite(
  .serialized, .enabled(if: InputNodes.canUseUinput, "\(InputNodes.needsUinput)"),
  .enabled(if: DaemonProcess.isBuilt, "\(DaemonProcess.needsBinary)"))
struct DiskTests {
  private static let configuration = """
    [haptics]
    enabled = false
    [[display]]
    width = 1000
    height = 1000
    [[picker]]
    id = "ruler"
    type = "ruler"
    region = { x = 0, y = 0, width = 1000, height = 1000 }
    values = { from = 0, through = 100, step = 1 }
    selection = 50
    remember = true
    """

  private func run(_ words: String...) throws {
    let process = try ChildProcess(words)
    #expect(try process.waitForEnd() == .exited(0), "\(words): \(process.errorLines)")
  }

  private func stat(_ daemon: DaemonProcess, _ name: String) throws -> Int64 {
    guard case .integer(let value)? = try daemon.client.request("stats")["result"]?[name] else {
      return -1
    }
    return value
  }

  @Test func `a full disk costs the memory, never the service`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFolder("state")
    let state = folder.path + "/state"
    try run("mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", state)
    defer { _ = try? ChildProcess(["umount", "-l", state]).waitForEnd() }
    let daemon = try DaemonProcess(
      configuration: Self.configuration, environment: ["STATE_DIRECTORY": state])
    _ = try daemon.client.request("select", #"{"picker":"ruler","value":60}"#)
    try Waiting.until("the first write") { try stat(daemon, "memory_writes") > 0 }
    // Only the first of two writes may have been before the change.
    try Waiting.until("the value") { folder.has("state/selections.json", "\"ruler\":60") }
    let filler = try ChildProcess(["dd", "if=/dev/zero", "of=\(state)/filler", "bs=4k"])
    _ = try filler.waitForEnd()
    _ = try daemon.client.request("select", #"{"picker":"ruler","value":70}"#)
    try Waiting.until("the failure") { try stat(daemon, "memory_failures") > 0 }
    let value = try daemon.client.request("get", #"{"picker":"ruler"}"#)["result"]?["value"]
    #expect(value == .integer(70))
    let lines = daemon.log.filter { $0.contains("selections are not remembered") }
    #expect(lines.count == 1 && lines[0].contains("make room on the disk"), "\(lines)")
    // The old one is still whole, and nothing lies beside it.
    #expect(folder.has("state/selections.json", "\"ruler\":60"))
    #expect(SystemFiles.names(in: state).sorted() == ["filler", "selections.json"])
    // There is room again: the end writes what is left to write.
    unlink(state + "/filler")
    #expect(try daemon.stop() == .exited(0))
    #expect(folder.has("state/selections.json", "\"ruler\":70"))
  }

  @Test func `a root that may only be read is enough, with a folder for what is remembered`()
    throws
  {
    let folder = try TemporaryFolder()
    try folder.makeFolder("run")
    try folder.write(Self.configuration, to: "detent.toml")
    let panel = try VirtualTouchscreen()
    // A name space in which nothing may be written but one folder, as on a kiosk with a read-only image.
    let script = """
      mount --make-rprivate / && mount -t tmpfs tmpfs \(folder.path)/run \
      && mkdir \(folder.path)/run/state && mount -o remount,ro,bind / \
      && ! touch /tmp/written 2>/dev/null && exec "$0" "$@"
      """
    let process = try ChildProcess(
      [
        "unshare", "--mount", "sh", "-c", script, DaemonProcess.binaries + "/detentd", "--config",
        folder.path + "/detent.toml", "--socket", folder.path + "/run/detent.sock",
      ], environment: ["STATE_DIRECTORY": folder.path + "/run/state"])
    let inside = "/proc/\(process.pid)/root\(folder.path)/run"
    let client = try Waiting.value("the daemon; it said \(process.errorLines)", seconds: 60) {
      try? LineConnection(path: inside + "/detent.sock")
    }
    _ = try client.request("subscribe")
    try panel.tap(x: 0.5 + 0.128, y: 0.5)
    let tapped = try client.waitFor("selection") { $0["cause"] == .string("tap") }
    #expect(tapped["value"] == .integer(52))
    let file = inside + "/state/selections.json"
    try Waiting.until("the value in \(file)") {
      let bytes = try? WholeFile.contents(file, limit: 4096)
      return String(decoding: bytes ?? [], as: UTF8.self).contains("\"ruler\":52")
    }
    let troubles = process.errorLines.filter { $0.contains("warning") || $0.contains("error") }
    #expect(troubles.isEmpty, "\(troubles)")
    process.signal(SIGTERM)
    #expect(try process.waitForEnd(seconds: 20) == .exited(0))
  }
}
