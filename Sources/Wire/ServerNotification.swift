// SPDX-License-Identifier: Apache-2.0

/// What the daemon says without being asked.
public enum ServerNotification: Hashable, Sendable {
  /// The daemon greets.
  case hello(Hello)
  /// A selection changed.
  case selection(SelectionChanged)
  /// A finger or a glide carried a picker to another value.
  case tick(PickerTick)
  /// A picker moved.
  case motion(PickerMotion)
  /// A finger let go, and the picker glides.
  case settle(PickerSettle)
  /// A picker came to rest.
  case rest(PickerRest)
  /// A finger pressed a swatch, or left it.
  case press(SwatchPress)
  /// A swipe turned a wheel.
  case direction(WheelTurn)
  /// Touchpads and knobs act on another picker.
  case focus(FocusChanged)
  /// Somebody is there, or nobody any more.
  case activity(ActivityChanged)
  /// Touches are swallowed, or no longer.
  case inhibit(InhibitChanged)
  /// A picker came, changed or went.
  case picker(PickerChanged)
  /// A device came, changed or went.
  case device(DeviceChanged)
  /// A display's size changed.
  case display(DisplayChanged)
  /// A haptic cue was due.
  case haptic(HapticPlayed)
  /// How things stand, instead of what was missed.
  case resync(Resync)
  /// The daemon ends the connection.
  case bye(Bye)
  /// Something that this version does not know, or not in this form.
  case unknown(method: String, params: JSONValue)

  /// The notification that a line is; nil for a reply or a batch of replies.
  ///
  /// It never fails: a newer daemon may say things that are not known here.
  public init?(_ line: JSONValue) {
    guard case .string(let method)? = line["method"] else { return nil }
    let params = line["params"] ?? .object([:])
    do throws(JSONMismatch) {
      self = try Self.known(method, params) ?? .unknown(method: method, params: params)
    } catch {
      self = .unknown(method: method, params: params)
    }
  }

  private static func known(
    _ method: String, _ params: JSONValue
  ) throws(JSONMismatch) -> ServerNotification? {
    guard let event = EventName(rawValue: method) else {
      switch method {
      case "hello": return .hello(try Hello(params))
      case "resync": return .resync(try Resync(params))
      case "bye": return .bye(try Bye(params))
      default: return nil
      }
    }
    switch event {
    case .selection: return .selection(try SelectionChanged(params))
    case .tick: return .tick(try PickerTick(params))
    case .motion: return .motion(try PickerMotion(params))
    case .settle: return .settle(try PickerSettle(params))
    case .rest: return .rest(try PickerRest(params))
    case .press: return .press(try SwatchPress(params))
    case .direction: return .direction(try WheelTurn(params))
    case .focus: return .focus(try FocusChanged(params))
    case .activity: return .activity(try ActivityChanged(params))
    case .inhibit: return .inhibit(try InhibitChanged(params))
    case .picker: return .picker(try PickerChanged(params))
    case .device: return .device(try DeviceChanged(params))
    case .display: return .display(try DisplayChanged(params))
    case .haptic: return .haptic(try HapticPlayed(params))
    }
  }
}
