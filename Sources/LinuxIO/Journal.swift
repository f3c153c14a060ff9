// SPDX-License-Identifier: Apache-2.0

import CLibsystemd
import Glibc

/// The journal, or standard error where that leads elsewhere.
package struct Journal {
  /// The program's name.
  package let identifier: String
  /// Whether lines go to the journal with their fields.
  package let isStructured: Bool

  /// Looks at `$JOURNAL_STREAM`, by which systemd tells where standard error leads.
  package init(identifier: String) {
    self.identifier = identifier
    isStructured = Self.leadsToJournal(
      STDERR_FILENO, stream: getenv("JOURNAL_STREAM").map { String(cString: $0) })
  }

  /// Writes one entry; a journal that does not answer is replaced by standard error.
  ///
  /// - Parameter fields: names of capitals, digits and underscores, with values of any text.
  package func write(_ level: LogLevel, _ message: String, _ fields: [(String, String)]) {
    if isStructured, send(level, message, fields) { return }
    var line = Self.line(identifier, level, message, fields)
    line.withUTF8 { bytes in
      // Nobody is left to tell when standard error is gone.
      try? Descriptor.writeAll(STDERR_FILENO, UnsafeRawBufferPointer(bytes))
    }
  }

  /// Whether a descriptor is the stream, `device:inode`, that systemd connected to the journal.
  static func leadsToJournal(_ descriptor: CInt, stream: String?) -> Bool {
    guard let parts = stream?.split(separator: ":"), parts.count == 2,
      let device = UInt64(parts[0]), let inode = UInt64(parts[1])
    else { return false }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return false }
    return UInt64(status.st_dev) == device && UInt64(status.st_ino) == inode
  }

  /// The line that stands for an entry on standard error: always one line, whatever the message.
  static func line(
    _ identifier: String, _ level: LogLevel, _ message: String, _ fields: [(String, String)]
  ) -> String {
    var text = "\(identifier): \(level.name): \(message)"
    for (name, value) in fields { text += " \(name)=\(value)" }
    return text.split(whereSeparator: \.isNewline).joined(separator: " ") + "\n"
  }

  private func send(_ level: LogLevel, _ message: String, _ fields: [(String, String)]) -> Bool {
    var text = [
      "MESSAGE=\(message)", "PRIORITY=\(level.rawValue)", "SYSLOG_IDENTIFIER=\(identifier)",
    ]
    for (name, value) in fields { text.append("\(name)=\(value)") }
    let entries = text.map { Array($0.utf8) }
    let size = entries.reduce(0) { $0 + $1.count }
    return withUnsafeTemporaryAllocation(byteCount: size, alignment: 1) { storage in
      var vectors: [iovec] = []
      var offset = 0
      for entry in entries {
        let part = UnsafeMutableRawBufferPointer(
          rebasing: storage[offset..<(offset + entry.count)])
        part.copyBytes(from: entry)
        vectors.append(iovec(iov_base: part.baseAddress, iov_len: part.count))
        offset += entry.count
      }
      return sd_journal_sendv(vectors, CInt(vectors.count)) >= 0
    }
  }
}
