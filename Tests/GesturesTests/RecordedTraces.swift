// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Flings that people made on phones, one axis each, from Android's and Flutter's tests; only where
/// the files are present.
struct RecordedTrace: Sendable, CustomTestStringConvertible {
  let name: String
  let axis: String
  let samples: [(timeUs: Int64, position: Double)]
  let liftUs: Int64

  var testDescription: String { "\(name) \(axis)" }

  private static let file = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../shared/velocity/traces.json").standardized

  /// All recorded flings with at least four samples that move along the axis.
  static let all: [RecordedTrace] = {
    guard let data = try? Data(contentsOf: file),
      let json = try? JSONSerialization.jsonObject(with: data) as? [String: Any],
      let traces = json["traces"] as? [[String: Any]]
    else { return [] }
    return traces.flatMap(read)
  }()

  private static func read(_ trace: [String: Any]) -> [RecordedTrace] {
    guard trace["recorded"] as? Bool == true, trace["final_action"] as? String == "up",
      let name = trace["name"] as? String, let rows = trace["samples"] as? [[Any]]
    else { return [] }
    return ["x", "y"].enumerated().compactMap { index, axis in
      let points = rows.compactMap { row -> (timeUs: Int64, position: Double)? in
        guard row.count == 3, let time = row[0] as? Int64, let place = row[index + 1] as? Double
        else { return nil }
        return (Int64((Double(time) / 1_000).rounded()), place)
      }
      guard points.count == rows.count, points.count > 4, let last = points.last else { return nil }
      // The last row is the lift, which carries no position of its own.
      let samples = Array(points.dropLast())
      guard Set(samples.map(\.position)).count > 1 else { return nil }
      return RecordedTrace(name: name, axis: axis, samples: samples, liftUs: last.timeUs)
    }
  }

  /// Android's least squares: the slope at the newest sample of a polynomial through the last
  /// `windowUs`, with its root mean square residual.
  func leastSquares(degree: Int, windowUs: Int64 = 100_000) -> (slope: Double, residual: Double) {
    guard let newest = samples.last else { return (0, 0) }
    let used = samples.filter { newest.timeUs - $0.timeUs <= windowUs }
    let times = used.map { Double($0.timeUs - newest.timeUs) / 1e5 }
    let width = degree + 1
    var rows = (0..<width).map { row in
      (0..<width).map { column in times.reduce(0) { $0 + Self.power($1, row + column) } }
        + [zip(times, used).reduce(0) { $0 + Self.power($1.0, row) * $1.1.position }]
    }
    for pivot in 0..<width {
      for row in 0..<width where row != pivot {
        let factor = rows[row][pivot] / rows[pivot][pivot]
        for column in 0...width { rows[row][column] -= factor * rows[pivot][column] }
      }
    }
    let terms = (0..<width).map { rows[$0][width] / rows[$0][$0] }
    let squares = zip(times, used).reduce(0.0) { sum, pair in
      let fitted = terms.enumerated().reduce(0) { $0 + $1.1 * Self.power(pair.0, $1.0) }
      return sum + (pair.1.position - fitted) * (pair.1.position - fitted)
    }
    let freedom = max(1, used.count - width)
    return (terms[1] * 10, (squares / Double(freedom)).squareRoot())
  }

  private static func power(_ base: Double, _ exponent: Int) -> Double {
    (0..<exponent).reduce(1) { power, _ in power * base }
  }

  /// Whether one parabola describes the last 100 ms, as least squares of the second order supposes:
  /// it passes the samples within two pixels, and neither a third order nor a shorter window
  /// changes the slope by more than 15 %.
  var isSmooth: Bool {
    let parabola = leastSquares(degree: 2)
    let cubic = leastSquares(degree: 3)
    let short = leastSquares(degree: 2, windowUs: 60_000)
    return parabola.residual <= 2 && abs(cubic.slope / parabola.slope - 1) <= 0.15
      && abs(short.slope / parabola.slope - 1) <= 0.15
  }
}
