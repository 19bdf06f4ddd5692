// Maps over the board: what public events leave possible, where every spot is possible or ruled out, and at the end the ways
// that were secret; both in words as well. Which maps there are the board file says; where the table plays without, the
// snapshot has none.

import { h, id, keep } from "../dom.js";
import { mapsOf } from "../page_data.js";
import { store } from "../store.js";
import { sentence, t } from "../words.js";

/** `shown`: the key of the map or way that is drawn; `told`: the match whose ways were drawn as soon as they were known. */
const state = { shown: "", told: "" };
let redraw = () => {};

/** Who draws the board anew when another map is chosen. */
export const onMap = (/** @type {() => void} */ reader) => (redraw = reader);

/** Nothing of a map. @type {ShownMap} */
export const NO_MAP = { possible: [], out: [], way: [], marked: [] };

/** Spots of the map or way that is chosen. @returns {ShownMap} */
export function mapShown(/** @type {Snapshot} */ snapshot) {
  const map = mapsOf(store.board, snapshot).find((one) => one.key === state.shown),
    way = waysOf(snapshot).find((one) => one.key === state.shown);
  return { ...NO_MAP, ...(map && { possible: map.possible, out: map.out }), ...(way && { way: way.way, marked: way.marked }) };
}

const waysOf = (/** @type {Snapshot} */ snapshot) =>
  (snapshot.ways ?? []).map((one, i) => ({ ...one, key: `way-${i + 1}`, name: sentence(one) }));

export function drawMaps(/** @type {Snapshot} */ snapshot) {
  const maps = mapsOf(store.board, snapshot),
    ways = waysOf(snapshot);
  const opened = ways.length > 0 && state.told !== snapshot.match;
  if (opened) Object.assign(state, { told: snapshot.match, shown: ways[ways.length - 1].key });
  if (![...maps, ...ways].some((one) => one.key === state.shown)) state.shown = "";
  const map = maps.find((one) => one.key === state.shown),
    way = ways.find((one) => one.key === state.shown);
  id("maps").hidden = !maps.length && !ways.length;
  if (!id("maps").hidden) id("board-tools").hidden = false;
  keep(id("maps"), [maps.map((one) => [one.key, one.possible]), ways, state.shown], () => [
    maps.length > 0 && choices(t("What is possible, by all that everybody knows"), [{ key: "", name: t("No map") }, ...maps]),
    ways.length > 0 && choices(t("The way that was secret"), maps.length ? ways : [{ key: "", name: t("No map") }, ...ways]),
    map && legend(map),
  ]);
  keep(id("map-words"), map ? [map.key, map.possible] : way ? [way.key, way.lines] : null, () =>
    map ? inWords(map) : way && wayInWords(way),
  );
  if (opened) redraw();
}

const choices = (/** @type {string} */ label, /** @type {{ key: string, name: string }[]} */ all) =>
  h(
    "div",
    { class: "segments", role: "group", "aria-label": label },
    all.map((one) =>
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
  );

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
const inWords = (/** @type {{ key: string, possible: Spot[], out: Spot[], name: string }} */ { key, possible, out, name }) =>
  h(
    "details",
    { class: "map-words", "data-key": `words-${key}` },
    h("summary", {}, t("The map in words")),
    h("h3", {}, `${name}: ${t("possible")}`),
    h("p", { "data-key": "map-possible" }, possible.join(", ") || t("none")),
    h("h3", {}, t("Ruled out")),
    h("p", { "data-key": "map-out" }, out.join(", ") || t("none")),
  );

/** A way for whoever does not see it, and what was done on it for everybody. */
const wayInWords = (/** @type {OpenedWay & { name: string }} */ { lines, name }) =>
  h(
    "div",
    { class: "map-words" },
    h("h3", {}, name),
    h(
      "ul",
      { "data-key": "way-words" },
      lines.map((line) => h("li", {}, sentence(line))),
    ),
  );
