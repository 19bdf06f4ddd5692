// The wall: every table as a tile, in the order of their names, so that each keeps its place; what needs somebody stands out,
// is counted, heard, and can be shown alone.

import { id, unpressed } from "../dom.js";
import { LANGUAGE, sentence, t } from "../words.js";
import { arbiter, onTiles, startFrame, tiles, told } from "./frame.js";
import { ring, startSound } from "./sound.js";
import { drawTile, looks, STATES, tick } from "./tile.js";

const TICK = 500,
  NEW_FOR = 8000;
/** @type {Intl.DateTimeFormatOptions} */
const CLOCK = { hour: "2-digit", minute: "2-digit", second: "2-digit" };
const wall = id("wall"),
  all = id("show-all"),
  needs = document.getElementById("show-needs"),
  find = /** @type {HTMLInputElement} */ (id("find"));
/** How many tiles still have how much room. @type {[number, string][]} */
const DENSITIES = [
  [8, "few"],
  [24, "some"],
  [60, "many"],
];

let only = false;
/** @type {Map<string, { element: HTMLElement, looks: string }>} */
const drawn = new Map();
const order = new Intl.Collator(document.documentElement.lang, { numeric: true });

onTiles((changed, first) => {
  /** @type {{ tile: Tile, element: HTMLElement }[]} */
  const fresh = [];
  let later = false;
  const done = () => {
    arrange();
    if (!first && arbiter && fresh.length) call(fresh.splice(0));
  };
  for (const table of changed) {
    const work = () => {
      const flagged = redraw(table);
      if (flagged) fresh.push(flagged);
      if (later) done();
    };
    const before = drawn.get(table);
    if (before) unpressed(before.element, work);
    else work();
  }
  later = true;
  done();
});

/** Draw a table's tile as it is now, or take it away; what is drawn where its flag is new. */
function redraw(/** @type {string} */ table) {
  const tile = tiles.get(table),
    before = drawn.get(table);
  if (!tile) {
    before?.element.remove();
    drawn.delete(table);
    return null;
  }
  const now = looks(tile);
  if (before?.looks === now) return null;
  const was = before?.element.dataset.state,
    focused = before?.element.contains(document.activeElement);
  const element = drawTile(tile);
  if (before) before.element.replaceWith(element);
  if (focused) element.querySelector("a")?.focus({ preventScroll: true }); // whoever looks elsewhere meanwhile stays there
  drawn.set(table, { element, looks: now });
  return tile.state === "flag" && was !== "flag" ? { tile, element } : null;
}

/** New flags: heard, shown for a while, and told to who cannot see them. */
function call(/** @type {{ tile: Tile, element: HTMLElement }[]} */ fresh) {
  ring();
  id("assertive").textContent = fresh.map(({ tile }) => `${tile.name}: ${STATES.flag[1]()}. ${sentence(tile.line)}`).join(" ");
  for (const { tile } of fresh) {
    const mark = (/** @type {string} */ yes) => {
      const now = drawn.get(tile.table);
      if (now) now.element.dataset.new = yes;
    };
    mark("yes");
    setTimeout(() => mark("no"), NEW_FOR);
  }
}

/** Put every tile in its place, and show those that are asked for. */
function arrange() {
  const listed = [...tiles.values()].sort((a, b) => order.compare(a.name, b.name) || order.compare(a.table, b.table));
  const wanted = find.value.trim().toLocaleLowerCase();
  let at = wall.firstElementChild,
    shown = 0,
    waiting = 0;
  for (const tile of listed) {
    const element = /** @type {{ element: HTMLElement }} */ (drawn.get(tile.table)).element;
    if (element !== at) wall.insertBefore(element, at);
    else at = at.nextElementSibling;
    const called = [tile.name, tile.game ? t(tile.game) : ""].some((one) => one.toLocaleLowerCase().includes(wanted));
    element.hidden = (only && !tile.needs) || !called;
    tick(element, tile);
    shown += element.hidden ? 0 : 1;
    waiting += tile.needs ? 1 : 0;
  }
  wall.dataset.density = (DENSITIES.find(([most]) => shown <= most) ?? [0, "all"])[1];
  wall.dataset.ready = "yes";
  all.textContent = t("All tables: {n}", { n: listed.length });
  if (needs) {
    needs.textContent = t("Needs me: {n}", { n: waiting });
    needs.dataset.any = waiting ? "yes" : "no";
  }
  const empty = id("wall-empty");
  empty.hidden = shown > 0;
  empty.textContent = !listed.length ? nothingYet() : only ? t("No table needs you now.") : t("No table is called so.");
  document.title = waiting && arbiter ? `(${waiting}) Table Witness` : "Table Witness";
}

/** Why there is no table: a spectator who is shown everything later sees the hall once that much time has passed. */
function nothingYet() {
  if (told.begins === null) return t("No table is in this hall yet.");
  const time = new Date(Date.now() + told.begins - performance.now()).toLocaleTimeString(LANGUAGE, CLOCK);
  return t("You see the hall {seconds} seconds behind, from {time} on. This page goes on by itself.", {
    seconds: id("seat").dataset.delay ?? "",
    time,
  });
}

function choose(/** @type {boolean} */ fewer) {
  only = fewer;
  all.setAttribute("aria-pressed", only ? "false" : "true");
  needs?.setAttribute("aria-pressed", only ? "true" : "false");
  arrange();
}

all.addEventListener("click", () => choose(false));
needs?.addEventListener("click", () => choose(true));
find.addEventListener("input", arrange);
setInterval(() => {
  for (const [table, { element }] of drawn) {
    const tile = tiles.get(table);
    if (tile && !element.hidden) tick(element, tile);
  }
}, TICK);
all.textContent = t("All tables: {n}", { n: 0 });
if (needs) needs.textContent = t("Needs me: {n}", { n: 0 });
startSound();
startFrame();
