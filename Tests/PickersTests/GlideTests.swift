// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Pickers

@Suite struct GlideTests {
  @Test func `a glide begins and ends where it says`() {
    let glide = Glide(from: 640, to: 0, velocity: 300, startUs: 1_000_000)
    #expect(glide.position(atUs: 1_000_000) == 640)
    #expect(abs(glide.position(atUs: 3_000_000)) < 1e-6)
    #expect(abs(glide.velocity(atUs: 1_000_000) - 300) < 1e-9)
  }

  @Test func `positions are those of the formula`() {
    // x(t) = b + e^(−λt)((a − b) + (v + λ(a − b))t) with λ = 4π: at 0.1 s from 100 to 0 at rest.
    let glide = Glide(from: 100, to: 0, velocity: 0, startUs: 0)
    #expect(abs(glide.position(atUs: 100_000) - 64.226_044_35) < 1e-6)
  }

  @Test func `it rests after the last time that it is half a point away`() {
    for velocity in [-9000.0, -1826.1368416956534, -120, 0, 75, 1288.6, 20_000] {
      for from in [-2431.5, -131.7, -0.4, 0, 3.8, 419.5] {
        let glide = Glide(from: from, to: 0, velocity: velocity, startUs: 0)
        let rest = glide.restUs
        #expect(abs(glide.position(atUs: rest)) <= 0.5 + 1e-3)
        for later in stride(from: rest + 10, to: rest + 2_000_000, by: 10_007) {
          #expect(abs(glide.position(atUs: later)) <= 0.5)
        }
        if rest > 10 { #expect(abs(glide.position(atUs: rest - 10)) > 0.5 - 0.2) }
      }
    }
  }

  @Test func `a glide that is in place rests at once`() {
    #expect(Glide(from: 5, to: 5, velocity: 0, startUs: 7).restUs == 7)
    #expect(Glide(from: 5.4, to: 5, velocity: 0, startUs: 7).restUs == 7)
  }

  @Test func `a boundary is crossed once at the computed time`() {
    for velocity in [-4000.0, -200, 0, 200, 4000] {
      let glide = Glide(from: 320, to: 0, velocity: velocity, startUs: 0)
      for boundary in [288.0, 160, 32, 1] {
        let time = glide.timeUs(crossing: boundary)
        #expect(abs(glide.position(atUs: time) - boundary) < 0.02, "v \(velocity), at \(boundary)")
      }
    }
  }

  @Test(arguments: [1e-9, 1, 1e4, 1e9, 1e12, 1e15])
  func `no velocity makes a glide infinite`(velocity: Double) {
    for sign in [-1.0, 1] {
      let glide = Glide(from: 0, to: sign * 100, velocity: velocity, startUs: 0)
      #expect(glide.restSeconds.isFinite && glide.restSeconds < 10)
      #expect(glide.position(atUs: glide.restUs).isFinite)
    }
  }
}
