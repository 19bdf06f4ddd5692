// Who is still under suspicion, who is seen and why.

import { discOf } from "./disc.js";
import { h, keep } from "../dom.js";
import { characters, wording } from "../store.js";
import { symbols } from "../symbols.js";
import { list, t } from "../words.js";

export function drawSuspects(/** @type {HTMLElement} */ element, /** @type {Snapshot} */ snapshot) {
  const suspects = new Set(snapshot.suspects ?? []);
  // Before the table is agreed it is only wished who stands where: nobody is seen yet.
  const witness = (snapshot.phase !== "set-up" && snapshot.witness) || { seen: [], unseen: [], because: {} };
  keep(element, [snapshot.suspects, witness, snapshot.phase], () => {
    const people = characters();
    const order = (/** @type {Piece} */ piece) => (suspects.has(piece.id) ? 0 : 1);
    return people.sort((a, b) => order(a) - order(b)).map((piece) => row(piece, suspects.has(piece.id), witness));
  });
}

function row(/** @type {Piece} */ piece, /** @type {boolean} */ suspect, /** @type {Witness} */ witness) {
  const seen = witness.seen?.includes(piece.id),
    known = seen || witness.unseen?.includes(piece.id);
  const reasons = witness.why?.[piece.id] ?? witness.because?.[piece.id] ?? [];
  const light = seen ? (reasons.length ? wording("person-seen", { reasons: list(reasons) }) : t("seen")) : t("unseen");
  return h(
    "li",
    { "data-character": piece.id, "data-cleared": suspect ? "no" : "yes" },
    discOf(piece.id, !suspect),
    h("p", { class: "name" }, piece.name),
    h("p", { class: "why" }, [suspect ? null : wording("person-cleared"), known ? light : null].filter(Boolean).join(" · ")),
    known && h("span", { class: "state", "data-seen": seen ? "yes" : "no" }, seen ? symbols.eye() : symbols.eyeShut()),
  );
}
