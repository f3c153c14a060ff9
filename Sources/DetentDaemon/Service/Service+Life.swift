// SPDX-License-Identifier: Apache-2.0

import Gestures
import Haptics
import InputDevices
import LinuxIO
import Pickers
import Scene
import SocketServer
import Wire

extension Service {
  // MARK: Configuration

  func watchConfiguration() {
    do throws(Errno) {
      configurationWatch = try FileWatch(path: options.configuration, loop: loop) {
        [unowned self] directory, error in
        let cure = error == .noSpace ? "raise the sysctl fs.inotify.max_user_watches, or " : ""
        log.warning(
          "changes of \(options.configuration) are not noticed, for \(directory) cannot be watched: "
            + "\(error); \(cure)reload by SIGHUP")
      } handler: {
        [unowned self] in
        _ = reload()
      }
    } catch {
      log.warning(
        "changes of \(options.configuration) are not noticed: \(error); reload by SIGHUP")
    }
  }

  /// Applies the configuration file, whole or not at all.
  ///
  /// - Returns: What is wrong, in lines; nil where it was applied.
  func reload() -> String? {
    ServiceManager.reloading()
    defer { ServiceManager.ready(status: status) }
    let new: Configuration
    do throws(ConfigurationError) {
      new = try Configuration(file: options.configuration)
    } catch {
      statistics.refusedReloads += 1
      log.error("the configuration stays as it was: \(error)")
      return error.description
    }
    tellWarnings(of: new)
    let before = Set(scene.ids)
    do throws(SceneError) {
      try scene.reload(
        sized(new.scene), replacing: configuration.pickers.map(\.id), with: new.pickers,
        timeUs: loop.nowUs)
    } catch {
      // A picker of a client has the name of one in the file, or there are too many with those of clients.
      statistics.refusedReloads += 1
      let reason = PickerParams.refusal(error).reason
      log.error("the configuration stays as it was: \(reason)")
      return reason
    }
    restoreSelections(of: scene.ids.filter { !before.contains($0) })
    keepSelections(of: scene.ids.filter { before.contains($0) })
    for (id, owner) in owners where scene.settings(of: id) == nil {
      log.info(
        "picker \(id) of client \(owner.number) went with its display",
        ["PICKER": id, "CLIENT": "\(owner.number)"])
    }
    let seatChanged = new.seat != configuration.seat
    configuration = new
    for device in devices where !device.node.isEmpty {
      haptics?.inputDeviceAdded(
        node: device.node, display: scene.display(of: device.number)?.id)
    }
    haptics?.reconfigure(configuration.haptics)
    inputs?.setKnobs(new.knobs)
    server?.allowControl(new.allowControl)
    if seatChanged { log.warning("another seat takes effect with the next start") }
    for device in devices {
      inputs?.grab(
        device: device.number, scene.display(of: device.number)?.grabs ?? false)
    }
    statistics.reloads += 1
    settle()
    log.info("configuration applied: \(status)")
    return nil
  }

  /// The settings, with the layout sizes that applications gave to displays which the file describes as before.
  private func sized(_ new: SceneSettings) -> SceneSettings {
    var settings = new
    for (index, display) in new.displays.enumerated()
    where configuration.scene.displays.contains(display) {
      guard let now = scene.settings.displays.first(where: { $0.id == display.id }) else {
        continue
      }
      settings.displays[index].width = now.width
      settings.displays[index].height = now.height
    }
    return settings
  }

  /// Logs what is probably not meant, the first of it.
  func tellWarnings(of configuration: Configuration) {
    let warnings = configuration.warningsHere
    for warning in warnings.prefix(Self.mostWarnings) {
      log.warning(ConfigurationError.line(warning, file: options.configuration))
    }
    let more = warnings.count - Self.mostWarnings
    if more > 0 {
      log.warning(
        "and \(more) more: detentd --check \(options.configuration) shows them all")
    }
  }

  private static let mostWarnings = 10

  // MARK: Sleep

  func watchSleep() {
    guard player == nil else { return }
    do throws(Errno) {
      sleepWatch = try SleepWatch(loop: loop, who: "Detent", why: "stops motors, closes devices") {
        [unowned self] event in
        switch event {
        case .sleeping: fallAsleep()
        case .awake: wakeUp()
        case .unavailable(let reason):
          log.notice("the machine's sleep will not wait for motors to stop: \(reason)")
        }
      }
    } catch {
      log.notice("the machine's sleep is not noticed: \(error)")
    }
  }

  private func fallAsleep() {
    statistics.sleeps += 1
    log.info("going to sleep: contacts are void, devices and motors are closed")
    scene.cancelAll(timeUs: loop.nowUs)
    settle()
    inputs?.suspend()
    // A motor that still ran when the machine sleeps would go on when it wakes up.
    guard let haptics else {
      sleepWatch?.allowSleep()
      return
    }
    haptics.suspend { [unowned self] in sleepWatch?.allowSleep() }
  }

  private func wakeUp() {
    inputs?.resume()
    haptics?.resume()
    log.info("awake: devices and motors are open again")
  }

  // MARK: The end

  /// Takes leave of everybody and ends the loop.
  func stop(status: Int32 = 0) {
    guard !isStopping else { return }
    isStopping = true
    ServiceManager.stopping(status: "stopping")
    log.info("stopping")
    scene.cancelAll(timeUs: loop.nowUs)
    settle()
    server?.shutDown()
    haptics?.stopAll()
    haptics?.shutDown()
    finishMemory()
    log.tellHeld(isEnding: true)
    loop.exit(status)
  }
}
