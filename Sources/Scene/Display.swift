// SPDX-License-Identifier: Apache-2.0

package import Gestures
package import Pickers

/// A display: what the application lays out on, and which panel lies over it.
package struct Display: Hashable, Sendable {
  /// How the panel is turned against the application's layout, as libinput's matrices for the same angle.
  package enum Rotation: Int, Sendable, CaseIterable {
    /// Not at all.
    case none = 0
    /// 90 degrees clockwise.
    case clockwise = 90
    /// Upside down.
    case half = 180
    /// 270 degrees clockwise.
    case counterclockwise = 270
  }

  /// The name that pickers refer to.
  package var id: String
  /// The application's width after rotation, in points, above 0.
  package var width: Double
  /// The application's height after rotation, in points, above 0.
  package var height: Double
  /// How the panel is turned.
  package var rotation: Rotation
  /// A finger that comes down this close to an edge, in points, is ignored.
  package var edgeMargin: Double
  /// A finger that comes down here is ignored.
  package var deadZones: [Region]
  /// Which panels lie over it, or nil for any that no other display names.
  package var touchscreen: DeviceMatch?
  /// Whether the panels are kept from every other program.
  package var grabs: Bool

  /// A display.
  package init(
    id: String, width: Double, height: Double, rotation: Rotation = .none, edgeMargin: Double = 0,
    deadZones: [Region] = [], touchscreen: DeviceMatch? = nil, grabs: Bool = false
  ) {
    self.id = id
    self.width = width
    self.height = height
    self.rotation = rotation
    self.edgeMargin = edgeMargin
    self.deadZones = deadZones
    self.touchscreen = touchscreen
    self.grabs = grabs
  }

  /// What of it a contact needs to know while it lasts.
  struct Surface: Hashable, Sendable {
    var width: Double
    var height: Double
    var rotation: Rotation

    /// The point that a place of the panel, 0…1 both ways, lies over.
    func point(u: Double, v: Double) -> Point {
      switch rotation {
      case .none: Point(x: u * width, y: v * height)
      case .clockwise: Point(x: (1 - v) * width, y: u * height)
      case .half: Point(x: (1 - u) * width, y: (1 - v) * height)
      case .counterclockwise: Point(x: v * width, y: (1 - u) * height)
      }
    }
  }

  var surface: Surface { Surface(width: width, height: height, rotation: rotation) }

  /// The point that a place of the panel, 0…1 both ways, lies over.
  package func point(u: Double, v: Double) -> Point { surface.point(u: u, v: v) }

  /// Whether a finger may come down here.
  package func takesDown(at point: Point) -> Bool {
    guard point.x >= edgeMargin, point.x <= width - edgeMargin, point.y >= edgeMargin,
      point.y <= height - edgeMargin
    else { return false }
    return !deadZones.contains { $0.contains(point) }
  }

  /// How many points one millimetre of a panel is along x and along y, where the panel tells its size.
  package func pointsPerMM(of device: InputDevice) -> Point? {
    guard let panelWidth = device.widthMM, let panelHeight = device.heightMM, panelWidth > 0,
      panelHeight > 0
    else { return nil }
    let isTurned = rotation == .clockwise || rotation == .counterclockwise
    return Point(
      x: width / (isTurned ? panelHeight : panelWidth),
      y: height / (isTurned ? panelWidth : panelHeight))
  }
}
