// SPDX-License-Identifier: Apache-2.0

public import Wire

extension Call where Result == PickerState {
  /// How a picker stands.
  ///
  /// - Parameter picker: The picker's name.
  public static func get(_ picker: String) -> Call {
    Call(.get, ["picker": .string(picker)], read: PickerState.init)
  }

  /// Selects a value.
  ///
  /// - Parameters:
  ///   - picker: The picker's name.
  ///   - value: One of its values; nil for no selection.
  public static func select(_ picker: String, value: Value?) -> Call {
    Call(
      .select, ["picker": .string(picker), "value": value?.json ?? .null], read: PickerState.init)
  }

  /// Selects the value at a place.
  ///
  /// - Parameters:
  ///   - picker: The picker's name.
  ///   - index: The place, from 0.
  public static func select(_ picker: String, index: Int) -> Call {
    Call(
      .select, ["picker": .string(picker), "index": .integer(Int64(index))],
      read: PickerState.init)
  }

  /// Moves a selection.
  ///
  /// - Parameters:
  ///   - picker: The picker's name.
  ///   - steps: By how many values; negative ones go back.
  public static func move(_ picker: String, by steps: Int) -> Call {
    Call(
      .move, ["picker": .string(picker), "by": .integer(Int64(steps))], read: PickerState.init)
  }

  /// Adds a picker.
  ///
  /// - Parameters:
  ///   - description: The picker, in the words of the configuration file.
  ///   - isKept: Whether it stays when the connection ends.
  public static func add(_ description: [String: JSONValue], keep isKept: Bool = false) -> Call {
    Call(.add, Self.params(description, isKept), read: PickerState.init)
  }

  /// Changes a picker to what is described.
  ///
  /// - Parameters:
  ///   - description: The picker, in the words of the configuration file.
  ///   - isKept: Whether it stays when the connection ends.
  public static func update(_ description: [String: JSONValue], keep isKept: Bool = false) -> Call {
    Call(.update, Self.params(description, isKept), read: PickerState.init)
  }

  private static func params(
    _ description: [String: JSONValue], _ isKept: Bool
  ) -> [String: JSONValue] {
    isKept ? description.merging(["keep": true]) { _, keep in keep } : description
  }
}

extension Call where Result == [PickerState] {
  /// How all pickers stand.
  public static var list: Call { Call(.list, read: PickerState.list) }

  /// Swaps all pickers that this connection added for others, in one step.
  ///
  /// Those that keep their id keep their selection where their values still have it.
  ///
  /// - Parameter descriptions: The pickers, in the words of the configuration file.
  public static func replace(_ descriptions: [[String: JSONValue]]) -> Call {
    Call(
      .replace, ["pickers": .array(descriptions.map { .object($0) })], read: PickerState.list)
  }
}

extension Call where Result == [PickerValue] {
  /// The values of a picker with their titles.
  ///
  /// - Parameters:
  ///   - picker: The picker's name.
  ///   - first: The first place that is wanted.
  ///   - count: How many at most, up to 1000.
  public static func values(_ picker: String, from first: Int = 0, count: Int = 1000) -> Call {
    Call(
      .values,
      [
        "picker": .string(picker), "from": .integer(Int64(first)), "count": .integer(Int64(count)),
      ],
      read: PickerValue.list)
  }
}

extension Call where Result == Snapshot {
  /// Asks for how things stand and for every later change.
  ///
  /// `Client.updates(_:)` does it by itself; call this on a `Connection`.
  ///
  /// - Parameter subscription: What is wanted.
  public static func subscribe(_ subscription: Subscription = Subscription()) -> Call {
    Call(.subscribe, subscription.params, read: Snapshot.init)
  }
}

extension Call where Result == [DeviceState] {
  /// Input devices, knobs and motors.
  public static var devices: Call { Call(.devices, read: DeviceState.list) }
}

extension Call where Result == Bool {
  /// Plays a haptic cue; the result is whether a motor played it.
  ///
  /// - Parameter cue: The cue.
  public static func play(_ cue: Cue) -> Call {
    Call(.play, ["cue": .string(cue.rawValue)]) { $0["played"] == true }
  }
}

extension Call where Result == JSONValue {
  /// What the daemon has counted.
  public static var stats: Call { Call(.stats) { $0 } }

  /// The JSON Schema of the protocol.
  public static var describe: Call { Call(.describe) { $0 } }
}

extension Call where Result == Void {
  /// Ends a subscription.
  public static var unsubscribe: Call { Call(.unsubscribe) { _ in } }

  /// Takes a picker away.
  ///
  /// - Parameter picker: The picker's name.
  public static func remove(_ picker: String) -> Call {
    Call(.remove, ["picker": .string(picker)]) { _ in }
  }

  /// Tells that the application's layout has another size.
  ///
  /// - Parameters:
  ///   - display: The display's name.
  ///   - width: The width in points.
  ///   - height: The height in points.
  public static func display(_ display: String, width: Double, height: Double) -> Call {
    Call(
      .display,
      ["display": .string(display), "width": .number(width), "height": .number(height)]
    ) { _ in }
  }

  /// Has touchpads and knobs act on a picker.
  ///
  /// - Parameter picker: The picker's name; nil for none.
  public static func focus(_ picker: String?) -> Call {
    Call(.focus, ["picker": picker.map { .string($0) } ?? .null]) { _ in }
  }

  /// Has touches swallowed, until told otherwise or until the connection ends.
  ///
  /// - Parameters:
  ///   - isOn: Whether they are swallowed.
  ///   - guardMS: How long after the end touches still do nothing, in milliseconds; nil for 0.
  ///   - forMS: After how many milliseconds it ends by itself; nil for never.
  public static func inhibit(
    _ isOn: Bool, guardMS: Double? = nil, forMS: Double? = nil
  ) -> Call {
    var params: [String: JSONValue] = ["on": .bool(isOn)]
    if let guardMS { params["guard_ms"] = .number(guardMS) }
    if let forMS { params["for_ms"] = .number(forMS) }
    return Call(.inhibit, params) { _ in }
  }

  /// Has the configuration file read again, whole or not at all.
  public static var reload: Call { Call(.reload) { _ in } }
}
