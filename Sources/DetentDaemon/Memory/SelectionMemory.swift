// SPDX-License-Identifier: Apache-2.0

import Scene
import Wire

/// The selections of pickers with `remember`, as they outlive the service, and when they are to be written.
///
/// A value: it reads no clock and no file. Its owner writes `bytes` once `deadlineUs` has come and says how it went.
struct SelectionMemory {
  /// Why bytes are no memory.
  struct Damage: Error, Hashable {
    /// In words.
    var reason: String
  }

  /// How much time lies between two writes at least, in microseconds.
  static let intervalUs: Int64 = 1_000_000
  /// How long after a failure it is tried again though nothing changed, in microseconds.
  static let retryUs: Int64 = 30_000_000
  /// The most selections that are kept: those of pickers that are not there now go first.
  static let mostSelections = 2 * Scene.mostPickers
  /// The largest file that is read, in bytes.
  static let largestBytes = 16 << 20

  /// What is selected, by picker; `.some(nil)` is nothing, on purpose.
  private(set) var selections: [String: Value?]
  private var isDirty = false
  private var isWriting = false
  // Before this nothing is written.
  private var quietUntilUs: Int64 = .min

  /// A memory of nothing.
  init() {
    selections = [:]
  }

  // MARK: Selections

  /// A picker's selection is this now.
  ///
  /// - Parameter present: the pickers that there are, asked for where the memory is full.
  mutating func note(_ picker: String, _ value: Value?, present: () -> Set<String>) {
    if let known = selections[picker], known == value { return }
    selections[picker] = .some(value)
    isDirty = true
    guard selections.count > Self.mostSelections else { return }
    let present = present()
    selections = selections.filter { present.contains($0.key) }
  }

  // MARK: Writing

  /// When to write next; nil where there is nothing new, or a write is under way.
  var deadlineUs: Int64? { isDirty && !isWriting ? quietUntilUs : nil }

  /// A write begins now.
  mutating func began(nowUs: Int64) -> [UInt8] {
    isDirty = false
    isWriting = true
    quietUntilUs = nowUs + Self.intervalUs
    return bytes
  }

  /// The write that was under way has ended.
  mutating func ended(isKept: Bool, nowUs: Int64) {
    isWriting = false
    guard !isKept else { return }
    isDirty = true
    quietUntilUs = nowUs + Self.retryUs
  }

  // MARK: Bytes

  /// The memory that a file holds.
  init(bytes: some Collection<UInt8>) throws(Damage) {
    guard bytes.count <= Self.largestBytes else {
      throw Damage(reason: "it is larger than \(Self.largestBytes) bytes")
    }
    let json: JSONValue
    do throws(JSONParser.Failure) {
      json = try JSONParser.value(of: Array(bytes))
    } catch {
      throw Damage(reason: bytes.isEmpty ? "it is empty" : "it is no JSON")
    }
    guard json["detent_selections"] == .integer(1) else {
      throw Damage(reason: "it was written by another program, or by a newer detentd")
    }
    guard case .object(let members)? = json["selections"], members.count <= Self.mostSelections
    else { throw Damage(reason: "it holds no selections, or too many") }
    var selections: [String: Value?] = [:]
    for (picker, member) in members {
      guard let value = Self.value(member) else {
        throw Damage(reason: "it holds a selection that is no value")
      }
      selections[picker] = .some(value)
    }
    self.selections = selections
  }

  /// What is to be written: one selection a line, in the order of names, so that people can read it.
  var bytes: [UInt8] {
    var writer = JSONWriter()
    var bytes = Array("{\"detent_selections\":1,\"selections\":{".utf8)
    for (index, picker) in selections.keys.sorted().enumerated() {
      writer.removeAll()
      writer.string(picker)
      bytes += (index == 0 ? "\n" : ",\n").utf8
      bytes += writer.bytes
      writer.removeAll()
      writer.value(selections[picker] ?? nil)
      bytes += ":".utf8
      bytes += writer.bytes
    }
    bytes += "\n}}\n".utf8
    return bytes
  }

  private static func value(_ json: JSONValue) -> Value?? {
    switch json {
    case .null: .some(nil)
    case .string(let text): .text(text)
    case .integer(let integer): .number(DecimalNumber(integer))
    case .number(let double): DecimalNumber(double).map { .number($0) }
    default: nil
    }
  }
}
