// SPDX-License-Identifier: Apache-2.0

internal import Gestures

/// Where a cue comes from, as far as the choice of its motor goes.
package struct CueOrigin: Hashable, Sendable {
  /// The node of the input device that caused it, such as `/dev/input/event3`.
  package var inputNode: String?
  /// The display that it happened on.
  package var display: String?

  /// An origin; both parts may be unknown, as for what a client asks for.
  package init(inputNode: String? = nil, display: String? = nil) {
    self.inputNode = inputNode
    self.display = display
  }
}

/// An input device in use, which may have a motor of its own, or be near one.
package struct InputNode: Hashable, Sendable {
  /// The device node.
  package var node: String
  /// The display that its contacts land on, where it has one.
  package var display: String?
  /// Its input device's directory in sysfs; empty where it is not known.
  package var sysfsPath: String

  /// An input device in use.
  package init(node: String, display: String? = nil, sysfsPath: String = "") {
    self.node = node
    self.display = display
    self.sysfsPath = sysfsPath
  }
}

/// Chooses the motor for a cue.
///
/// In this order: the touch device itself where it has force feedback; what the configuration names
/// for the display; what it names for all; of several vibrators the one that is nearest the panel
/// in the tree of devices, as on the same USB device; the first vibrator of the seat. A motor that
/// failed is passed over.
package struct MotorChoice: Sendable {
  /// What there is, in the order of the nodes' numbers.
  package let candidates: [MotorCandidate]
  /// The input devices in use, in the order in which they came.
  package let inputs: [InputNode]
  /// What the configuration wants.
  package let settings: HapticsSettings
  /// Nodes that turned out not to work.
  package let unusable: Set<String>

  /// A choice among these candidates.
  package init(
    candidates: some Sequence<MotorCandidate>, inputs: [InputNode], settings: HapticsSettings,
    unusable: Set<String> = []
  ) {
    self.candidates = candidates.filter { $0.effects.canPlay }
      .sorted { ($0.number, $0.node) < ($1.number, $1.node) }
    self.inputs = inputs
    self.settings = settings
    self.unusable = unusable
  }

  /// The node of the motor that plays what comes from there; nil where there is none.
  package func node(for origin: CueOrigin) -> String? {
    guard settings.isAudible else { return nil }
    let usable = candidates.filter { !unusable.contains($0.node) }
    let sources = inputs(of: origin)
    if let own = sources.lazy.compactMap({ source in usable.first { $0.node == source.node } })
      .first
    {
      return own.node
    }
    // What comes from nowhere in particular belongs to no display either.
    let display = origin.display ?? (origin.inputNode == nil ? nil : sources.first?.display)
    let named = [display.flatMap { settings.displayDevices[$0] }, settings.device]
    for match in named.compactMap(\.self) {
      if let found = usable.first(where: { match.matches(name: $0.name, path: $0.path) }) {
        return found.node
      }
    }
    let vibrators = usable.filter { $0.isVibrator && $0.seat == settings.seat }
    return near(sources.first, among: vibrators)?.node ?? vibrators.first?.node
  }

  /// The nodes of all motors that some cue could want now.
  package var wanted: Set<String> {
    var origins = [CueOrigin()]
    origins += inputs.map { CueOrigin(inputNode: $0.node, display: $0.display) }
    for display in settings.displayDevices.keys {
      origins.append(CueOrigin(display: display))
      // What lies over no display, such as a knob, may act on a picker of any.
      origins += inputs.filter { $0.display == nil }.map {
        CueOrigin(inputNode: $0.node, display: display)
      }
    }
    return Set(origins.compactMap { node(for: $0) })
  }

  /// The input devices that an origin means: the one it names, else those of its display, else all.
  private func inputs(of origin: CueOrigin) -> [InputNode] {
    if let node = origin.inputNode {
      return inputs.filter { $0.node == node }
    }
    guard let display = origin.display else { return inputs }
    return inputs.filter { $0.display == display }
  }

  /// The vibrator that shares more of the way through sysfs with a panel than some other does.
  private func near(_ input: InputNode?, among vibrators: [MotorCandidate]) -> MotorCandidate? {
    guard let input, !input.sysfsPath.isEmpty, vibrators.count > 1 else { return nil }
    let depths = vibrators.map { $0.sharedDepth(with: input.sysfsPath) }
    guard let deepest = depths.max(), depths.contains(where: { $0 != deepest }) else { return nil }
    return zip(vibrators, depths).first { $1 == deepest }?.0
  }
}
