// What the page knows: the snapshot, the events so far, and whether it is still in touch.

import { getJson } from "./wire.js";

const LOG_LENGTH = 400;

export const store = { snapshot: null, board: null, events: [], connection: "waiting", liveFrom: 0 };

const readers = { change: new Set(), event: new Set() };
let waiting = false;

export const onChange = (reader) => readers.change.add(reader);
export const onEvent = (reader) => readers.event.add(reader);

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
  store.snapshot = snapshot;
  if (before && before !== edition) location.reload(); // another board: everything is drawn anew
  changed();
}

function setConnection(state) {
  if (store.connection === state) return;
  store.connection = state;
  changed();
}

export async function open() {
  [store.snapshot, store.board] = await Promise.all([getJson("/api/snapshot"), getJson("/api/board")]);
  store.liveFrom = store.snapshot.number;
  follow(Math.max(0, store.snapshot.number - LOG_LENGTH));
  changed();
}

function follow(after) {
  let last = after;
  const source = new EventSource(`/api/events?after=${after}&language=${document.documentElement.lang}`);
  source.onopen = () => setConnection("good");
  source.addEventListener("snapshot", (message) => setSnapshot(JSON.parse(message.data)));
  source.onmessage = (message) => {
    const event = JSON.parse(message.data);
    if (event.number <= last) return;
    last = event.number;
    store.events.push(event);
    if (store.events.length > LOG_LENGTH) store.events.shift();
    for (const reader of readers.event) reader(event, event.number > store.liveFrom);
    changed();
  };
  source.onerror = () => {
    setConnection("bad");
    // The browser comes back by itself unless the answer was a refusal; then we do.
    if (source.readyState !== EventSource.CLOSED) return;
    setTimeout(() => follow(last), 2000);
    getJson("/api/snapshot").catch(() => {}); // says whether the seat was taken back
  };
}

export const lastEvent = (...kinds) => store.events.findLast((event) => kinds.includes(event.kind)) ?? null;
export const piece = (name) => store.board.pieces.find((one) => one.id === name) ?? null;
export const pieceName = (name) => piece(name)?.name ?? name;
export const group = (key) => store.board.groups.find((one) => one.key === key);
