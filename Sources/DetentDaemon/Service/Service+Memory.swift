// SPDX-License-Identifier: Apache-2.0

import LinuxIO
import Pickers
import Scene
import Wire

extension Service {
  /// Pickers came: those with `remember` get the selections that they had.
  func restoreSelections(of pickers: some Sequence<String>) {
    for id in pickers where scene.settings(of: id)?.remembers ?? false {
      guard let memory = memory ?? openMemory() else { return }
      if let value = memory.selections.selections[id] {
        restore(id, value)
      } else {
        remember(id)
      }
    }
  }

  /// Pickers were described anew: the selections of those that have `remember` now are noted.
  func keepSelections(of pickers: some Sequence<String>) {
    for id in pickers where scene.settings(of: id)?.remembers ?? false {
      guard memory != nil || openMemory() != nil else { return }
      remember(id)
    }
  }

  private func restore(_ id: String, _ value: Value?) {
    if (try? scene.restore(id, value: value, timeUs: loop.nowUs)) != nil { return }
    log.notice("what was remembered of a picker is not among its values any more", ["PICKER": id])
    remember(id)
  }

  /// Notes the selection of a picker as it is.
  private func remember(_ id: String) {
    guard let state = try? scene.snapshot(id, timeUs: loop.nowUs) else { return }
    note(id, state.selection.map { state.values[$0] })
  }

  /// Notes a change.
  func remember(_ change: SelectionChange) {
    guard memory != nil, scene.settings(of: change.picker)?.remembers ?? false else { return }
    note(change.picker, change.index.map { change.values[$0] })
  }

  private func note(_ id: String, _ value: Value?) {
    guard let memory else { return }
    memory.selections.note(id, value) { Set(scene.ids) }
    armMemory()
  }

  private func armMemory() {
    guard let memory, let deadlineUs = memory.selections.deadlineUs else { return }
    memory.timer.arm(atUs: max(deadlineUs, 0))
  }

  // MARK: The file

  private func openMemory() -> Memory? {
    guard !isMemoryBroken else { return nil }
    do throws(Errno) {
      let file = try MemoryFile(directory: options.stateDirectory, loop: loop) {
        [unowned self] in memoryWritten($0)
      }
      let memory = Memory(file: file, timer: try loop.timer { [unowned self] _ in writeMemory() })
      self.memory = memory
      read(memory)
      return memory
    } catch {
      isMemoryBroken = true
      log.warning("selections are not remembered: \(error)")
      return nil
    }
  }

  private func read(_ memory: Memory) {
    let lost = "the selections of before are lost: \(memory.file.path)"
    let bytes: [UInt8]
    do throws(Errno) {
      guard let found = try memory.file.read() else { return }
      bytes = found
    } catch {
      log.warning("\(lost): \(error); \(Self.cure(error))")
      return
    }
    do throws(SelectionMemory.Damage) {
      memory.selections = try SelectionMemory(bytes: bytes)
    } catch {
      log.warning("\(lost): \(error.reason); the file is replaced")
    }
  }

  private func writeMemory() {
    guard let memory, memory.selections.deadlineUs != nil else { return }
    memory.file.write(memory.selections.began(nowUs: loop.nowUs))
  }

  private func memoryWritten(_ outcome: MemoryFile.Outcome) {
    guard let memory else { return }
    memory.selections.ended(isKept: outcome == nil, nowUs: EventLoop.clockUs())
    if let error = outcome {
      statistics.memoryFailures += 1
      if memory.failure != error {
        log.warning(
          "selections are not remembered: \(memory.file.path): \(error); \(Self.cure(error))")
      }
    } else {
      statistics.memoryWrites += 1
      if memory.failure != nil { log.notice("selections are remembered again") }
    }
    memory.failure = outcome
    armMemory()
  }

  /// Writes what is not written yet, before the service ends.
  func finishMemory() {
    guard let memory else { return }
    let endUs = EventLoop.clockUs() + Self.memoryPatienceUs
    memory.file.finish(untilUs: endUs)
    guard memory.selections.deadlineUs != nil else { return }
    writeMemory()
    memory.file.finish(untilUs: endUs)
  }

  /// How long the end waits for the disk, in microseconds.
  private static let memoryPatienceUs: Int64 = 600_000

  private static func cure(_ error: Errno) -> String {
    switch error {
    case .noEntry:
      "make the folder, or start the service with StateDirectory=detent or --state DIR"
    case .accessDenied, .notPermitted: "the service's user must be able to write in the folder"
    case .readOnly:
      "the file system may only be read; name a folder that may be written with --state DIR"
    case .noSpace, .overQuota: "make room on the disk"
    case .isDirectory, .invalid: "no file may stand in its place but its own"
    default: "look at the disk, or name another folder with --state DIR"
    }
  }
}
