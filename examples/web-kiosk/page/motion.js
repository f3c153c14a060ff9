// SPDX-License-Identifier: Apache-2.0

const lambda = (2 * Math.PI) / 0.5;
const still = matchMedia("(prefers-reduced-motion: reduce)");

/** Whether this person's system asks for less motion. */
export const reducesMotion = () => still.matches;

/** Detent's clock on this page: both are the kernel's monotonic clock, apart by a constant. */
export class Clock {
  #aheadUs = Infinity;

  /** Learns from a message: none arrives before it was sent, and the quickest one tells most. */
  hear(timeUs) {
    this.#aheadUs = Math.min(this.#aheadUs, performance.now() * 1000 - timeUs);
  }

  /** A clock of another run tells nothing of this one. */
  forget() { this.#aheadUs = Infinity; }

  /** Detent's time, in microseconds, at a time of this page's, in milliseconds. */
  timeUs(pageMs = performance.now()) { return pageMs * 1000 - this.#aheadUs; }
}

/** A critically damped spring from a to b with velocity v, the one that `settle` carries. */
export class Glide {
  constructor({ from, to, velocity, startedUs, durationMs }) {
    Object.assign(this, { from, to, velocity, startedUs, durationMs });
  }

  /** Where it is at a time of Detent's clock. */
  at(timeUs) {
    if (reducesMotion() || this.isOver(timeUs)) return this.to;
    const t = Math.max(0, timeUs - this.startedUs) / 1e6;
    const away = this.from - this.to;
    return this.to + Math.exp(-lambda * t) * (away + (this.velocity + lambda * away) * t);
  }

  isOver(timeUs) { return reducesMotion() || timeUs - this.startedUs >= this.durationMs * 1000; }
}

/** A moving thing's position: held under a finger, gliding, or at rest. */
export class Motion {
  #glide = null;
  #offset = 0;
  #resting = 0;
  phase = "idle";

  /** Takes over a state: `offset` or `degree`, and the glide. */
  take(state) {
    this.#offset = state.offset ?? state.degree ?? 0;
    if (state.phase !== "drag") this.#resting = this.#offset;
    this.#glide = null;
    this.phase = state.phase;
    if (!state.glide) return;
    const { offset_from: from, offset_to: to, velocity, started_us: startedUs, duration_ms: durationMs } = state.glide;
    this.#glide = new Glide({ from, to, velocity, startedUs, durationMs });
    this.#offset = this.#resting = to;
  }

  /** A finger carried it there. */
  hold(offset) {
    this.#offset = offset;
    this.#glide = null;
    this.phase = "drag";
  }

  /** It was let go, and glides. */
  settle({ offset_from: from, offset_to: to, velocity, duration_ms: durationMs }, startedUs) {
    this.#glide = new Glide({ from, to, velocity, startedUs, durationMs });
    this.#offset = this.#resting = to;
    this.phase = "glide";
  }

  /** What held it is void: it is where it rested, or would have. A glide goes on. */
  cancel() {
    if (this.phase !== "drag") return;
    this.#offset = this.#resting;
    this.rest();
  }

  /** It came to rest, where the glide led; or where it was, if that was called back in the instant that it began in. */
  rest(timeUs) {
    const glide = this.#glide;
    if (glide && glide.startedUs === timeUs && glide.durationMs > 0) this.#offset = this.#resting = glide.from;
    this.#glide = null;
    this.phase = "idle";
  }

  /** Where it is at a time of Detent's clock. */
  at(timeUs) { return this.#glide ? this.#glide.at(timeUs) : this.#offset; }

  /** Whether the next frame shows it elsewhere. */
  isMoving(timeUs) { return this.phase === "drag" || (this.#glide !== null && !this.#glide.isOver(timeUs)); }
}
