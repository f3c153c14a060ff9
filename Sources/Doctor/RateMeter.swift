// SPDX-License-Identifier: Apache-2.0

import Gestures
import InputDevices
import LinuxIO

/// Counts what devices say while somebody touches them.
struct RateMeter {
  // Reports further apart belong to two contacts.
  private static let longestGapUs: Int64 = 200_000

  let seat: String
  let knobs: [KnobOptions]

  /// The events that came within `seconds`; empty where none did.
  ///
  /// - Parameter ready: called once the devices are open, when somebody may begin to touch.
  func rates(seconds: Double, ready: () -> Void) -> [DoctorFacts.Rate] {
    var names: [Int: String] = [:]
    var counts: [Int: Int] = [:]
    var times: [Int: [Int64]] = [:]
    guard let loop = try? EventLoop() else { return [] }
    var settings = InputDevices.Settings()
    settings.knobs = knobs
    let inputs = try? InputDevices(source: .seat(seat), loop: loop, settings: settings) { change in
      switch change {
      case .added(let device): names[device.number] = device.name
      case .event(let event):
        switch event.kind {
        case .down, .swipeBegin, .pinchBegin, .holdBegin, .tap, .turn, .press, .scrollEnd:
          counts[event.device, default: 0] += 1
        default: break
        }
        if times[event.device]?.last != event.timeUs {
          times[event.device, default: []].append(event.timeUs)
        }
      default: break
      }
    }
    guard let inputs, (try? inputs.start()) != nil else { return [] }
    while !inputs.isEnumerated {
      guard (try? loop.runOnce(timeoutUs: 50_000)) != nil else { return [] }
    }
    ready()
    let endUs = EventLoop.clockUs() + Int64(seconds * 1e6)
    while EventLoop.clockUs() < endUs {
      guard (try? loop.runOnce(timeoutUs: 50_000)) != nil else { break }
    }
    return counts.keys.sorted().map { number in
      DoctorFacts.Rate(
        name: names[number] ?? "?", count: counts[number] ?? 0,
        hertz: Self.hertz(times[number] ?? []))
    }
  }

  /// The median rate of reports.
  static func hertz(_ timesUs: [Int64]) -> Double? {
    let gaps = zip(timesUs, timesUs.dropFirst()).map { $1 - $0 }
      .filter { $0 > 0 && $0 <= longestGapUs }.sorted()
    guard gaps.count >= 5 else { return nil }
    return 1e6 / Double(gaps[gaps.count / 2])
  }
}
