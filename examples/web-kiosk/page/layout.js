// SPDX-License-Identifier: Apache-2.0
// What the page knows of its pickers besides what Detent tells: names, and how the configuration lays out their parts.

/** By picker, as in the configuration: what to call it, and keys that differ from their defaults. */
export const pickers = {
  drink: { name: "Drink", spacing: 30 },
  amount: { name: "Amount" },
  cup: {
    name: "Cup",
    portrait: { columns: 3, size: 92, spacing: 36 },
    landscape: { columns: 6, size: 74, spacing: 24 },
  },
  light: { name: "Light" },
};

/** The configuration's defaults. */
const defaults = {
  carousel: { axis: "horizontal", spacing: 16 },
  ruler: { axis: "horizontal" },
  swatches: { columns: 6, size: 44, spacing: 12 },
  radial: {},
};

/** How a picker is laid out on a display. */
export function layoutOf(state, display) {
  const known = pickers[state.picker] ?? {};
  const turned = display.width > display.height ? known.landscape : known.portrait;
  const name = state.picker.charAt(0).toUpperCase() + state.picker.slice(1);
  return { name, ...defaults[state.type], ...known, ...turned };
}

/** What is in the cup, by the drink's value: top and bottom. */
export const fillings = {
  espresso: ["#b9783f", "#3b2215"],
  lungo: ["#a5683a", "#4d2c1a"],
  cappuccino: ["#fbf3e6", "#8a5a38"],
  latte: ["#f7ead6", "#b58a62"],
  tea: ["#cfd88a", "#a3b35a"],
  chocolate: ["#7b4a34", "#4a2a1e"],
};
