// SPDX-License-Identifier: Apache-2.0

package import Gestures
import Pickers
import Wire

/// All pickers with what touches them: it decides which picker gets which contact, and keeps their time.
///
/// A value that reads no clock. Whoever owns it hands over events with their times, calls `advance` when
/// `deadlineUs` comes, and takes what happened out of `events`. So it runs in the daemon on real time and in a
/// replay on recorded time, and says the same.
package struct Scene: Sendable {
  /// What happened, in order.
  ///
  /// The owner empties it.
  package var events: [SceneEvent] = []
  /// The settings.
  package internal(set) var settings: SceneSettings
  /// The picker that touchpads and knobs act on.
  package internal(set) var focus: String?
  /// Whether anybody is taken to be there.
  package internal(set) var isActive = true

  /// One picker of the scene.
  struct Entry: Sendable {
    var settings: PickerSettings
    var model: any PickerModel
    // Those of the model, which never change.
    let values: ValueList
    var display: Int
    var isEnabled: Bool
    // When the next frame of its glide is to be shown, where somebody wants motion.
    var nextFrameUs: Int64 = .max
    // When a finger that holds it last said something.
    var heardUs: Int64 = .min

    init(settings: PickerSettings, model: any PickerModel, display: Int) {
      self.settings = settings
      self.model = model
      values = model.base.values
      self.display = display
      isEnabled = settings.isEnabled
    }

    /// Lets the model do something; whether it glides then, and how to call what it said.
    mutating func change(
      in context: inout PickerContext, heardUs: Int64?,
      _ body: (inout any PickerModel, inout PickerContext) -> Void
    ) -> (isGliding: Bool, id: String, values: ValueList) {
      if let heardUs { self.heardUs = heardUs }
      body(&model, &context)
      return (model.phase == .glide, settings.id, values)
    }
  }

  var context = PickerContext()
  // Slots keep their number while pickers come and go, so that a contact can name its picker by it.
  var entries: [Entry?] = []
  var vacantSlots: [Int] = []
  // The slots from the bottom to the top.
  var order: [Int] = []
  var slots: [String: Int] = [:]
  var indices: [RegionIndex] = []
  var areIndicesStale = true
  var gliding: [Int] = []

  var devices: [Int: DeviceState] = [:]
  var clocks: [DeviceClock] = []
  var contacts = ContactList()
  var leases: [Int: Lease] = [:]
  var nextFinger = 0
  var guardUntilUs: Int64 = .min
  var lastActivityUs: Int64
  var isIdleResetDue: Bool
  // The time of the latest thing said: nothing is said with an earlier one after it.
  var saidUs: Int64 = .min

  /// A scene without pickers.
  ///
  /// - Parameters:
  ///   - settings: What the configuration says.
  ///   - timeUs: The time at which it begins.
  package init(settings: SceneSettings, timeUs: Int64) {
    self.settings = settings
    lastActivityUs = timeUs
    isIdleResetDue = settings.idleResetUs > 0
    applySettings()
  }

  mutating func applySettings() {
    if settings.idleResetUs == 0 { isIdleResetDue = false }
    context.velocityMethod = settings.velocityMethod
    context.stopAfterUs = settings.stopAfterUs
    context.reducesMotion = settings.reducesMotion
    areIndicesStale = true
  }

  /// Whether anybody wants to hear of every movement.
  package var wantsMotion: Bool {
    get { context.wantsMotion }
    set {
      guard newValue != context.wantsMotion else { return }
      context.wantsMotion = newValue
      let nextFrameUs = newValue ? saidUs : .max
      for slot in gliding { entries[slot]?.nextFrameUs = nextFrameUs }
    }
  }

  /// Whether a finger or a touchpad holds any picker, whether it has moved it or not.
  package var isHeld: Bool { entries.contains { $0?.model.isHeld ?? false } }

  /// Whether touches are swallowed.
  package var isInhibited: Bool { !leases.isEmpty }

  // MARK: Input

  /// Takes what a device said.
  package mutating func handle(_ event: InputEvent) {
    guard let clock = clocks.indices.first(where: { clocks[$0].device == event.device })
    else { return }
    context.sampleUs = max(event.timeUs, clocks[clock].lastUs)
    clocks[clock].lastUs = context.sampleUs
    let timeUs = max(context.sampleUs, saidUs)
    advance(toUs: timeUs)

    let key = event.device
    switch event.kind {
    case .down(let slot, let x, let y):
      contactDown(ContactKey(device: key, slot: slot), u: x, v: y, timeUs: timeUs)
    case .move(let slot, let x, let y):
      contactMoved(ContactKey(device: key, slot: slot), u: x, v: y, timeUs: timeUs)
    case .up(let slot):
      contactUp(ContactKey(device: key, slot: slot), timeUs: timeUs)
    case .cancel(let slot):
      contactCancelled(ContactKey(device: key, slot: slot), timeUs: timeUs)
    case .turn(let steps):
      if let device = devices[key] { knobTurned(device, steps: steps, timeUs: timeUs) }
    case .press:
      if let device = devices[key] { knobPressed(device, timeUs: timeUs) }
    default:
      touchpad(event.kind, device: key, timeUs: timeUs)
    }
  }

  /// Gives every device's contacts up: nothing they did stands.
  ///
  /// For suspend, shutdown and the end of a recording.
  package mutating func cancelAll(timeUs: Int64) {
    let timeUs = max(timeUs, saidUs)
    advance(toUs: timeUs)
    for key in contacts.keys { contactCancelled(key, timeUs: timeUs) }
    for key in devices.keys.sorted() { cancelTouchpad(key, timeUs: timeUs) }
  }

  private static let mostKept = 4096

  /// Hands over what happened since the last call.
  ///
  /// - Parameter taken: Gets it; its memory goes back to the scene.
  /// - Returns: As `deadlineUs`.
  package mutating func takeEvents(_ taken: inout [SceneEvent]) -> Int64? {
    // What one wild throw needed is not held for ever.
    taken.removeAll(keepingCapacity: taken.capacity <= Self.mostKept)
    swap(&events, &taken)
    return deadlineUs
  }

  // MARK: Models

  /// Lets a picker do something, and takes over what it says.
  ///
  /// - Parameter heardUs: The time, where a finger that holds it said something.
  mutating func with(
    _ slot: Int, heardUs: Int64? = nil,
    _ body: (inout any PickerModel, inout PickerContext) -> Void
  ) {
    // In its place, so that it is never copied.
    guard entries.indices.contains(slot),
      let change = entries[slot]?.change(in: &context, heardUs: heardUs, body)
    else { return }
    if !context.events.isEmpty { take(from: change.id, change.values) }
    if change.isGliding || !gliding.isEmpty { follow(slot, isGliding: change.isGliding) }
  }

  private mutating func take(from id: String, _ values: ValueList) {
    for event in context.events {
      saidUs = max(saidUs, event.timeUs)
      if case .selection(let index, let previous, let cause, let revision) = event.kind {
        events.append(
          .selection(
            SelectionChange(
              picker: id, values: values, index: index,
              previous: previous.map { values[$0] }, cause: cause, revision: revision,
              timeUs: event.timeUs)))
      } else {
        events.append(.picker(id, values, event))
      }
    }
    if context.events.count == 1 {
      // The rule, and cheaper.
      context.events.removeLast()
    } else {
      context.events.removeAll(keepingCapacity: true)
    }
  }

  /// Keeps the list of gliding pickers, which alone have deadlines.
  private mutating func follow(_ slot: Int, isGliding: Bool) {
    if isGliding, !gliding.contains(slot) { gliding.append(slot) }
    if !isGliding { gliding.removeAll { $0 == slot } }
    guard isGliding, context.wantsMotion, let glide = entries[slot]?.model.glide else { return }
    if glide.startUs >= saidUs || entries[slot]?.nextFrameUs == .max {
      let nextFrameUs = glide.startUs + frameUs
      entries[slot]?.nextFrameUs = nextFrameUs
    }
  }

  var frameUs: Int64 { Int64((1e6 / settings.glideHz).rounded()) }
}
