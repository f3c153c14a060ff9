// SPDX-License-Identifier: Apache-2.0
import { fillings } from "./content.js";
import { reducesMotion } from "./motion.js";
import { Picker, element, isAssisted, set, show } from "./picker.js";

/** A strip: values in a row that moves as a whole. Only those near the region are in the page. */
class Strip extends Picker {
  #base = 0;
  #shown = null;

  build() {
    this.rail = element("div", "rail", { "aria-hidden": "true" });
    this.region.append(this.rail);
    this.region.classList.add(this.state.axis);
  }

  get isVertical() { return this.state.axis === "vertical"; }
  get length() { return this.isVertical ? this.state.region.height : this.state.region.width; }
  get last() { return this.state.count - 1; }

  /** The index in the middle, at an offset. */
  indexAt(offset) {
    return Math.min(this.last, Math.max(0, Math.round((this.origin - offset) / this.state.pitch)));
  }

  /** Where value 0 lies at offset 0 is this far before the centre. */
  get origin() { return 0; }

  take(state) {
    this.#shown = null;
    super.take(state);
  }

  valuesCame() { this.#shown = null; }

  draw(timeUs) {
    const { pitch } = this.state;
    const offset = this.motion.at(timeUs);
    const middle = this.indexAt(offset);
    const reach = Math.ceil(this.length / pitch / 2) + 1;
    if (!this.#shown || middle - reach < this.#shown[0] || middle + reach > this.#shown[1]) {
      this.#fill(middle, reach * 2);
    }
    const at = this.length / 2 + offset - this.origin + this.#base * pitch;
    this.rail.style.transform = this.isVertical ? `translate3d(0,${at}px,0)` : `translate3d(${at}px,0,0)`;
    this.middle(middle);
    return super.draw(timeUs);
  }

  #fill(middle, reach) {
    const first = Math.max(0, middle - reach);
    const last = Math.min(this.last, middle + reach);
    this.#base = first;
    this.#shown = [first === 0 ? -Infinity : first, last === this.last ? Infinity : last];
    const made = [];
    for (let index = first; index <= last; index += 1) {
      const item = this.item(index);
      item.style[this.isVertical ? "top" : "left"] = `${(index - first) * this.state.pitch}px`;
      made.push(item);
    }
    this.rail.replaceChildren(...made);
    this.filled();
  }

  /** Makes the element of a value. */
  item(index) { return element("div", "", {}, String(index)); }
  /** The elements are new. */
  filled() {}
  /** This value is in the middle. */
  middle() {}
}

/** A ruler: marks, titles, and a window in the centre. */
export class Ruler extends Strip {
  #every = 1;

  build() {
    super.build();
    set(this.region, { role: "slider", tabindex: 0, "aria-orientation": this.state.axis });
    this.needle = element("div", "needle");
    this.window = element("div", "window", { "aria-hidden": "true" });
    this.region.append(this.window, this.needle);
  }

  get origin() { return (this.last / 2) * this.state.pitch; }

  item(index) {
    const title = this.titleOf(index);
    const isMajor = title !== undefined && this.#isMajor(index);
    const mark = element("div", isMajor ? "mark major" : "mark");
    if (isMajor) mark.append(element("span", "", {}, title));
    return mark;
  }

  // So many values share one title that titles do not touch; round numbers get them.
  #isMajor(index) {
    const value = this.valueOf(index);
    if (typeof value !== "number") return index % this.#every === 0;
    const step = Math.abs(this.valueOf(index + 1) - value) || Math.abs(value - this.valueOf(index - 1)) || 1;
    const place = value / (step * this.#every);
    return Math.abs(place - Math.round(place)) < 1e-6;
  }

  valuesCame() {
    const needed = this.isVertical ? 56 : (this.state.title ?? this.titleOf(0) ?? "").length * 16 + 40;
    this.#every = [1, 2, 4, 5, 10, 20, 50, 100].find((every) => every * this.state.pitch >= needed) ?? 200;
    super.valuesCame();
  }

  middle(index) {
    show(this.window, this.titleOf(index) ?? "");
  }

  tick() {
    if (reducesMotion()) return;
    this.needle.animate([{ transform: "scaleY(1.35)" }, { transform: "scaleY(1)" }], { duration: 120 });
  }

  showSelection() {
    super.showSelection();
    this.showSlider();
  }
}

/** A carousel: cards, one of them in the centre. */
export class Carousel extends Strip {
  #options = new Map();
  #middle = -1;

  build() {
    super.build();
    this.rail.removeAttribute("aria-hidden");
    this.rail.setAttribute("role", "presentation");
    set(this.region, { role: "listbox", tabindex: 0, "aria-orientation": this.state.axis });
  }

  get steps() { return [["←", "previous"], ["→", "next"]]; }

  item(index) {
    const title = this.titleOf(index);
    const value = this.valueOf(index);
    const card = element("div", "card", {
      role: "option", "aria-label": title ?? "", id: `${this.id}-${index}`, "aria-posinset": index + 1, "aria-setsize": this.state.count,
    });
    const length = this.state.pitch - this.state.spacing;
    card.style[this.isVertical ? "height" : "width"] = `${length}px`;
    card.style[this.isVertical ? "marginTop" : "marginLeft"] = `${-length / 2}px`;
    if (fillings[value]) card.append(cup(...fillings[value]));
    card.append(element("span", "title", {}, title ?? ""));
    card.addEventListener("click", (event) => { if (isAssisted(event)) this.choose(index); });
    card.dataset.index = index;
    return card;
  }

  filled() {
    this.#options = new Map([...this.rail.children].map((card) => [Number(card.dataset.index), card]));
    this.#middle = -1;
    this.showSelection();
  }

  middle(index) {
    if (index === this.#middle) return;
    this.#options.get(this.#middle)?.classList.remove("middle");
    this.#options.get(index)?.classList.add("middle");
    this.#middle = index;
  }

  showSelection() {
    super.showSelection();
    for (const [index, card] of this.#options) set(card, { "aria-selected": index === this.state.index });
    const chosen = this.#options.get(this.state.index);
    if (chosen) set(this.region, { "aria-activedescendant": chosen.id });
    else this.region.removeAttribute("aria-activedescendant");
    set(this.region, { "data-value": this.state.value ?? "" });
  }
}

const space = "http://www.w3.org/2000/svg";

/** A cup in the chosen colour with this in it. */
function cup(top, bottom) {
  const svg = document.createElementNS(space, "svg");
  svg.setAttribute("viewBox", "0 0 240 190");
  svg.setAttribute("class", "cup");
  svg.setAttribute("aria-hidden", "true");
  const shapes = [
    ["ellipse", { cx: 114, cy: 172, rx: 106, ry: 12, class: "saucer" }],
    ["path", { d: "M186 52c52-10 56 62-8 66", class: "handle" }],
    ["path", { d: "M34 30h160c0 58-10 108-44 132q-8 6-18 6H96q-10 0-18-6C44 138 34 88 34 30z", class: "body" }],
    ["ellipse", { cx: 114, cy: 30, rx: 80, ry: 17, class: "rim" }],
    ["ellipse", { cx: 114, cy: 32, rx: 71, ry: 12.5, fill: bottom }],
    ["ellipse", { cx: 114, cy: 33, rx: 52, ry: 8, fill: top }],
  ];
  for (const [tag, attributes] of shapes) {
    const shape = document.createElementNS(space, tag);
    for (const [name, value] of Object.entries(attributes)) shape.setAttribute(name, value);
    svg.append(shape);
  }
  return svg;
}
