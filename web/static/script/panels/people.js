// The people of a game: who is still possible, in which state each is and why.

import { discOf } from "./disc.js";
import { h, id, keep } from "../dom.js";
import { settingUp } from "../expects.js";
import { peopleOf } from "../page_data.js";
import { characters, store, wording } from "../store.js";
import { symbols } from "../symbols.js";
import { list } from "../words.js";

export function drawPeople(/** @type {HTMLElement} */ element, /** @type {Snapshot} */ snapshot) {
  const people = peopleOf(store.board, snapshot);
  id("people-card").hidden = !people.told;
  if (!people.told) return;
  if (id("people-title").textContent !== wording("people")) id("people-title").textContent = wording("people");
  // Before the table is agreed it is only wished who stands where: nobody is in any state yet.
  const known = !settingUp(snapshot);
  keep(element, [people.told, known], () => {
    const order = (/** @type {Piece} */ piece) => (people.left.has(piece.id) ? 0 : 1);
    return characters()
      .sort((a, b) => order(a) - order(b))
      .map((piece) => row(piece, people, known));
  });
}

function row(/** @type {Piece} */ piece, /** @type {ReturnType<typeof peopleOf>} */ people, /** @type {boolean} */ known) {
  const left = people.left.has(piece.id),
    state = known ? people.state(piece.id) : null,
    look = people.look(state),
    reasons = people.reasons(piece.id);
  const why = reasons.length ? wording(`state-${state}-why`, { reasons: list(reasons) }) : "";
  return h(
    "li",
    { "data-character": piece.id, "data-cleared": left ? "no" : "yes" },
    discOf(piece.id, !left),
    h("p", { class: "name" }, piece.name),
    h(
      "p",
      { class: "why" },
      [left ? null : wording("person-cleared"), state && (why || wording(`state-${state}`))].filter(Boolean).join(" · "),
    ),
    state && h("span", { class: "state", "data-state": state, "data-look": look?.look }, symbols[look?.symbol ?? ""]?.()),
  );
}
