// SPDX-License-Identifier: Apache-2.0
// A kiosk's page: draws Detent's pickers from what it says, and asks for changes only with its own buttons and keys.
import { Clock } from "./motion.js";
import { Stream } from "./stream.js";
import { Carousel, Ruler } from "./strips.js";
import { Swatches } from "./swatches.js";
import { Radial } from "./radial.js";
import { element, isHeld, show } from "./picker.js";

const types = { ruler: Ruler, carousel: Carousel, swatches: Swatches, radial: Radial };
const [stage, shelf, stateText, order, spoken] =
  ["stage", "pickers", "state", "order", "spoken"].map((id) => document.getElementById(id));

class Kiosk {
  pickers = new Map();
  display = { display: "main", width: 1080, height: 1920 };
  /** When frames were drawn while something was dragged, in milliseconds; the last ten thousand. */
  dragFrames = [];
  #clock = new Clock();
  #frame = 0;
  #saying = new Map();
  #isConnected = false;
  #inhibited = false;
  #orderIsStale = false;

  constructor() {
    this.stream = new Stream({
      snapshot: (snapshot) => this.#take(snapshot),
      notification: (method, params) => this.#hear(method, params),
      lost: () => this.#lose(),
    });
    addEventListener("resize", () => this.#fit());
    this.#fit();
  }

  call(method, params) { return this.stream.call(method, params); }

  // MARK: What Detent says

  #take({ pickers, displays, focus, inhibited, now_us: nowUs }) {
    this.#clock.hear(nowUs);
    this.#isConnected = true;
    // One page shows one display: the first one.
    const [display] = displays ?? [];
    if (display) this.#layOut(display);
    this.#takePickers(pickers);
    this.#focus(focus);
    this.#inhibit(inhibited);
  }

  #takePickers(states) {
    const here = states.filter((state) => state.display === this.display.display);
    for (const [id, picker] of this.pickers) {
      if (here.some((state) => state.picker === id && isAlike(state, picker.state))) continue;
      picker.remove();
      this.pickers.delete(id);
    }
    for (const state of here) this.#show(state);
  }

  #show(state) {
    const known = this.pickers.get(state.picker);
    if (known) {
      known.take(state);
    } else if (types[state.type]) {
      const picker = new types[state.type](state, this).start();
      this.pickers.set(state.picker, picker);
      shelf.append(picker.heading, picker.region);
    }
    this.#tellOrder();
  }

  #hear(method, params) {
    if (params.time_us !== undefined) this.#clock.hear(params.time_us);
    switch (method) {
      case "hello":
        this.#clock.forget();
        break;
      case "resync":
        this.#takePickers(params.pickers);
        this.#focus(params.focus);
        this.#inhibit(params.inhibited);
        break;
      case "picker":
        this.#change(params.change, params.state);
        break;
      case "display":
        if (params.display.display === this.display.display) this.#layOut(params.display);
        break;
      case "focus":
        this.#focus(params.picker);
        break;
      case "inhibit":
        this.#inhibit(params.on);
        break;
      case "activity":
        this.#activity(params);
        break;
      default:
        this.pickers.get(params.picker)?.hear(method, params);
        // What a finger still holds is no order yet; and all between two changes is drawn anew, here nearly the page.
        if (method === "settle" || (method === "selection" && !isHeld(params.cause))) this.#orderIsStale = true;
    }
  }

  #change(change, state) {
    if (state.display !== this.display.display) return;
    const known = this.pickers.get(state.picker);
    // Other values, or lying elsewhere: it is made anew.
    if (known && (change !== "updated" || !isAlike(state, known.state) || state.revision === known.state.revision)) {
      known.remove();
      this.pickers.delete(state.picker);
    }
    if (change !== "removed") this.#show(state);
    this.#tellOrder();
  }

  // The end of the connection is a cancel: what a finger held was not chosen.
  #lose() {
    if (!this.#isConnected) return;
    this.#isConnected = false;
    for (const picker of this.pickers.values()) picker.cancel();
    this.#tellOrder();
    this.#tellState();
  }

  #focus(id) {
    for (const [name, picker] of this.pickers) picker.heading.classList.toggle("focused", name === id);
  }

  #inhibit(on) {
    this.#inhibited = on;
    this.#tellState();
  }

  #activity({ active, resets_in_ms: resetsInMs }) {
    if (active || resetsInMs === null || resetsInMs === undefined) this.#tellState();
    else stateText.textContent = `Starting over in ${Math.round(resetsInMs / 1000)} s`;
  }

  #tellState() {
    const isUsable = this.#isConnected && !this.#inhibited;
    stage.classList.toggle("off", !isUsable);
    if (!this.#isConnected) stateText.textContent = "One moment, please";
    else stateText.textContent = this.#inhibited ? "Touch is off" : "Touch to choose";
  }

  #tellOrder() {
    this.#orderIsStale = false;
    const chosen = [...this.pickers.values()].filter((picker) => picker.state.title !== null);
    const isSame = chosen.length === order.children.length
      && chosen.every((picker, place) => order.children[place].dataset.picker === picker.id);
    if (isSame) {
      chosen.forEach((picker, place) => show(order.children[place].lastChild, picker.state.title));
      return;
    }
    order.replaceChildren(...chosen.map((picker) => {
      const part = element("span", "part", { "data-picker": picker.id });
      part.append(element("small", "", {}, picker.name), element("b", "", {}, picker.state.title));
      return part;
    }));
  }

  /** Has a selection spoken, once it has stood for half a second. */
  say(picker) {
    clearTimeout(this.#saying.get(picker.id));
    const words = () => { spoken.textContent = `${picker.name}: ${picker.state.title ?? "nothing"}`; };
    this.#saying.set(picker.id, setTimeout(words, 500));
  }

  // MARK: Frames

  /** Something changed: draw from the next frame on, for as long as anything moves. */
  wake() {
    if (this.#frame === 0) this.#frame = requestAnimationFrame((time) => this.#draw(time));
  }

  #draw(time) {
    this.#frame = 0;
    const timeUs = this.#clock.timeUs(time);
    let isMoving = false;
    let isDragging = false;
    for (const picker of this.pickers.values()) {
      if (picker.draw(timeUs)) isMoving = true;
      if (picker.motion.phase === "drag") isDragging = true;
    }
    if (this.#orderIsStale) this.#tellOrder();
    if (isDragging && this.dragFrames.push(performance.timeOrigin + time) > 10000) this.dragFrames.shift();
    if (isMoving) this.wake();
  }

  // MARK: Layout

  #layOut(display) {
    this.display = display;
    document.documentElement.dataset.turned = display.width > display.height ? "landscape" : "portrait";
    Object.assign(stage.style, { width: `${display.width}px`, height: `${display.height}px` });
    this.#fit();
    for (const picker of this.pickers.values()) picker.place();
  }

  // On a screen of another size, to try it out, the whole display is shown smaller or larger.
  #fit() {
    const scale = Math.min(innerWidth / this.display.width, innerHeight / this.display.height);
    const left = (innerWidth - this.display.width * scale) / 2;
    stage.style.transform = scale === 1 && left === 0 ? "none" : `translateX(${left}px) scale(${scale})`;
  }
}

/** Whether what a picker was made of is the same. */
function isAlike(one, other) {
  return ["type", "display", "count", "axis", "mode", "columns", "size", "spacing", "pitch"].every((key) => one[key] === other[key])
    && ["x", "y", "width", "height"].every((key) => one.region[key] === other.region[key]);
}

globalThis.kiosk = new Kiosk();
