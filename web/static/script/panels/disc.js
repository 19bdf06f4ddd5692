// A character's disc in a list: its colour, its letter, and whether it has been turned over. Pieces that are played together
// have the first letter of their kind.

import { h } from "../dom.js";
import { group, piece } from "../store.js";
import { capital, t } from "../words.js";

export function discOf(/** @type {string} */ name, turned = false) {
  const one = piece(name),
    kind = group(name)?.singular;
  return h(
    "span",
    {
      class: ["disc", "paint", one?.colour && `paint-${one.colour}`],
      "data-turned": turned ? "yes" : "no",
      "aria-hidden": "true",
    },
    one?.mark ?? (kind ? capital(t(kind)).slice(0, 1) : "?"),
  );
}
