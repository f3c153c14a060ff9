// SPDX-License-Identifier: Apache-2.0

import CLibinput
import Glibc
import LinuxIO

/// Owns a libinput context and routes its callbacks.
final class LibinputContext {
  /// libinput's object.
  let raw: OpaquePointer
  /// Opens and closes nodes and takes the log; it outlives libinput's object, whose end calls it.
  let opener: NodeOpener

  private let interface: UnsafeMutablePointer<libinput_interface>

  /// A context that finds its devices through udev, or is told paths where not `enumerating`.
  init(udev: Udev, opener: NodeOpener, enumerating: Bool) throws(Errno) {
    self.opener = opener
    interface = .allocate(capacity: 1)
    interface.initialize(
      to: libinput_interface(
        open_restricted: { path, _, userdata in
          guard let path, let userdata else { return -EINVAL }
          return LibinputContext.opener(userdata).open(String(cString: path))
        },
        close_restricted: { descriptor, userdata in
          guard let userdata else { return }
          LibinputContext.opener(userdata).close(descriptor)
        }))
    let userdata = Unmanaged.passUnretained(opener).toOpaque()
    guard
      let made = enumerating
        ? libinput_udev_create_context(interface, userdata, udev.raw)
        : libinput_path_create_context(interface, userdata)
    else {
      interface.deallocate()
      throw .outOfMemory
    }
    raw = made
    libinput_log_set_priority(made, LIBINPUT_LOG_PRIORITY_INFO)
    libinput_log_set_handler(made) { context, priority, format, arguments in
      guard let context, let format, let arguments,
        let userdata = libinput_get_user_data(context)
      else { return }
      LibinputContext.opener(userdata).take(
        LibinputContext.level(priority), LibinputContext.text(format, arguments))
    }
  }

  deinit {
    // Closes the devices, through the callbacks.
    libinput_unref(raw)
    interface.deallocate()
  }

  /// Whether libinput tells its debugging messages too.
  var isVerbose: Bool {
    get { libinput_log_get_priority(raw) == LIBINPUT_LOG_PRIORITY_DEBUG }
    set {
      libinput_log_set_priority(
        raw, newValue ? LIBINPUT_LOG_PRIORITY_DEBUG : LIBINPUT_LOG_PRIORITY_INFO)
    }
  }

  private static func opener(_ userdata: UnsafeMutableRawPointer) -> NodeOpener {
    Unmanaged<NodeOpener>.fromOpaque(userdata).takeUnretainedValue()
  }

  /// libinput's errors are mostly about odd hardware with which it copes; what it calls information
  /// is several lines for each device.
  private static func level(_ priority: libinput_log_priority) -> LogLevel {
    priority == LIBINPUT_LOG_PRIORITY_ERROR ? .warning : .debug
  }

  private static func text(
    _ format: UnsafePointer<CChar>, _ arguments: CVaListPointer
  ) -> String {
    let text = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 1024) { buffer in
      vsnprintf(buffer.baseAddress, buffer.count, format, arguments)
      return buffer.baseAddress.map { String(cString: $0) } ?? ""
    }
    return String(text.prefix { !$0.isNewline })
  }
}
