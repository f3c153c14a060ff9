// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Tells when a file has changed, however it was written, and has been quiet for a while.
///
/// Editors write beside a file and rename, truncate and write again, or delete and create; configuration
/// management swaps symbolic links. So what is watched are the directories along the path and along
/// every link on it, and a change is told once nothing has happened for 200 ms.
package final class FileWatch {
  /// What tells one state of a file from another.
  private struct State: Hashable {
    var device: UInt64
    var inode: UInt64
    var size: Int64
    var mode: UInt32
    var seconds: Int
    var nanoseconds: Int

    init?(_ path: String) {
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      device = UInt64(status.st_dev)
      inode = UInt64(status.st_ino)
      size = Int64(status.st_size)
      mode = status.st_mode
      seconds = status.st_mtim.tv_sec
      nanoseconds = status.st_mtim.tv_nsec
    }
  }

  /// How long nothing may happen before a change is told, in microseconds.
  package static let quietUs: Int64 = 200_000

  private let path: String
  private let inotify: OwnedDescriptor
  private let handler: () -> Void
  private let blinded: (String, Errno) -> Void
  private var source: DescriptorSource?
  private var timer: TimerSource?
  /// The names that matter in each watched directory, by inotify's number for it.
  private var names: [Int32: Set<String>] = [:]
  private var told: State?
  /// The directories of which it was told that they cannot be watched.
  private var blind: Set<String> = []

  /// Watches a file, which need not exist.
  ///
  /// - Parameters:
  ///   - blinded: called with each directory along the path that cannot be watched, so that changes in it are not
  ///     noticed, and why; again once it could be meanwhile.
  ///   - handler: called after each change, also when the file went or came.
  package init(
    path: String, loop: EventLoop, blinded: @escaping (String, Errno) -> Void = { _, _ in },
    handler: @escaping () -> Void
  ) throws(Errno) {
    self.path = path.hasPrefix("/") ? path : Self.currentDirectory() + "/" + path
    self.handler = handler
    self.blinded = blinded
    inotify = OwnedDescriptor(
      owning: try retryingInterrupts { inotify_init1(CInt(IN_NONBLOCK | IN_CLOEXEC)) })
    told = State(self.path)
    timer = try loop.timer { [unowned self] _ in settle() }
    source = try loop.watch(inotify.rawValue, for: .readable) { [unowned self] _ in
      if readEvents() { timer?.arm(atUs: EventLoop.clockUs() + Self.quietUs) }
    }
    watch()
  }

  deinit {
    source?.cancel()
    timer?.cancel()
  }

  private func settle() {
    // A link may lead elsewhere by now.
    watch()
    let state = State(path)
    guard state != told else { return }
    told = state
    handler()
  }

  /// Reads what waits, and says whether any of it concerns the file.
  private func readEvents() -> Bool {
    let header = MemoryLayout<inotify_event>.size
    var matters = false
    withUnsafeTemporaryAllocation(byteCount: 16384, alignment: 8) { buffer in
      while let count = try? Descriptor.read(inotify.rawValue, into: buffer), count > 0 {
        var offset = 0
        while offset + header <= count {
          let event = buffer.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
          let end = offset + header + Int(event.len)
          let name = buffer[(offset + header)..<min(end, count)].prefix { $0 != 0 }
          matters = matters || concerns(event, String(decoding: name, as: UTF8.self))
          offset = end
        }
      }
    }
    return matters
  }

  private func concerns(_ event: inotify_event, _ name: String) -> Bool {
    let mask = event.mask
    // The queue overflowed, or a watched directory itself went.
    if mask & UInt32(IN_Q_OVERFLOW | IN_DELETE_SELF | IN_MOVE_SELF | IN_IGNORED) != 0 {
      return event.wd < 0 || names[event.wd] != nil
    }
    return names[event.wd]?.contains(name) ?? false
  }

  /// Watches the directories along the path as it is now, and those alone.
  private func watch() {
    let places = Self.places(on: path)
    let coming = UInt32(IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE)
    let writing = UInt32(IN_MODIFY | IN_CLOSE_WRITE | IN_ATTRIB)
    let own = UInt32(IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR)
    var wanted: [String: (names: Set<String>, mask: UInt32)] = [:]
    for place in places {
      let mask = coming | own | (place.isLast ? writing : 0)
      wanted[place.directory, default: ([], 0)].names.insert(place.name)
      wanted[place.directory]?.mask |= mask
    }
    var now: [Int32: Set<String>] = [:]
    var failed: [String: Errno] = [:]
    for (directory, watch) in wanted {
      let number = inotify_add_watch(inotify.rawValue, directory, watch.mask)
      if number >= 0 {
        now[number, default: []].formUnion(watch.names)
      } else if errno != ENOENT, errno != ENOTDIR {
        // What went meanwhile is told by the directory that it was in.
        failed[directory] = Errno.current
      }
    }
    let gone = names.keys.filter { now[$0] == nil }
    names = now
    for number in gone { inotify_rm_watch(inotify.rawValue, number) }
    let news = failed.filter { !blind.contains($0.key) }.sorted { $0.key < $1.key }
    blind = Set(failed.keys)
    for (directory, error) in news { blinded(directory, error) }
  }

  private static func currentDirectory() -> String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer in
      guard let base = buffer.baseAddress, getcwd(base, buffer.count) != nil else { return "" }
      return String(cString: base)
    }
  }

  /// The directory entries that decide which file an absolute path is: each part of the path, and of
  /// the links on it, as far as they exist.
  static func places(
    on path: String
  ) -> [(directory: String, name: String, isLast: Bool)] {
    var places: [(directory: String, name: String, isLast: Bool)] = []
    var rest = Array(path.split(separator: "/").map(String.init).reversed())
    var directory = ""
    var links = 0
    while let name = rest.popLast() {
      if name == "." { continue }
      if name == ".." {
        directory = directory.lastIndex(of: "/").map { String(directory[..<$0]) } ?? ""
        continue
      }
      places.append((directory.isEmpty ? "/" : directory, name, rest.isEmpty))
      let entry = directory + "/" + name
      var status = stat()
      guard lstat(entry, &status) == 0 else { break }
      guard status.st_mode & S_IFMT == S_IFLNK else {
        directory = entry
        continue
      }
      links += 1
      guard links <= 40, let target = linkTarget(entry) else { break }
      if target.hasPrefix("/") { directory = "" }
      rest += target.split(separator: "/").map(String.init).reversed()
    }
    return places
  }

  private static func linkTarget(_ path: String) -> String? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer in
      guard let base = buffer.baseAddress else { return nil }
      let count = readlink(path, base, buffer.count)
      guard count > 0 else { return nil }
      return String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
  }
}
