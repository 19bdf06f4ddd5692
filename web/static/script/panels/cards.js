// Which cards are up, or what was drawn by hand, said by whoever saw it.

import { act, once } from "../act.js";
import { closing, dialog } from "./dialog.js";
import { discOf } from "./disc.js";
import { h } from "../dom.js";
import { expected } from "../expects.js";
import { characters, piece, pieceName, store, wording } from "../store.js";
import { list, t } from "../words.js";

export function cards() {
  const { snapshot } = store;
  const up = new Set([...(snapshot.available ?? []), ...(snapshot.played ?? [])]);
  const pool = expected(snapshot, "draw")?.pool;
  const choices = pool ? pool.map((one) => piece(one) ?? { id: one, name: one }) : characters();
  const field = h(
    "fieldset",
    { class: "options" },
    h("legend", { class: "spoken-only" }, wording("hand-up")),
    choices.map((one) =>
      h(
        "label",
        {},
        h("input", { type: "checkbox", name: "card", value: one.id, checked: up.has(one.id) }),
        discOf(one.id),
        h("span", {}, one.name),
      ),
    ),
  );
  const wanting = h("p", { class: "wanting", role: "alert" });
  const save = h("button", { type: "button", class: ["button", "main"], "data-key": "save" }, t("These are up"));
  const box = dialog(
    wording("hand-which"),
    h("p", { class: "quiet-note" }, t("Name all of this turn, also those already played.")),
    field,
    wanting,
    h(
      "div",
      { class: "actions" },
      save,
      closing(() => box),
    ),
  );
  save.addEventListener(
    "click",
    once(async () => {
      const chosen = [...field.querySelectorAll("input")].filter((input) => input.checked).map((input) => input.value);
      wanting.textContent = lacking(chosen, store.snapshot);
      if (wanting.textContent) return;
      if (await act({ kind: "cards", characters: chosen })) box.close();
    }),
  );
}

/** Why these cannot be the cards of a turn, or nothing: one for each pick, those already played among them. */
function lacking(/** @type {string[]} */ chosen, /** @type {Snapshot} */ { movers = [], played = [] }) {
  if (chosen.length !== movers.length) return wording("hand-count", { n: movers.length, k: chosen.length });
  const missing = played.filter((name) => !chosen.includes(name));
  return missing.length ? wording("hand-among", { names: list(missing.map(pieceName)) }) : "";
}
