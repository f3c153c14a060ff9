// SPDX-License-Identifier: Apache-2.0

import Gestures
import Scene
import Wire

/// Runs the scene on a recording's time, and says what the daemon would have told a client that asked for
/// everything but motion.
package struct Replay {
  private let configuration: Configuration
  private let reader: RecordingReader

  /// A replay of a recording.
  package init(configuration: Configuration, recording: String) throws(RecordingError) {
    self.configuration = configuration
    reader = try RecordingReader(path: recording)
  }

  /// Runs to the end, when all that glides has come to rest.
  ///
  /// - Parameter write: Takes the lines, in order.
  package func run(_ write: ([UInt8]) -> Void) throws(RecordingError) {
    var encoder = EventEncoder()
    var present: Set<Int> = []
    var item = try reader.next()
    var lastUs = item?.timeUs ?? 0
    var scene = Scene(settings: configuration.scene, timeUs: lastUs)
    scene.open(configuration.pickers, timeUs: lastUs)
    for device in reader.devices {
      scene.deviceAdded(device)
      present.insert(device.number)
    }

    func flush() {
      for event in scene.events {
        encoder.write(event)
        write(encoder.line.bytes)
      }
      scene.events.removeAll(keepingCapacity: true)
    }

    while let current = item {
      lastUs = max(lastUs, current.timeUs)
      switch current {
      case .event(let event):
        if present.contains(event.device) { scene.handle(event) }
      case .added(let device, _):
        if present.insert(device.number).inserted { scene.deviceAdded(device) }
      case .removed(let number, let timeUs):
        present.remove(number)
        scene.deviceRemoved(number, timeUs: timeUs)
      }
      flush()
      item = try reader.next()
    }
    scene.cancelAll(timeUs: lastUs)
    while scene.isGliding, let deadlineUs = scene.deadlineUs {
      scene.advance(toUs: deadlineUs)
      flush()
    }
    flush()
  }
}
