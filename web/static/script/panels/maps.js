// What public events leave possible, as a map: every spot is possible or ruled out, nothing in between; and the same in words.
// Which maps there are the board file says; where the table plays without, the snapshot has none.

import { h, id, keep } from "../dom.js";
import { mapsOf } from "../page_data.js";
import { store } from "../store.js";
import { t } from "../words.js";

const state = { shown: "" };
let redraw = () => {};

/** Who draws the board anew when another map is chosen. */
export const onMap = (/** @type {() => void} */ reader) => (redraw = reader);

/**
 * Spots of the map that is chosen: possible ones, and the others that it speaks of.
 * @returns {{ possible: Spot[], out: Spot[] }}
 */
export function mapShown(/** @type {any} */ snapshot) {
  const found = mapsOf(store.board, snapshot).find((one) => one.key === state.shown);
  return found ? { possible: found.possible, out: found.out } : { possible: [], out: [] };
}

export function drawMaps(/** @type {any} */ snapshot) {
  const maps = mapsOf(store.board, snapshot);
  if (!maps.some((one) => one.key === state.shown)) state.shown = "";
  id("maps").hidden = !maps.length;
  if (maps.length) id("board-tools").hidden = false;
  keep(id("maps"), [maps.map((one) => [one.key, one.possible]), state.shown], () => {
    const found = maps.find((one) => one.key === state.shown);
    return [
      h(
        "div",
        { class: "segments", role: "group", "aria-label": t("What is possible, by all that everybody knows") },
        [{ key: "", name: t("No map") }, ...maps].map((one) =>
          h(
            "button",
            {
              type: "button",
              class: "segment",
              "data-key": `map-${one.key}`,
              "aria-pressed": one.key === state.shown ? "true" : "false",
              onclick: () => choose(one.key),
            },
            one.name,
          ),
        ),
      ),
      found && legend(found),
    ];
  });
  const words = maps.find((one) => one.key === state.shown);
  keep(id("map-words"), words ? [words.key, words.possible] : null, () => words && inWords(words));
}

function choose(/** @type {string} */ key) {
  state.shown = key;
  drawMaps(store.snapshot);
  redraw();
}

const legend = (/** @type {{ possible: Spot[], out: Spot[] }} */ { possible, out }) =>
  h(
    "p",
    { class: "map-legend", role: "status" },
    h("span", { class: "key-possible" }, t("possible: {n}", { n: possible.length })),
    h("span", { class: "key-out" }, t("ruled out: {n}", { n: out.length })),
  );

/** The map for whoever does not see it, as lists. */
const inWords = (/** @type {{ key: string, possible: Spot[], out: Spot[], name: string }} */ { possible, out, name }) =>
  h(
    "details",
    { class: "map-words" },
    h("summary", {}, t("The map in words")),
    h("h3", {}, `${name}: ${t("possible")}`),
    h("p", { "data-key": "map-possible" }, possible.join(", ") || t("none")),
    h("h3", {}, t("Ruled out")),
    h("p", { "data-key": "map-out" }, out.join(", ") || t("none")),
  );
