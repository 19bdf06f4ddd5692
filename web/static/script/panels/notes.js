// A seat's own notes: whom it has ruled out by cards that it alone has seen. They go to the companion's private file and back,
// nowhere else.

import { tell } from "../messages.js";
import { discOf } from "./disc.js";
import { h, keep } from "../dom.js";
import { peopleOf } from "../page_data.js";
import { characters, wording, store } from "../store.js";
import { getJson, post } from "../wire.js";
import { t } from "../words.js";

let /** What is shown. @type {string[] | null} */ noted = null,
  /** What the companion is known to keep. @type {string[]} */ kept = [],
  /** @type {string | null} */ match = null,
  sending = Promise.resolve();

export function drawNotes(/** @type {HTMLElement} */ element, /** @type {Snapshot} */ snapshot) {
  if (!element) return;
  if (match !== snapshot.match) {
    match = snapshot.match;
    noted = null;
    load(element);
  }
  const { left: open } = peopleOf(store.board, snapshot);
  keep(
    element,
    [noted, [...open]],
    () =>
      noted && [
        h("p", { class: "quiet-note" }, wording("notes-alone")),
        h(
          "fieldset",
          { class: "options" },
          h("legend", { class: "spoken-only" }, wording("notes")),
          characters().map((piece) => {
            const box = h("input", {
              type: "checkbox",
              name: "noted",
              value: piece.id,
              "data-key": `noted-${piece.id}`,
              checked: noted?.includes(piece.id),
            });
            box.addEventListener("change", () => save(element, piece.id, box.checked));
            return h("label", {}, box, discOf(piece.id, !open.has(piece.id)), h("span", {}, piece.name));
          }),
        ),
        left(open),
      ],
  );
}

function left(/** @type {Set<string>} */ open) {
  const still = [...open].filter((name) => !noted?.includes(name)).length;
  return h("p", { role: "status", class: "left" }, t("Still possible for you: {n}", { n: still }));
}

async function load(/** @type {HTMLElement} */ element) {
  try {
    const { characters: all } = await getJson("/api/notes");
    noted = kept = all;
    drawNotes(element, store.snapshot);
  } catch (error) {
    tell(error);
  }
}

/** Each change sends all notes, one after the other: of two on the way at once the first might arrive last. */
function save(/** @type {HTMLElement} */ element, /** @type {string} */ name, /** @type {boolean} */ yes) {
  const changed = (/** @type {string[] | null} */ all, on = yes) => [
    ...(all ?? []).filter((one) => one !== name),
    ...(on ? [name] : []),
  ];
  noted = changed(noted);
  drawNotes(element, store.snapshot);
  sending = sending.then(async () => {
    const sent = changed(kept);
    try {
      await post("/api/notes", { characters: sent });
      kept = sent;
    } catch (error) {
      noted = changed(noted, !yes);
      tell(error);
      drawNotes(element, store.snapshot);
    }
  });
}
