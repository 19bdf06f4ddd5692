// The detective's own alibis, from the cards only he has seen. They go to the companion's private file and back, nowhere else.

import { tell } from "../messages.js";
import { discOf } from "./disc.js";
import { h, keep } from "../dom.js";
import { characters, wording, store } from "../store.js";
import { getJson, post } from "../wire.js";
import { t } from "../words.js";

let /** @type {string[] | null} */ noted = null,
  /** @type {string | null} */ match = null;

export function drawNotes(/** @type {HTMLElement} */ element, /** @type {Snapshot} */ snapshot) {
  if (!element) return;
  if (match !== snapshot.match) {
    match = snapshot.match;
    noted = null;
    load(element);
  }
  const suspects = new Set(snapshot.suspects ?? []);
  keep(
    element,
    [noted, snapshot.suspects],
    () =>
      noted && [
        h("p", { class: "quiet-note" }, wording("notes-alone")),
        h(
          "fieldset",
          { class: "options" },
          h("legend", { class: "unseen" }, wording("notes")),
          characters().map((piece) => {
            const box = h("input", {
              type: "checkbox",
              name: "alibi",
              value: piece.id,
              "data-key": `alibi-${piece.id}`,
              checked: noted?.includes(piece.id),
            });
            box.addEventListener("change", () => save(element, piece.id, box.checked));
            return h("label", {}, box, discOf(piece.id, !suspects.has(piece.id)), h("span", {}, piece.name));
          }),
        ),
        left(suspects),
      ],
  );
}

function left(/** @type {Set<string>} */ suspects) {
  const open = [...suspects].filter((name) => !noted?.includes(name)).length;
  return h("p", { role: "status", class: "left" }, t("Still possible for you: {n}", { n: open }));
}

async function load(/** @type {HTMLElement} */ element) {
  try {
    noted = (await getJson("/api/notes")).characters;
    drawNotes(element, store.snapshot);
  } catch (error) {
    tell(error);
  }
}

async function save(/** @type {HTMLElement} */ element, /** @type {string} */ name, /** @type {boolean} */ yes) {
  const before = noted;
  noted = yes ? [...(before ?? []), name] : (before ?? []).filter((one) => one !== name);
  try {
    await post("/api/notes", { characters: noted });
  } catch (error) {
    noted = before;
    tell(error);
  }
  drawNotes(element, store.snapshot);
}
