// What the page knows: the snapshot, the events so far, and whether it is still in touch.

import { getDated, getJson } from "./wire.js";
import { capital, t } from "./words.js";

const LOG_LENGTH = 400;

export const store = { snapshot: null, board: null, events: [], connection: "waiting", liveFrom: 0 };

const readers = { change: new Set(), event: new Set(), game: new Set() };
let waiting = false, ahead = 0, source = null;

export const onChange = (reader) => readers.change.add(reader);
export const onEvent = (reader) => readers.event.add(reader);
/** Another game began at this table: what was told of the last one is over. */
export const onGame = (reader) => readers.game.add(reader);

/** The companion's clock in seconds, as this visitor may see the table; this device's own may be wrong, or be set meanwhile. */
export const hostTime = () => performance.now() / 1000 + ahead;

/** Tell every reader once a frame, however much arrived. */
export function changed() {
  if (waiting) return;
  waiting = true;
  queueMicrotask(() => {
    waiting = false;
    for (const reader of readers.change) reader(store);
  });
}

function setSnapshot(snapshot) {
  const edition = snapshot.game.id + snapshot.game.edition;
  const before = store.snapshot && store.snapshot.game.id + store.snapshot.game.edition;
  const another = store.snapshot && store.snapshot.match !== snapshot.match;
  store.snapshot = snapshot;
  if (before && before !== edition) location.reload(); // another board: everything is drawn anew
  else if (another) begin();
  changed();
}

/** The numbers of another game's events begin anew, so the stream does too. */
function begin() {
  store.events = [];
  store.liveFrom = store.snapshot.number;
  for (const reader of readers.game) reader();
  follow(Math.max(0, store.snapshot.number - LOG_LENGTH));
}

function setConnection(state) {
  if (store.connection === state) return;
  store.connection = state;
  changed();
}

export async function open() {
  [store.snapshot, store.board] = await Promise.all([snapshotNow(), getJson("/api/board")]);
  store.liveFrom = store.snapshot.number;
  follow(Math.max(0, store.snapshot.number - LOG_LENGTH));
  changed();
}

/** The snapshot, and by the way how far this device's clock is behind. */
async function snapshotNow() {
  const asked = performance.now();
  const [snapshot, time] = await getDated("/api/snapshot");
  if (time) ahead = time - (asked + performance.now()) / 2000;
  return snapshot;
}

function follow(after) {
  let last = after;
  source?.close();
  const mine = (source = new EventSource(`/api/events?after=${after}&language=${document.documentElement.lang}`));
  mine.onopen = () => setConnection("good");
  mine.addEventListener("snapshot", (message) => source === mine && setSnapshot(JSON.parse(message.data)));
  mine.onmessage = (message) => {
    if (source !== mine) return;
    const event = JSON.parse(message.data);
    if (event.number <= last) return;
    last = event.number;
    store.events.push(event);
    if (store.events.length > LOG_LENGTH) store.events.shift();
    for (const reader of readers.event) reader(event, event.number > store.liveFrom);
    changed();
  };
  mine.onerror = () => {
    if (source !== mine) return;
    setConnection("bad");
    // The browser comes back by itself unless the answer was a refusal; then we do.
    if (mine.readyState !== EventSource.CLOSED) return;
    setTimeout(() => source === mine && follow(last), 2000);
    snapshotNow().catch(() => {}); // says whether the seat was taken back
  };
}

export const lastEvent = (...kinds) => store.events.findLast((event) => kinds.includes(event.kind)) ?? null;
export const piece = (name) => store.board.pieces.find((one) => one.id === name) ?? null;
export const pieceName = (name) => piece(name)?.name ?? name;
export const group = (key) => store.board.groups.find((one) => one.key === key);
/** The characters: pieces that are told apart one by one and have two sides. Tiles with two sides are none. */
export const characters = () => store.board.pieces.filter((one) => one.faces.length > 1 && group(one.group).layout === "by-piece");
/** What a doubt or a correction is about: a piece by its name, anything else by its kind and place. */
export function subjectName(subject) {
  const [word, place] = subject.split(":");
  return place ? t("{what} on {place}", { what: capital(t(word)), place }) : pieceName(subject);
}
/** The roles in a fixed order, so that each keeps its colour. */
export const roles = () => [...new Set(store.snapshot.movers ?? [])].sort();
