// SPDX-License-Identifier: Apache-2.0

import Wire

/// The lines that the server writes by itself.
enum ServerLines {
  static func bye(_ reason: Bye.Reason, timeUs: Int64) -> SharedLine {
    notification("bye", madeUs: timeUs) { writer in
      writer.name("reason")
      writer.string(reason.rawValue)
      writer.name("time_us")
      writer.integer(timeUs)
    }
  }

  static func hello(_ identity: SocketServer.Identity, nowUs: Int64) -> SharedLine {
    notification("hello", madeUs: nowUs) { writer in
      writer.name("server")
      writer.word("detentd")
      writer.name("version")
      writer.string(identity.version)
      writer.name("protocol")
      writer.integer(Limits.protocolVersion)
      writer.name("instance")
      writer.string(identity.instance)
      writer.name("now_us")
      writer.integer(nowUs)
    }
  }

  /// - Parameter writeSnapshot: Writes how things stand.
  static func resync(
    dropped: Int, timeUs: Int64, _ writeSnapshot: (inout JSONWriter) -> Void
  ) -> SharedLine {
    notification("resync", madeUs: timeUs) { writer in
      writer.name("dropped")
      writer.integer(dropped)
      writeSnapshot(&writer)
      writer.name("time_us")
      writer.integer(timeUs)
    }
  }

  private static func notification(
    _ method: StaticString, madeUs: Int64, _ writeParams: (inout JSONWriter) -> Void
  ) -> SharedLine {
    var writer = JSONWriter()
    writer.beginObject()
    writer.name("jsonrpc")
    writer.word("2.0")
    writer.name("method")
    writer.word(method)
    writer.name("params")
    writer.beginObject()
    writeParams(&writer)
    writer.endObject()
    writer.endObject()
    writer.endLine()
    return SharedLine(writer, madeUs: madeUs)
  }
}
