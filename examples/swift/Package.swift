// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
// An application of its own; instead of the path it names Detent's repository.

import PackageDescription

let package = Package(
  name: "selections",
  dependencies: [.package(name: "detent", path: "../..")],
  targets: [
    .executableTarget(
      name: "Selections", dependencies: [.product(name: "DetentClient", package: "detent")])
  ])
