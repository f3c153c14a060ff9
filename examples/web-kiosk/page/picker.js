// SPDX-License-Identifier: Apache-2.0
import { Motion } from "./motion.js";
import { names } from "./content.js";

/** An element with classes, attributes and a text. */
export function element(tag, classes = "", attributes = {}, text = "") {
  const made = document.createElement(tag);
  made.className = classes;
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.textContent = text;
  return made;
}

/** Shows a text, and touches nothing where it is shown already. */
export function show(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** Sets attributes, and touches none that is the same already. */
export function set(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (node.getAttribute(name) !== String(value)) node.setAttribute(name, value);
  }
}

/** Whether a selection for this reason may still be taken back: a finger is on it. */
export const isHeld = (cause) => cause === "drag" || cause === "catch";

/** What the four pickers share: a heading with buttons, a region, the selection, values, keys. */
export class Picker {
  motion = new Motion();
  #titles = new Map();
  #asked = new Set();
  #committed;
  /** Whether the selection is to be shown in the next frame: several may come in one. */
  #isStale = false;

  /** `kiosk`: call(method, params), display, wake(), say(picker). */
  constructor(state, kiosk) {
    this.kiosk = kiosk;
    this.state = state;
    this.id = state.picker;
    this.name = names[this.id] ?? this.id.charAt(0).toUpperCase() + this.id.slice(1);
    this.heading = element("div", "heading");
    this.valueText = element("strong", "value");
    const words = element("div", "words");
    words.append(element("span", "name", {}, this.name), this.valueText);
    this.heading.append(words, ...this.#buttons());
    this.region = element("div", `picker ${state.type}`, { "aria-label": this.name });
  }

  /** Builds it and shows it as it is; what the types add to this class is there only after the constructor. */
  start() {
    this.build();
    this.region.addEventListener("keydown", (event) => this.#key(event));
    this.region.addEventListener("focusin", () => this.ask("focus", {}));
    this.place();
    this.take(this.state);
    return this;
  }

  /** The words on its two buttons: signs and what they say. */
  get steps() { return [["−", "less"], ["+", "more"]]; }

  #buttons() {
    return this.steps.map(([sign, word], index) => {
      const button = element("button", "step", { "aria-label": `${this.name}: ${word}`, type: "button" }, sign);
      button.addEventListener("click", () => this.move(index === 0 ? -1 : 1));
      return button;
    });
  }

  // Keys, as for sliders; all of them are `move`s or `select`s that anybody could send.
  #key(event) {
    const steps = {
      ArrowRight: 1, ArrowUp: this.upStep, ArrowLeft: -1, ArrowDown: -this.upStep, PageUp: 10, PageDown: -10,
    }[event.key];
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (steps) this.move(steps);
    else if (event.key === "Home") this.choose(0);
    else if (event.key === "End") this.choose(this.state.count - 1);
    else return;
    event.preventDefault();
  }

  /** How far the up key goes. */
  get upStep() { return 1; }

  /** Asks Detent for something about this picker. */
  ask(method, params) {
    return this.kiosk.call(method, { picker: this.id, ...params }).catch((error) => console.warn(error.message));
  }

  move(by) { return this.ask("move", { by }); }
  choose(index) { return this.ask("select", { index }); }

  /** Puts it where its region is, with the heading above. */
  place() {
    const { x, y, width, height } = this.state.region;
    const margin = Math.min(60, this.kiosk.display.width / 18);
    const left = Math.max(x, margin);
    const right = Math.min(x + width, this.kiosk.display.width - margin);
    Object.assign(this.region.style, { left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px` });
    this.region.classList.toggle("fades-left", x > 0);
    this.region.classList.toggle("fades-right", x + width < this.kiosk.display.width);
    Object.assign(this.heading.style, { left: `${left}px`, top: `${y - 116}px`, width: `${right - left}px` });
  }

  /** Takes over what Detent says of it. */
  take(state) {
    this.state = state;
    this.motion.take(state);
    this.#committed = { index: state.index, value: state.value, title: state.title };
    this.region.setAttribute("aria-disabled", String(!state.enabled));
    this.heading.classList.toggle("off", !state.enabled);
    this.region.classList.toggle("off", !state.enabled);
    this.showSelection();
    this.kiosk.wake();
  }

  /** Takes a notification; times are in microseconds of Detent's clock. */
  hear(method, params) {
    switch (method) {
      case "selection":
        Object.assign(this.state, { index: params.index, value: params.value, title: params.title });
        if (!isHeld(params.cause)) this.commit();
        this.#isStale = true;
        this.kiosk.say(this);
        break;
      case "motion":
        // A glide is computed here, from its spring.
        if (params.phase === "drag") this.motion.hold(params.offset);
        break;
      case "settle":
        this.motion.settle(params, params.time_us);
        this.commit();
        break;
      case "rest":
        this.motion.rest(params.time_us);
        break;
      case "tick":
        this.tick(params.index);
        break;
    }
    this.kiosk.wake();
  }

  /** What is selected now would stay, if the connection went. */
  commit() {
    const { index, value, title } = this.state;
    this.#committed = { index, value, title };
  }

  /** The connection is lost: what was under a finger is void. */
  cancel() {
    Object.assign(this.state, this.#committed);
    this.motion.cancel();
    this.showSelection();
    this.kiosk.wake();
  }

  /** Shows the selection; more of it in the types. */
  showSelection() {
    this.#isStale = false;
    show(this.valueText, this.state.title ?? "–");
  }

  /** Tells assistive technology of a slider's selection. */
  showSlider() {
    const { value, index, title, count } = this.state;
    const range = { "aria-valuemin": 0, "aria-valuemax": count - 1 };
    set(this.region, { ...range, "aria-valuenow": index ?? 0, "aria-valuetext": title ?? "", "data-value": value ?? "" });
  }

  /** A value went by under the finger or in the glide. */
  tick() {}

  /** Draws it for a time of Detent's clock; returns whether the next frame differs. */
  draw(timeUs) {
    if (this.#isStale) this.showSelection();
    return this.motion.isMoving(timeUs);
  }

  /** The title of a value, and `undefined` while it is not known; it is asked for, then `valuesCame` is called. */
  titleOf(index) {
    const known = this.#titles.get(index);
    if (known === undefined) this.#fetch(Math.floor(index / 100) * 100);
    return known?.title;
  }

  /** The value of an index whose title is known. */
  valueOf(index) { return this.#titles.get(index)?.value; }

  async #fetch(from) {
    if (this.#asked.has(from)) return;
    this.#asked.add(from);
    const values = await this.ask("values", { from, count: 100 });
    if (!values) this.#asked.delete(from);
    // A million values are kept as little as they are drawn.
    if (this.#titles.size > 2000) {
      this.#titles.clear();
      this.#asked = new Set([from]);
    }
    for (const entry of values ?? []) this.#titles.set(entry.index, entry);
    if (values) this.valuesCame();
    this.kiosk.wake();
  }

  /** Titles came that were asked for. */
  valuesCame() {}

  remove() {
    this.heading.remove();
    this.region.remove();
  }
}

/** Whether a click came from assistive technology: fingers on a picker are Detent's. */
export const isAssisted = (event) => event.detail === 0;
