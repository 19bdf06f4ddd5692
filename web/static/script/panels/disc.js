// A character's disc in a list: its colour, its letter, and whether it has been turned over.

import { h } from "../dom.js";
import { piece } from "../store.js";

export function discOf(/** @type {string} */ name, turned = false) {
  const one = piece(name);
  return h(
    "span",
    {
      class: ["disc", "paint", one?.colour && `paint-${one.colour}`],
      "data-turned": turned ? "yes" : "no",
      "aria-hidden": "true",
    },
    one?.mark ?? "?",
  );
}
