// SPDX-License-Identifier: Apache-2.0
import { Picker, element, isAssisted } from "./picker.js";

/** A palette of circles: the chosen one ringed, the one under a finger pressed. */
export class Swatches extends Picker {
  #swatches = [];

  build() {
    this.region.setAttribute("role", "radiogroup");
  }

  get steps() { return [["←", "previous"], ["→", "next"]]; }
  get upStep() { return -this.state.columns; }

  take(state) {
    super.take(state);
    this.titleOf(0);
    this.valuesCame();
  }

  place() {
    super.place();
    this.#arrange();
  }

  valuesCame() {
    const { count } = this.state;
    this.#swatches = Array.from({ length: count }, (_, index) => {
      const title = this.titleOf(index);
      const value = String(this.valueOf(index) ?? "");
      const swatch = element("div", "swatch", { role: "radio", "aria-label": title ?? "" });
      if (CSS.supports("color", value)) swatch.style.backgroundColor = value;
      swatch.addEventListener("click", (event) => { if (isAssisted(event)) this.choose(index); });
      swatch.addEventListener("keydown", (event) => {
        if (event.key !== " " && event.key !== "Enter") return;
        this.choose(index);
        event.preventDefault();
      });
      return swatch;
    });
    const hadFocus = this.region.contains(document.activeElement);
    this.region.replaceChildren(...this.#swatches);
    this.#arrange();
    this.#press(this.state.pressed);
    this.showSelection();
    if (hadFocus) this.region.querySelector("[tabindex='0']")?.focus();
  }

  // As Detent does it: columns share the width, rows are as far apart as circles are.
  #arrange() {
    const { columns, size, spacing } = this.state;
    const column = (this.state.region.width - (columns - 1) * spacing) / columns;
    this.#swatches.forEach((swatch, index) => {
      const x = (index % columns) * (column + spacing) + (column - size) / 2;
      const y = Math.floor(index / columns) * (size + spacing);
      Object.assign(swatch.style, { left: `${x}px`, top: `${y}px`, width: `${size}px`, height: `${size}px` });
    });
  }

  hear(method, params) {
    super.hear(method, params);
    if (method === "press") this.#press(params.pressed ? params.index : null);
  }

  cancel() {
    super.cancel();
    this.#press(null);
  }

  #press(index) {
    this.state.pressed = index;
    this.#swatches.forEach((swatch, place) => swatch.classList.toggle("pressed", place === index));
  }

  showSelection() {
    super.showSelection();
    const { index: chosen, value } = this.state;
    const hadFocus = this.#swatches.includes(document.activeElement);
    this.#swatches.forEach((swatch, index) => {
      swatch.setAttribute("aria-checked", String(index === chosen));
      swatch.tabIndex = index === (chosen ?? 0) ? 0 : -1;
    });
    if (hadFocus) this.#swatches[chosen ?? 0]?.focus();
    this.region.dataset.value = value ?? "";
    if (CSS.supports("color", String(value))) document.documentElement.style.setProperty("--cup", value);
  }
}
