// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Testing

/// That nothing of the package stays.
///
/// Last of all by its name: to install takes long in an emulator.
@Suite(.serialized, .enabled(if: Kiosk.package != nil, "\(Kiosk.needsPackage)"))
struct WithdrawalTests {
  @Test func `purging leaves nothing`() throws {
    let panel = try VirtualTouchscreen()
    try Kiosk.prepare()
    try Kiosk.waitForService()
    try Kiosk.purge()
    for path in [
      "/usr/bin/detentd", "/usr/bin/detentctl", "/etc/detent", "/run/detent", "/var/lib/detent",
      "/usr/share/doc/detent", "/usr/lib/udev/rules.d/72-detent.rules",
      "/usr/lib/systemd/system/detent.service", "/etc/systemd/system/detent.socket",
      "/etc/systemd/system/sockets.target.wants/detent.socket",
    ] {
      var status = stat()
      #expect(lstat(path, &status) != 0, "\(path)")
    }
    #expect(try !Kiosk.run("getent", "passwd", "detent").isSuccess)
    #expect(try !Kiosk.run("getent", "group", "detent", "detent-devices").isSuccess)
    #expect(try Kiosk.property("LoadState") == "not-found")
    let access = try Kiosk.run("getfacl", "--numeric", "--absolute-names", panel.node).output
    #expect(access.filter { $0.hasPrefix("group:") }.count == 1, "\(access)")
  }
}
