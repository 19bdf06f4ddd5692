// What every page of the hall has: day and night, the line that says whether it is in touch, links and language, and the stream
// by which all of them are told.

import "../focus.js";
import { dialog, closing } from "../panels/dialog.js";
import { h, id, tool } from "../dom.js";
import { seatLine } from "../role.js";
import { Shared } from "../tabs.js";
import { startTheme } from "../theme.js";
import { symbols } from "../symbols.js";
import { LANGUAGE, LANGUAGES, t } from "../words.js";

const data = document.documentElement.dataset;
export const arbiter = data.role === "arbiter";

/** @type {Map<string, Tile>} */
export const tiles = new Map();
/** What was told last beside the cards: the number of entries of the event. */
export const told = {
  event: /** @type {number | null} */ (null),
  begun: false,
  /** When this visitor, who is behind, sees the hall (ms of this page's clock); nothing once that is so. */
  begins: /** @type {number | null} */ (null),
};
/** @type {Set<(changed: Set<string>, first: boolean) => void>} */
const readers = new Set();
let ahead = 0;

/** The hub's clock in seconds, as this visitor may see the hall. */
export const hubTime = () => performance.now() / 1000 + ahead;
/** Be told whenever cards changed: of which tables, and whether these are the first. */
export const onTiles = (/** @type {(changed: Set<string>, first: boolean) => void} */ reader) => readers.add(reader);

export function startFrame() {
  startTheme();
  const menu = id("more-button");
  tool(menu, symbols.menu(), t("Menu"));
  menu.addEventListener("click", more);
  const seat = document.getElementById("seat");
  if (seat) seat.textContent = seatLine();
  /** @type {(state: string, why?: any) => void} */
  const state = (now, why) => {
    const look = now === "good" ? "good" : now === "bad" ? "bad" : "waiting";
    id("status").dataset.look = look;
    id("status-text").textContent =
      now === "good"
        ? t("In touch with the hall")
        : now === "bad"
          ? [why?.message ?? t("No connection to the hall. What stands here may be old."), why?.advice]
              .filter(Boolean)
              .join(" ")
          : t("Connecting");
  };
  const stream = new Shared({
    key: `${data.stream}-${LANGUAGE}`,
    address: () => `/api/hall/events?language=${LANGUAGE}`,
    told: state,
    past: () => [
      [
        "snapshot",
        {
          now: hubTime(),
          gone: [],
          event: told.event,
          tables: [...tiles.values()],
          ...(told.begins === null ? {} : { begins: (told.begins - performance.now()) / 1000 }),
        },
      ],
    ],
    heard: (kind, news) => kind === "snapshot" && take(news),
  });
  stream.open(0);
}

function take(/** @type {{ now: number, gone: string[], event: number, tables: Tile[], begins?: number }} */ news) {
  ahead = news.now - performance.now() / 1000;
  for (const table of news.gone) tiles.delete(table);
  for (const tile of news.tables) tiles.set(tile.table, tile);
  told.event = news.event;
  told.begins = news.begins === undefined ? null : performance.now() + 1000 * news.begins;
  const first = !told.begun;
  told.begun = true;
  const changed = new Set([...news.gone, ...news.tables.map((one) => one.table)]);
  for (const reader of readers) reader(changed, first);
}

function more() {
  const select = h(
    "select",
    { name: "language", "data-key": "language" },
    Object.entries(LANGUAGES).map(([tag, name]) => h("option", { value: tag, lang: tag, selected: tag === LANGUAGE }, name)),
  );
  select.addEventListener("change", () => (location.search = `?lang=${select.value}`));
  const box = dialog(
    t("Menu"),
    arbiter &&
      h(
        "div",
        { class: "field" },
        h(
          "button",
          {
            type: "button",
            class: "button",
            "data-key": "links",
            onclick: async () => {
              box.close();
              (await import("../panels/seats.js")).seats();
            },
          },
          t("Links for arbiters and spectators"),
        ),
        h("span", {}, t("A code to scan; a spectator's link may show everything some seconds later.")),
      ),
    document.getElementById("seat") &&
      h(
        "div",
        { class: "field" },
        h(
          "button",
          {
            type: "button",
            class: "button",
            "data-key": "leave",
            onclick: async () => {
              box.close();
              (await import("../panels/seats.js")).leave();
            },
          },
          t("Leave this seat"),
        ),
        h("span", {}, t("This device forgets its link.")),
      ),
    h("label", { class: "field" }, h("span", {}, t("Language")), select),
    h(
      "div",
      { class: "actions" },
      closing(() => box),
    ),
  );
}
