// SPDX-License-Identifier: Apache-2.0
import { reducesMotion } from "./motion.js";
import { Picker, element, set, show } from "./picker.js";

/** A wheel of values, the chosen one at the bottom, its hue turning with it. */
export class Radial extends Picker {
  #degree = null;

  build() {
    set(this.region, { role: "slider", tabindex: 0 });
    this.wheel = element("div", "wheel", { "aria-hidden": "true" });
    this.centre = element("div", "centre", { "aria-hidden": "true" });
    this.lamp = element("span", "lamp");
    this.centreText = element("span", "");
    this.centre.append(this.lamp, this.centreText);
    this.marker = element("div", "marker", { "aria-hidden": "true" });
    this.region.append(this.wheel, this.marker, this.centre);
  }

  get steps() { return [["←", "previous"], ["→", "next"]]; }

  take(state) {
    super.take(state);
    this.titleOf(0);
    this.valuesCame();
  }

  place() {
    super.place();
    const { width, height } = this.state.region;
    this.size = Math.min(width, height);
    this.region.style.setProperty("--size", `${this.size}px`);
  }

  // Value i lies at the angle i · pitch + degree; at the bottom, its hue is degree.
  valuesCame() {
    const { count, pitch } = this.state;
    const every = Math.ceil(count / 36);
    const radius = this.size * 0.375;
    const bead = Math.min(this.size * 0.15, 2 * Math.PI * radius * every / count * 0.82);
    this.region.style.setProperty("--bead", `${bead}px`);
    this.region.style.setProperty("--radius", `${radius}px`);
    const titles = Array.from({ length: count }, (_, index) => this.titleOf(index) ?? "");
    const areShort = titles.every((title) => title.length < 4);
    const beads = [];
    for (let index = 0; index < count; index += every) {
      const made = element("div", "bead", {}, areShort ? titles[index] : "");
      made.style.transform = `rotate(${index * pitch - 90}deg) translateY(${radius}px)`;
      made.style.backgroundColor = `hsl(${90 - index * pitch} 78% 62%)`;
      beads.push(made);
    }
    this.wheel.replaceChildren(...beads);
  }

  hear(method, params) {
    super.hear(method, params);
    if (method === "direction") this.#turn(params.degree, params.time_us);
    // In this mode, a swipe alone says how far it turns: all else goes the shorter way.
    if (method === "selection" && this.state.mode === "swipe" && params.cause !== "swipe" && params.index !== null) {
      const from = this.motion.at(Infinity);
      const way = (((90 - params.index * this.state.pitch - from) % 360) + 540) % 360 - 180;
      this.#turn(from + (way === -180 ? 180 : way), params.time_us);
    }
  }

  // A turn that Detent makes at once looks like a glide here.
  #turn(degree, timeUs) {
    const from = this.motion.at(timeUs);
    this.motion.settle({ offset_from: from, offset_to: degree, velocity: 0, duration_ms: 700 }, timeUs);
    this.motion.phase = "idle";
    this.kiosk.wake();
  }

  draw(timeUs) {
    const degree = this.motion.at(timeUs);
    if (degree !== this.#degree) {
      this.#degree = degree;
      this.wheel.style.transform = `rotate(${degree}deg)`;
      const hue = ((degree % 360) + 360) % 360;
      this.lamp.style.backgroundColor = `hsl(${hue} 78% 62%)`;
      this.region.dataset.hue = hue.toFixed(3);
    }
    return super.draw(timeUs);
  }

  tick() {
    if (reducesMotion()) return;
    this.marker.animate([{ opacity: 0.45 }, { opacity: 1 }], { duration: 120 });
  }

  showSelection() {
    super.showSelection();
    show(this.centreText, this.state.title ?? "–");
    this.showSlider();
  }
}
