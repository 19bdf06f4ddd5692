// What the page knows: the snapshot, the events so far, and whether it is still in touch.

import { at, seen } from "./base.js";
import { unpressed } from "./dom.js";
import { usePage } from "./page_data.js";
import { crowded, Shared } from "./tabs.js";
import { getDated, getJson } from "./wire.js";
import { capital, placeName, t, useLabels, wording, zoneName } from "./words.js";

export { placeName, wording };

const LOG_LENGTH = 400;
const NO_FRAME = 100; // milliseconds

/** `connection` is `waiting`, `good` or `bad`: then `since` when (this device's clock, milliseconds) and `why`, where it is
    known. The snapshot and the
    board are there as soon as `open` has come back; who may ask before that looks first. */
export const store = {
  snapshot: /** @type {Snapshot} */ (/** @type {unknown} */ (null)),
  board: /** @type {Board} */ (/** @type {unknown} */ (null)),
  /** @type {RecordEvent[]} */ events: [],
  connection: "waiting",
  since: 0,
  why: /** @type {any} */ (null),
  liveFrom: 0,
};

/**
 * @type {{
 *   change: Set<(now: typeof store) => void>,
 *   event: Set<(event: RecordEvent, live: boolean) => void>,
 *   game: Set<() => void>,
 * }}
 */
const readers = { change: new Set(), event: new Set(), game: new Set() };
let waiting = false,
  ahead = 0;

export const onChange = (/** @type {(now: typeof store) => void} */ reader) => readers.change.add(reader);
export const onEvent = (/** @type {(event: RecordEvent, live: boolean) => void} */ reader) => readers.event.add(reader);
/** Another game began at this table: what was told of the last one is over. */
export const onGame = (/** @type {() => void} */ reader) => readers.game.add(reader);

/** The companion's clock in seconds, as this visitor may see the table; this device's own may be wrong, or be set meanwhile. */
export const hostTime = () => performance.now() / 1000 + ahead;

/** Tell every reader once a frame, however much arrived; a page out of sight has no frames, so it waits no longer than this. */
export function changed() {
  if (waiting) return;
  waiting = true;
  requestAnimationFrame(tellAll);
  setTimeout(tellAll, NO_FRAME);
}

function tellAll() {
  if (!waiting) return;
  waiting = false;
  for (const reader of readers.change) reader(store);
}

function setSnapshot(/** @type {Snapshot} */ snapshot) {
  const edition = snapshot.game.id + snapshot.game.edition;
  const before = store.snapshot && store.snapshot.game.id + store.snapshot.game.edition;
  const another = store.snapshot && store.snapshot.match !== snapshot.match;
  store.snapshot = snapshot;
  seen.away = snapshot.status.state === "table-offline";
  // What is pressed down now shows what was before, and is about that.
  unpressed(document.documentElement, () => (seen.number = snapshot.number));
  if (before && before !== edition)
    location.reload(); // another board: everything is drawn anew
  else if (another) begin();
  changed();
}

/** The numbers of another game's events begin anew, so the stream does too. */
function begin() {
  store.events = [];
  store.liveFrom = store.snapshot.number;
  for (const reader of readers.game) reader();
  stream.open(Math.max(0, store.snapshot.number - LOG_LENGTH));
}

/** No game is on here: the table is being set up, and what is shown is how it was before. */
export const between = () => store.connection === "bad" && store.why?.code === "not-yet";

/** No game is heard of, and nothing is wrong: the next one is awaited. */
export const awaited = () => store.connection === "bad" && ["not-yet", "next-game"].includes(store.why?.code);

function setConnection(/** @type {string} */ state, why = /** @type {any} */ (null)) {
  if (state === "bad" && !why && store.why && store.connection === "bad") return; // the reason stands until it is good again
  if (store.connection === state && store.why?.code === why?.code && store.why?.message === why?.message) return;
  if (state === "bad" && store.connection !== "bad") {
    store.since = Date.now();
    crowded().then(
      (yes) =>
        yes &&
        store.connection === "bad" &&
        setConnection("bad", {
          code: "crowded",
          message: t("This browser has too many pages of this table open"),
          advice: t("Close some of them."),
        }),
    );
  }
  const back = state === "good" && store.connection === "bad";
  Object.assign(store, { connection: state, why });
  if (back) snapshotNow().catch(() => {}); // this device's clock may have been set meanwhile
  changed();
}

export async function open() {
  [store.snapshot, store.board] = await Promise.all([snapshotNow(), getJson(at("/api/board"))]);
  useLabels(store.board.labels);
  usePage(store.board.page);
  store.liveFrom = seen.number = store.snapshot.number;
  seen.away = store.snapshot.status.state === "table-offline";
  stream.open(Math.max(0, store.snapshot.number - LOG_LENGTH));
  changed();
}

/** Look for the companion now instead of in a while. */
export const lookAgain = () => stream.wake(true);

/** The snapshot, and by the way how far this device's clock is behind. */
async function snapshotNow() {
  const asked = performance.now();
  const [snapshot, time] = await getDated(at("/api/snapshot"));
  if (time) ahead = time - (asked + performance.now()) / 2000;
  return snapshot;
}

const stream = new Shared({
  key: document.documentElement.dataset.stream + document.documentElement.lang,
  address: (/** @type {number} */ after) =>
    at("/api/events") +
    `?after=${after}&match=${encodeURIComponent(store.snapshot?.match ?? "")}` +
    `&language=${document.documentElement.lang}`,
  told: setConnection,
  past: (/** @type {number} */ after) => [
    ["snapshot", store.snapshot],
    ...store.events.filter((event) => event.number > after).map((event) => /** @type {[string, any]} */ (["event", event])),
  ],
  heard(/** @type {string} */ kind, /** @type {any} */ data) {
    if (kind === "snapshot") setSnapshot(data);
    if (kind === "event") take(data);
  },
});

function take(/** @type {RecordEvent} */ event) {
  if (event.number <= (store.events.at(-1)?.number ?? 0)) return;
  store.events.push(event);
  if (store.events.length > LOG_LENGTH) store.events.shift();
  for (const reader of readers.event) reader(event, event.number > store.liveFrom);
  changed();
}

export const lastEvent = (/** @type {string[]} */ ...kinds) =>
  store.events.findLast((event) => kinds.includes(event.kind)) ?? null;
export const piece = (/** @type {string} */ name) => store.board.pieces.find((one) => one.id === name) ?? null;
export const pieceName = (/** @type {string} */ name) => piece(name)?.name ?? name;
/** Who played, as plays are called; nothing where a play is of no single piece: of tokens laid, or of a card. */
export const playerName = (/** @type {string | null | undefined} */ name) => piece(name ?? "")?.name ?? "";
export const group = (/** @type {string} */ key) => store.board.groups.find((one) => one.key === key);
/** The characters: pieces that are told apart one by one and have two sides. Tiles with two sides are none. */
export const characters = () =>
  store.board.pieces.filter((one) => one.faces.length > 1 && group(one.group)?.layout === "by-piece");
/** What people call a spot of the board: a name of its own, or its id. @param {Spot} spot */
export const spotName = (spot) => {
  const name = [...store.board.cells, ...store.board.places].find((one) => one.id === spot)?.name;
  return name ? t(name) : zoneName(spot);
};
/** The same where no sentence says what kind of spot it is: a place of a track with what it belongs to. @param {Spot} spot */
export const siteName = (spot) => {
  const place = store.board.places.find((one) => one.id === spot);
  return place && place.value !== null ? placeName(place) : spotName(spot);
};
/** What one piece of a group is called. */
export const kindName = (/** @type {Group} */ { key, singular }) => wording(`one-${key}`) || t(singular);
/** What a card is called that shows a side: by that side, where only cards of one name have it. */
export function sideName(/** @type {Group} */ kind, /** @type {string} */ side) {
  const showing = store.board.pieces.filter((one) => one.group === kind.key && one.faces.includes(side)),
    names = new Set(showing.map((one) => one.name));
  return names.size === 1 ? [...names][0] : wording(`face-${side}`) || `${capital(kindName(kind))}: ${t(side)}`;
}
/** What a tile or token is called by its label or side; of tokens that have a back, a side alone does not say which it is. */
export function tileName(/** @type {Group} */ kind, /** @type {string | number | null} */ label) {
  const mine = store.board.pieces.filter((one) => one.group === kind.key),
    names = new Set(mine.map((one) => one.name)),
    what = capital(kindName(kind));
  if (label === null) return what;
  if (names.size === 1 && mine.some((one) => one.faces.includes("down"))) {
    const [token] = names;
    return label === "down"
      ? t("{what}, face down", { what: token })
      : t("{what}: {side}", { what: token, side: t(`${label}`) });
  }
  if (label === "blank") return t("{what} without a number", { what });
  return typeof label === "string" ? capital(t(label)) : t("{what} {label}", { what, label });
}
/** What a doubt or a correction is about: a piece by its name, anything else by its kind and place. */
export function subjectName(/** @type {string} */ subject) {
  const [word, place] = subject.split(":");
  return place ? t("{what} on {place}", { what: capital(t(word)), place: spotName(place) }) : pieceName(subject);
}
/** The roles in a fixed order, so that each keeps its colour. */
export const roles = () => [...new Set(store.snapshot.movers ?? [])].sort();
