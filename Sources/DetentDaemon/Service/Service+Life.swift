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
        [unowned self] in _ = reload()
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
    for warning in new.warnings {
      log.warning(ConfigurationError.line(warning, file: options.configuration))
    }
    do throws(SceneError) {
      try scene.reload(
        new.scene, replacing: configuration.pickers.map(\.id), with: new.pickers,
        timeUs: loop.nowUs)
    } catch {
      // A picker of a client that has the name of one in the file, or lies on a display that is gone.
      statistics.refusedReloads += 1
      settle()
      log.error("the configuration could not be applied: \(error)")
      return "\(error)"
    }
    let seatChanged = new.seat != configuration.seat
    configuration = new
    haptics?.reconfigure(hapticsSettings)
    inputs?.setKnobs(new.knobOptions)
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

  // MARK: Sleep

  func watchSleep() {
    guard player == nil else { return }
    do throws(Errno) {
      sleepWatch = try SleepWatch(loop: loop, who: "Detent", why: "stops motors") {
        [unowned self] event in
        switch event {
        case .sleeping: fallAsleep()
        case .awake: wakeUp()
        case .unavailable(let reason):
          log.info("sleep of the machine is not noticed: \(reason)")
        }
      }
    } catch {
      log.info("sleep of the machine is not noticed: \(error)")
    }
  }

  private func fallAsleep() {
    statistics.sleeps += 1
    log.info("going to sleep: contacts are void, devices and motors are closed")
    scene.cancelAll(timeUs: loop.nowUs)
    settle()
    inputs?.suspend()
    haptics?.suspend()
  }

  private func wakeUp() {
    inputs?.resume()
    haptics?.resume()
    log.info("awake: devices and motors are open again")
  }

  // MARK: The end

  func stop() {
    guard !isStopping else { return }
    isStopping = true
    ServiceManager.stopping(status: "stopping")
    log.info("stopping")
    scene.cancelAll(timeUs: loop.nowUs)
    settle()
    server?.shutDown()
    haptics?.stopAll()
    haptics?.shutDown()
    loop.exit(0)
  }
}
