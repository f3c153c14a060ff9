// SPDX-License-Identifier: Apache-2.0

import Wire

/// What `stats` prints for people and for Prometheus.
///
/// It knows the shapes of figures, not their names: what a newer daemon counts is printed too.
enum StatsReport {
  /// Figures that go down as well as up.
  private static let gauges: Set = ["clients", "devices", "pickers"]

  /// A line for each figure.
  static func plain(_ figures: JSONValue) -> String {
    lines(of: figures) { name, figure in
      switch figure {
      case .integer(let count): ["\(name): \(count)"]
      case .number(let number): ["\(name): \(number)"]
      case .object: [delay(name, figure)]
      case .array(let clients): clients.map { client($0) }
      case .null, .bool, .string: []
      }
    }
  }

  /// The text format of Prometheus, for a file that the node exporter's textfile collector reads.
  static func prometheus(_ figures: JSONValue) -> String {
    lines(of: figures) { name, figure in
      switch figure {
      // The clock is the collector's own.
      case .integer where name == "now_us": []
      case .integer(let count) where gauges.contains(name):
        ["# TYPE detent_\(name) gauge", "detent_\(name) \(count)"]
      case .integer(let count):
        ["# TYPE detent_\(name)_total counter", "detent_\(name)_total \(count)"]
      case .object: histogram("detent_\(name)_seconds", figure)
      case .null, .bool, .number, .string, .array: []
      }
    }
  }

  private static func lines(
    of figures: JSONValue, _ write: (String, JSONValue) -> [String]
  ) -> String {
    guard case .object(let members) = figures else { return "" }
    return members.sorted { $0.key < $1.key }.flatMap { write($0.key, $0.value) }
      .joined(separator: "\n")
  }

  private static func delay(_ name: String, _ figure: JSONValue) -> String {
    func number(_ member: String) -> Int64 { integer(figure[member]) }
    return "\(name): \(number("count")) times, half within \(number("half_us")) µs, "
      + "99 % within \(number("most_us")) µs, the longest \(number("longest_us")) µs"
  }

  private static func client(_ client: JSONValue) -> String {
    let command = if case .string(let name)? = client["command"] { name } else { "process" }
    let words = [
      "client \(integer(client["client"])): \(command) \(integer(client["pid"])) of user \(integer(client["uid"]))",
      client["subscribed"] == true ? "subscribed" : nil,
      client["controls"] == false ? "may not change things" : nil,
      "\(integer(client["queued_bytes"])) bytes wait",
    ]
    return words.compactMap(\.self).joined(separator: ", ")
  }

  private static func histogram(_ name: String, _ figure: JSONValue) -> [String] {
    guard case .array(let buckets)? = figure["buckets"] else { return [] }
    let count = integer(figure["count"])
    return ["# TYPE \(name) histogram"]
      + buckets.map { bucket in
        "\(name)_bucket{le=\"\(seconds(bucket["below_us"]))\"} \(integer(bucket["count"]))"
      } + [
        "\(name)_bucket{le=\"+Inf\"} \(count)", "\(name)_sum \(seconds(figure["sum_us"]))",
        "\(name)_count \(count)",
      ]
  }

  private static func seconds(_ microseconds: JSONValue?) -> String {
    DecimalNumber(integer(microseconds), exponent: -6).description
  }

  private static func integer(_ value: JSONValue?) -> Int64 {
    if case .integer(let integer)? = value { integer } else { 0 }
  }
}
