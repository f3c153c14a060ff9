// SPDX-License-Identifier: Apache-2.0

package import Wire

/// The motion that ruler, carousel and rotating wheel share: held, dragged, caught, released, gliding, at rest.
package struct Strip: Sendable {
  /// In what the strips differ.
  package struct Rules: Hashable, Sendable {
    /// Whether the selection follows the live index under a finger, or waits for the release.
    package var selectsWhileDragging: Bool
    /// Whether there is a selection at all.
    package var tracksSelection: Bool
    /// How far a release looks ahead, in seconds of its velocity.
    package var projectionSeconds: Double
    /// The most values that one drag may move the target by, or nil for no limit.
    package var limit: Int?
  }

  /// What a finger does to the strip that it holds.
  package struct Pull: Hashable, Sendable {
    /// How far it has carried it since it took hold, in points or degrees.
    package var translation: Double
    /// How fast it moves, per second.
    package var velocity: Double

    /// A pull.
    package init(translation: Double, velocity: Double) {
      self.translation = translation
      self.velocity = velocity
    }
  }

  private struct Hold: Sendable {
    let offsetAtDown: Double
    var offset: Double
    let isCatch: Bool
    var isDrag = false
    let selectionAtDown: Int?
  }

  private struct Course: Sendable {
    let glide: Glide
    let restUs: Int64
    // The index that the next tick leaves, and when it does; nil where no tick is to come.
    var tickFrom: Int
    var tickUs: Int64?
  }

  /// The most values of one glide that are told as they pass, the last of them.
  ///
  /// No hand throws a strip further; a device that lies would have it tell two thousand million within a second, and
  /// nobody else would be heard meanwhile.
  package static let mostTicks = 10_000

  /// Where the values lie.
  package let geometry: StripGeometry
  /// In what this strip differs from others.
  package let rules: Rules
  /// Values, selection, region.
  package var base: PickerBase
  /// The index that the strip rests on or glides to, unwrapped.
  package private(set) var target: Int
  private var live: Int
  private var hold: Hold?
  private var course: Course?

  /// A strip at rest on the selection of `base`, or on its first value.
  package init(base: PickerBase, geometry: StripGeometry, rules: Rules) {
    self.base = base
    self.geometry = geometry
    self.rules = rules
    target = base.selection ?? 0
    live = target
  }

  // MARK: What it is

  /// What it is doing.
  ///
  /// A finger that has neither moved it nor caught it is not told, when it comes or when it goes.
  package var phase: PickerPhase { isMoved ? .drag : course != nil ? .glide : .idle }
  private var isMoved: Bool { hold.map { $0.isDrag || $0.isCatch } ?? false }
  /// The glide that it is in.
  package var glide: Glide? { course?.glide }
  /// When its next tick or its rest is due.
  package var deadlineUs: Int64? { course.map { $0.tickUs ?? $0.restUs } }
  /// Whether a finger caught it out of a glide.
  package var isCaught: Bool { hold?.isCatch ?? false }

  /// The offset that it is shown at.
  package func offset(atUs timeUs: Int64) -> Double {
    if let hold { return geometry.shown(hold.offset) }
    return course?.glide.position(atUs: timeUs) ?? geometry.offset(of: target)
  }

  /// The index nearest the centre, 0..<count.
  package func liveIndex(atUs timeUs: Int64) -> Int {
    geometry.wrapped(geometry.index(atOffset: offset(atUs: timeUs)))
  }

  /// The offset that it had when the finger that holds it came down.
  package var offsetAtDown: Double { hold?.offsetAtDown ?? geometry.offset(of: target) }

  // MARK: Fingers

  /// A finger holds it from now on; a glide ends where it is.
  package mutating func grasp(timeUs: Int64, in context: inout PickerContext) {
    let isCatch = course != nil
    let offset = geometry.unbanded(offset(atUs: timeUs))
    hold = Hold(
      offsetAtDown: offset, offset: offset, isCatch: isCatch, selectionAtDown: base.selection)
    course = nil
    live = geometry.index(atOffset: offset)
    guard isCatch else { return }
    if rules.selectsWhileDragging, rules.tracksSelection {
      base.setSelection(geometry.wrapped(live), cause: .catch, timeUs: timeUs, in: &context)
    }
    // Who draws the glide hears nothing else of its end while the finger lies still.
    guard context.wantsMotion else { return }
    context.emit(
      .motion(
        Motion(
          phase: .drag, offset: geometry.shown(offset), translation: 0, velocity: 0,
          predictedEndTranslation: 0, index: geometry.wrapped(live))), atUs: timeUs)
  }

  /// The finger that holds it moved.
  package mutating func drag(
    _ pull: Pull, cause: Cause, timeUs: Int64, in context: inout PickerContext
  ) {
    guard var held = hold else { return }
    held.isDrag = true
    held.offset = held.offsetAtDown + pull.translation
    hold = held
    let index = geometry.index(atOffset: held.offset)
    if index != live {
      let passed = abs(index - live)
      live = index
      if rules.selectsWhileDragging, rules.tracksSelection {
        base.setSelection(geometry.wrapped(index), cause: cause, timeUs: timeUs, in: &context)
      }
      tick(passed: passed, timeUs: timeUs, in: &context)
    }
    guard context.wantsMotion else { return }
    context.emit(
      .motion(
        Motion(
          phase: .drag, offset: geometry.shown(held.offset), translation: pull.translation,
          velocity: pull.velocity,
          predictedEndTranslation: pull.translation + pull.velocity * rules.projectionSeconds,
          index: geometry.wrapped(index))), atUs: timeUs)
  }

  /// The finger lifted: it glides to where the velocity would carry it, or, without a drag, to the nearest value.
  package mutating func release(
    translation: Double, velocity: Double, timeUs: Int64, in context: inout PickerContext
  ) {
    guard let held = hold else { return }
    guard held.isDrag else {
      guard held.isCatch else {
        hold = nil
        return
      }
      settle(
        on: geometry.index(atOffset: held.offset), velocity: 0, cause: .release, ticks: true,
        timeUs: timeUs, in: &context)
      return
    }
    let predicted = translation + velocity * rules.projectionSeconds
    var goal = geometry.index(atOffset: held.offsetAtDown + predicted)
    if let limit = rules.limit { goal = min(max(goal, target - limit), target + limit) }
    settle(
      on: geometry.clamped(goal), velocity: velocity, cause: .release, ticks: true,
      timeUs: timeUs, in: &context)
  }

  /// The contact was a tap on `goal`: it glides there without ticks, unless it is selected and in place already.
  package mutating func tap(on goal: Int, timeUs: Int64, in context: inout PickerContext) {
    guard let held = hold else { return }
    let isChosen = !rules.tracksSelection || base.selection == geometry.wrapped(goal)
    if isChosen, !held.isCatch,
      geometry.shown(held.offset) == geometry.offset(of: goal)
    {
      hold = nil
      target = goal
      return
    }
    settle(on: goal, velocity: 0, cause: .tap, ticks: false, timeUs: timeUs, in: &context)
  }

  /// What held it is void: selection and target are what they were before.
  package mutating func cancel(timeUs: Int64, in context: inout PickerContext) {
    guard let held = hold else { return }
    guard held.isDrag || held.isCatch else {
      hold = nil
      return
    }
    base.setSelection(held.selectionAtDown, cause: .cancel, timeUs: timeUs, in: &context)
    settle(on: target, velocity: 0, cause: nil, ticks: false, timeUs: timeUs, in: &context)
  }

  // MARK: Requests

  /// Selects an index, or nothing, and glides there from where it is, as fast as it is.
  ///
  /// - Parameters:
  ///   - index: 0..<count, or nil for no selection; then it stays where it is or would come to rest.
  ///   - goal: The unwrapped index to glide to; nil for the nearest that stands for `index`, if that is not nil.
  ///   - velocity: How fast the finger that holds it moves, per second.
  package mutating func select(
    _ index: Int?, goal: Int? = nil, cause: Cause, velocity: Double, timeUs: Int64,
    in context: inout PickerContext
  ) {
    let held = hold
    let speed = course?.glide.velocity(atUs: timeUs) ?? (held?.isDrag == true ? velocity : 0)
    if rules.tracksSelection {
      base.setSelection(index, cause: cause, timeUs: timeUs, in: &context)
    }
    var destination = target
    if let goal {
      destination = goal
    } else if let index {
      destination = geometry.unwrapped(index, near: target)
    } else if let held, held.isDrag || held.isCatch {
      destination = geometry.index(atOffset: held.offset)
    }
    let isInPlace = offset(atUs: timeUs) == geometry.offset(of: destination) && speed == 0
    let isOnItsWay = held == nil && course != nil && destination == target
    if isInPlace {
      let wasMoving = phase != .idle
      hold = nil
      target = destination
      // Whoever draws it believes it is still on its way, or held.
      if wasMoving { rest(timeUs: timeUs, in: &context) }
    } else if !isOnItsWay {
      settle(
        on: destination, velocity: speed, cause: nil, ticks: false, timeUs: timeUs, in: &context)
    }
  }

  /// Takes over from an earlier strip, without a word, and stands on `index` where nothing is selected.
  package mutating func resume(selection: Int?, revision: Int, index: Int) {
    base.resume(selection: rules.tracksSelection ? selection : nil, revision: revision)
    hold = nil
    course = nil
    target = base.clamped(base.selection ?? index)
    live = target
  }

  // MARK: Time

  /// Says the ticks and the rest that are due.
  package mutating func advance(toUs timeUs: Int64, in context: inout PickerContext) {
    while let current = course {
      if let tickUs = current.tickUs {
        guard tickUs <= timeUs else { return }
        live = current.tickFrom + (target > current.tickFrom ? 1 : -1)
        let nextUs = nextTickUs(from: live, on: current.glide, restUs: current.restUs)
        course?.tickFrom = live
        course?.tickUs = nextUs
        tick(passed: 1, timeUs: tickUs, in: &context)
      } else {
        guard current.restUs <= timeUs else { return }
        rest(timeUs: current.restUs, in: &context)
      }
    }
  }

  /// Says where it is in its glide.
  package func showGlide(timeUs: Int64, in context: inout PickerContext) {
    guard let glide else { return }
    context.emit(
      .motion(
        Motion(
          phase: .glide, offset: glide.position(atUs: timeUs), translation: 0,
          velocity: glide.velocity(atUs: timeUs), predictedEndTranslation: 0,
          index: liveIndex(atUs: timeUs))), atUs: timeUs)
  }

  private mutating func settle(
    on goal: Int, velocity: Double, cause: Cause?, ticks: Bool, timeUs: Int64,
    in context: inout PickerContext
  ) {
    let glide = Glide(
      from: offset(atUs: timeUs), to: geometry.offset(of: goal), velocity: velocity,
      startUs: timeUs)
    hold = nil
    target = goal
    if let cause, rules.tracksSelection {
      base.setSelection(geometry.wrapped(goal), cause: cause, timeUs: timeUs, in: &context)
    }
    let duration = context.reducesMotion ? 0 : glide.restSeconds
    context.emit(
      .settle(index: geometry.wrapped(goal), glide: glide, durationMS: duration * 1000),
      atUs: timeUs)
    if context.reducesMotion {
      let passed = abs(goal - live)
      live = goal
      if ticks, passed > 0 { tick(passed: passed, timeUs: timeUs, in: &context) }
      rest(timeUs: timeUs, in: &context)
      return
    }
    let restUs = glide.restUs
    let first = min(max(live, target - Self.mostTicks), target + Self.mostTicks)
    course = Course(
      glide: glide, restUs: restUs, tickFrom: first,
      tickUs: ticks ? nextTickUs(from: first, on: glide, restUs: restUs) : nil)
  }

  /// When the tick that leaves `index` for its neighbour towards the target is due; nil on the target.
  private func nextTickUs(from index: Int, on glide: Glide, restUs: Int64) -> Int64? {
    guard index != target else { return nil }
    let boundary = geometry.boundary(from: index, towards: target)
    // Values that lie closer than the rest distance are all passed when the strip rests.
    return min(glide.timeUs(crossing: boundary), restUs)
  }

  private mutating func rest(timeUs: Int64, in context: inout PickerContext) {
    course = nil
    live = target
    context.emit(.rest(index: geometry.wrapped(target)), atUs: timeUs)
  }

  private mutating func tick(passed: Int, timeUs: Int64, in context: inout PickerContext) {
    let index = geometry.wrapped(live)
    context.emit(.tick(index: index), atUs: timeUs)
    guard let cue = base.cue else { return }
    let isEnd = geometry.ends != .wrap && (index == 0 || index == base.last)
    context.emit(.cue(isEnd ? .limit : cue, passed: isEnd ? nil : passed), atUs: timeUs)
  }
}
