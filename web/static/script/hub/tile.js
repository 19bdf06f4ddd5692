// One table as a tile of the wall.

import { h } from "../dom.js";
import { symbols } from "../symbols.js";
import { time } from "../times.js";
import { LANGUAGE, sentence, t, whole } from "../words.js";
import { hubTime } from "./frame.js";

/** By state: its sign and its words. @type {Record<string, [string, () => string]>} */
export const STATES = {
  offline: ["offline", () => t("Offline")],
  flag: ["warning", () => t("Flagged")],
  trouble: ["warning", () => t("Needs a look")],
  doubt: ["ask", () => t("Unclear what was played")],
  "time-up": ["running", () => t("Time is up")],
  restoring: ["turnOver", () => t("Being put right")],
  question: ["ask", () => t("A question is open")],
  "set-up": ["putDown", () => t("Setting up")],
  adjourned: ["standing", () => t("Adjourned")],
  play: ["running", () => t("Playing")],
  over: ["tick", () => t("Over")],
  empty: ["standing", () => t("No game yet")],
};

/** What a tile is drawn from, without what only its clocks tell. */
export const looks = (/** @type {Tile} */ tile) => JSON.stringify(tile);

export function drawTile(/** @type {Tile} */ tile) {
  const [sign, words] = STATES[tile.state] ?? STATES.play;
  const line = sentence(tile.line);
  const since = tile.since
    ? new Date(1000 * tile.since).toLocaleTimeString(LANGUAGE, { hour: "2-digit", minute: "2-digit" })
    : "";
  const more = tile.troubles.map(sentence).filter((one) => one && one !== line);
  return h(
    "li",
    { class: "tile", "data-table": tile.table, "data-state": tile.state, "data-needs": tile.needs ? "yes" : "no" },
    h(
      "div",
      { class: "tile-head" },
      h("a", { class: "tile-name", href: `/tables/${tile.table}/`, title: tile.name }, tile.name),
      tile.turn !== null &&
        h("span", { class: "tile-turn" }, tile.round ? sentence(tile.round) : t("Turn {n}", { n: tile.turn })),
      tile.game && h("span", { class: "tile-game", title: t(tile.game) }, t(tile.game)),
    ),
    h(
      "p",
      { class: "tile-state" },
      (symbols[sign] ?? symbols.warning)(),
      h("span", {}, words(), since && [" ", h("small", {}, since)]),
    ),
    h("p", { class: "tile-line" }, [line, ...more].filter(Boolean).map(whole).join(" ")),
    h(
      "div",
      { class: "tile-foot" },
      !tile.clock && h("span", { class: "tile-mover" }, whose(tile)),
      tile.clock &&
        Object.keys(tile.clock.left)
          .sort()
          .map((role) => face(role, /** @type {TileClock} */ (tile.clock))),
      tile.simulated && h("span", { class: "sign" }, t("Simulated")),
    ),
  );
}

/** Whose play it is, as the game says it. */
const whose = (/** @type {Tile} */ { plays, mover }) =>
  plays ? sentence(plays) : mover && t("{role} picks", { role: sentence(mover) });

function face(/** @type {string} */ role, /** @type {TileClock} */ clock) {
  const runs = clock.running === role;
  return h(
    "span",
    { class: "tile-clock", "data-role": role, "data-runs": runs ? "yes" : "no" },
    h("span", { class: "spoken-part" }, clock.names[role] ? sentence(clock.names[role]) : role),
    h("b", { role: "timer", "aria-live": "off" }),
  );
}

/** Bring the clocks of a tile to this moment. */
export function tick(/** @type {HTMLElement} */ element, /** @type {Tile} */ tile) {
  const clock = tile.clock;
  if (!clock) return;
  for (const one of /** @type {NodeListOf<HTMLElement>} */ (element.querySelectorAll(".tile-clock"))) {
    const role = one.dataset.role ?? "",
      spent = clock.running === role && tile.online ? Math.max(0, hubTime() - clock.since) : 0,
      left = clock.left[role] - Math.max(0, spent - clock.free),
      text = time(left),
      shown = /** @type {HTMLElement} */ (one.querySelector("b"));
    if (shown.textContent !== text) shown.textContent = text;
    one.dataset.over = left <= 0 ? "yes" : "no";
  }
}
