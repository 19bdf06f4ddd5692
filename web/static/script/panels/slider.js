// A slider of this device's voice: how loud, how fast.

import { h } from "../dom.js";
import { voice } from "../voice.js";

export function slider(
  /** @type {string} */ name,
  /** @type {string} */ label,
  /** @type {number} */ min,
  /** @type {number} */ max,
  /** @type {number} */ step,
) {
  const input = h("input", { type: "range", name, min, max, step, value: voice.settings[name], "data-key": name });
  input.addEventListener("input", () => voice.set(name, Number(input.value)));
  return h("label", { class: "field" }, h("span", {}, label), input);
}
