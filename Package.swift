// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
// The manifest is the map of the architecture: a module may import what it lists here and nothing else.

import PackageDescription

let common: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .treatAllWarnings(as: .error),
]

// Whole modules cost a quarter less to build than single files. SwiftPM calls such flags unsafe, and takes no package
// with them for a dependency: what others may depend on goes without.
let published = ["Wire", "DetentClient"]
let settings =
  common + [
    .unsafeFlags(
      ["-whole-module-optimization", "-num-threads", "2", "-disable-batch-mode"],
      .when(configuration: .debug))
  ]

func module(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(
    name: name, dependencies: dependencies,
    swiftSettings: published.contains(name) ? common : settings)
}

func executable(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .executableTarget(name: name, dependencies: dependencies, swiftSettings: settings)
}

func tests(
  _ name: String, _ dependencies: [Target.Dependency], data: [String] = []
) -> Target {
  .testTarget(name: name, dependencies: dependencies, exclude: data, swiftSettings: settings)
}

let package = Package(
  name: "detent",
  products: [
    .executable(name: "detentd", targets: ["detentd"]),
    .executable(name: "detentctl", targets: ["detentctl"]),
    .library(name: "DetentClient", targets: ["DetentClient", "Wire"]),
  ],
  targets: [
    // C and C++ doors: module maps and thin shims.
    .systemLibrary(name: "CMath"),
    .systemLibrary(
      name: "CLibinput", pkgConfig: "libinput libudev",
      providers: [.apt(["libinput-dev", "libudev-dev"])]),
    .systemLibrary(name: "CLibevdev", pkgConfig: "libevdev", providers: [.apt(["libevdev-dev"])]),
    .systemLibrary(
      name: "CLibsystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
    .target(name: "CLinux"),
    .target(name: "CToml"),

    // Pure: no clock, no I/O, no logging.
    module("Wire"),
    module("Gestures", ["CMath"]),
    module("Pickers", ["Gestures", "Wire", "CMath"]),
    module("Scene", ["Pickers", "Gestures", "Wire"]),

    // Adapters: one door to the outside each.
    module("LinuxIO", ["CLinux", "CLibsystemd"]),
    module("InputDevices", ["Gestures", "LinuxIO", "CLibinput", "CLibevdev", "CLinux"]),
    module("Haptics", ["Gestures", "Wire", "LinuxIO", "CLibinput", "CLinux"]),
    module("SocketServer", ["Wire", "LinuxIO"]),
    module("DetentClient", ["Wire"]),

    // The parts joined.
    module(
      "DetentDaemon",
      [
        "Scene", "Pickers", "Gestures", "Wire", "InputDevices", "Haptics",
        "SocketServer", "LinuxIO", "CToml",
      ]),
    module(
      "Doctor",
      [
        "DetentDaemon", "DetentClient", "InputDevices", "Haptics", "Scene", "Gestures", "Wire",
        "LinuxIO",
      ]),
    executable("detentd", ["DetentDaemon", "LinuxIO"]),
    executable(
      "detentctl",
      ["DetentDaemon", "DetentClient", "LinuxIO", "Wire", "Doctor", "CLinux"]),
    .executableTarget(
      name: "Selections", dependencies: ["DetentClient"],
      path: "examples/swift/Sources/Selections", swiftSettings: settings),

    // Measurements: scripts/bench.
    .executableTarget(
      name: "floor", dependencies: ["CLibinput"], path: "Benchmarks/Floors",
      linkerSettings: [.linkedLibrary("input"), .linkedLibrary("udev")]),
    .executableTarget(
      name: "benchmark",
      dependencies: [
        "DetentDaemon", "Scene", "Gestures", "InputDevices", "LinuxIO", "TestSupport", "CLinux",
      ], path: "Benchmarks/Harness", swiftSettings: settings),

    // Tests.
    .target(name: "CTestSupport", path: "Tests/CTestSupport"),
    .target(
      name: "TestSupport",
      dependencies: [
        "Wire", "LinuxIO", "CLinux", "CLibevdev", "CLibsystemd", "CTestSupport",
      ],
      path: "Tests/TestSupport", swiftSettings: settings),
    tests("TestSupportTests", ["TestSupport", "Wire", "CLinux"]),
    tests("DoctorTests", ["Doctor", "InputDevices", "Gestures"]),
    tests("LayeringTests", []),
    .target(
      name: "WireTestSupport", dependencies: ["Wire"], path: "Tests/WireTestSupport",
      swiftSettings: settings),
    tests("WireTests", ["Wire", "WireTestSupport"]),
    tests("GesturesTests", ["Gestures", "CMath"]),
    tests("PickersTests", ["Pickers", "Gestures", "Wire"]),
    tests("SceneTests", ["Scene", "Pickers", "Gestures", "Wire"]),
    tests("LinuxIOTests", ["LinuxIO", "CLinux", "TestSupport"]),
    tests("InputDevicesTests", ["InputDevices", "Gestures", "LinuxIO", "CLinux"]),
    tests("HapticsTests", ["Haptics", "Gestures", "Wire", "LinuxIO"]),
    tests(
      "SocketServerTests", ["SocketServer", "Wire", "LinuxIO", "WireTestSupport"]),
    .target(
      name: "FuzzTargets",
      dependencies: ["DetentDaemon", "Scene", "Pickers", "Gestures", "Wire", "LinuxIO"],
      path: "Tests/FuzzTargets", swiftSettings: settings),
    tests("FuzzTests", ["FuzzTargets"], data: ["Corpus"]),
    tests("DetentClientTests", ["DetentClient", "TestSupport", "Wire", "WireTestSupport"]),
    tests(
      "DetentDaemonTests",
      [
        "DetentDaemon", "DetentClient", "Scene", "Pickers", "Gestures", "Wire",
        "Haptics", "InputDevices", "SocketServer", "LinuxIO", "TestSupport", "WireTestSupport",
      ], data: ["Golden", "Configurations"]),
    tests(
      "DeviceTests",
      [
        "TestSupport", "DetentDaemon", "DetentClient", "InputDevices", "Haptics", "LinuxIO",
        "CLinux", "Gestures", "Wire",
      ]),
    tests("SystemTests", ["TestSupport", "LinuxIO", "Wire"]),
  ],
  swiftLanguageModes: [.v6],
  cxxLanguageStandard: .cxx17
)

// libFuzzer can only be linked where everything is built for it: scripts/fuzz asks for that.
if Context.environment["DETENT_FUZZ"] != nil {
  package.targets += [
    .executableTarget(
      name: "fuzzer", dependencies: ["FuzzTargets"], path: "Tests/Fuzzer",
      swiftSettings: settings)
  ]
}
