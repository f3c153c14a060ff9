// SPDX-License-Identifier: Apache-2.0
// What this page knows besides what Detent tells; make it yours.

/** What to call a picker whose name is not its id. */
export const names = {};

/** What is in the cup, by the drink's value: top and bottom. */
export const fillings = {
  espresso: ["#b9783f", "#3b2215"],
  lungo: ["#a5683a", "#4d2c1a"],
  cappuccino: ["#fbf3e6", "#8a5a38"],
  latte: ["#f7ead6", "#b58a62"],
  tea: ["#cfd88a", "#a3b35a"],
  chocolate: ["#7b4a34", "#4a2a1e"],
};
