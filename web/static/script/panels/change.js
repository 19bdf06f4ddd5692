// A play on the table: the cards that may be played, and the play that may still be told otherwise.

import { h } from "../dom.js";
import { piece, pieceName, wording } from "../store.js";
import { t } from "../words.js";
import { discOf } from "./disc.js";
import { retell } from "./flags.js";
import { panel } from "./registry.js";

panel(
  "change",
  (/** @type {Expected} */ _change, /** @type {Snapshot} */ snapshot) =>
    snapshot.flag || snapshot.doubt ? null : [hand(snapshot), retell(snapshot)],
  ["question", "opening"],
);

function hand(/** @type {Snapshot} */ snapshot) {
  const cards = [...new Set([...(snapshot.played ?? []), ...(snapshot.available ?? [])])].filter(piece);
  if (!cards.length) return null;
  return h(
    "ul",
    { class: "hand", "aria-label": wording("hand") },
    cards.map((character) => {
      const played = (snapshot.played ?? []).includes(character);
      return h(
        "li",
        { class: "chip", "data-played": played ? "yes" : "no" },
        discOf(character),
        h("span", { class: "chip-name" }, pieceName(character)),
        played && h("span", { class: "spoken-only" }, t("played")),
      );
    }),
  );
}
